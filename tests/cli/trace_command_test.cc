// `tally trace`: what real programs do, as their timelines say it.
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// The timeline of a program of tests/programs, as JSON with its events.
struct Traced {
  CliResult cli;
  Json json;

  [[nodiscard]] Json EventsNamed(const std::string& name) const {
    Json found = Json::array();
    for (const Json& event : json["events"]) {
      if (event["event"] == name) found.push_back(event);
    }
    return found;
  }
  [[nodiscard]] Json FileNamed(const std::string& name) const {
    for (const Json& file : json["files"]) {
      if (file["name"] == name) return file;
    }
    return Json::object();
  }
  [[nodiscard]] std::uint64_t Time(const std::string& resource) const { return json["time_ns"][resource]; }
};

Traced Trace(const std::string& options, const std::string& program) {
  const ScratchFolder folder;
  Traced traced;
  traced.cli = Shell("$TALLY trace " + options + " --events --json=" + folder.path() + "/json -- " + program);
  INFO(traced.cli.error);
  REQUIRE(traced.cli.status == 0);
  traced.json = Json::parse(Shell("cat " + folder.path() + "/json").out);
  std::uint64_t sum = 0;
  for (const auto& part : traced.json["time_ns"]) sum += part.get<std::uint64_t>();
  CHECK(sum == traced.json["real_time_ns"]);
  return traced;
}

TEST_CASE("trace: mistakes are told in one sentence, before anything is run", "[cli][trace]") {
  const ScratchFolder folder;
  const auto mistake = [&](const std::string& arguments) {
    const CliResult result = Shell("$TALLY trace " + arguments, {.directory = folder.path()});
    CAPTURE(arguments, result.error);
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    CHECK(result.out.empty());
    return result.error;
  };
  CHECK(Has(mistake(""), "which program?"));
  CHECK(Has(mistake("-- ./absent"), "absent"));
  CHECK(Has(mistake("--json=no/folder/file -- $PROGRAMS/hello"), "folder no/folder does not exist"));
  CHECK(Has(mistake("--from soon -- $PROGRAMS/hello"), "--from"));
  CHECK(Has(mistake("--from 2s --to 1s -- $PROGRAMS/hello"), "--to: 1s is not after --from"));
  CHECK(Has(mistake("--show absent"), "absent: No such file or directory"));
  CHECK(Has(mistake("--show /dev/null"), "/dev/null: not a timeline file"));
  CHECK(Has(mistake("--show x -- $PROGRAMS/hello"), "no program is run"));
}

TEST_CASE("trace: what the program prints passes through, and the summary is on stderr", "[cli][trace]") {
  const CliResult result = Shell("$TALLY trace -- $PROGRAMS/hello");
  CHECK(result.out == "hello\nEND\n");
  CHECK(result.error.starts_with("OK  ok\n"));
  CHECK(Has(result.error, "of real time, 1 thread, "));
  CHECK(Has(result.error, "  stdout "));
  CHECK(Shell("$TALLY trace -q -- $PROGRAMS/hello").error.empty());
}

TEST_CASE("trace: a file that is written has its opens, its bytes and its time", "[cli][trace]") {
  const Traced traced = Trace("--sandbox compiler-default", "/bin/sh -c 'echo 1234567 > /tmp/out; echo 89 >> /tmp/out'");
  Json file = traced.FileNamed("/tmp/out");
  CHECK(file["opens"] == 2);
  CHECK(file["bytes_written"] == 11);
  CHECK(file["time_ns"] > 0);
  Json writes = traced.EventsNamed("file.write");
  REQUIRE(writes.size() == 2);
  CHECK(writes[0]["bytes"] == 8);
  CHECK(writes[0]["object"] == file["object"]);
  CHECK(writes[0]["begin_ns"] < writes[0]["end_ns"]);
  CHECK(writes[0]["end_ns"] < writes[1]["begin_ns"]);
}

TEST_CASE("trace: threads begin and end, and who joins them waits", "[cli][trace]") {
  const Traced traced = Trace("--processes 8", "$PROGRAMS/threads_ok");
  CHECK(traced.json["threads"].size() == 5);
  CHECK(traced.EventsNamed("thread.begin").size() == 4);
  CHECK(traced.EventsNamed("thread.end").size() == 4);
  for (const Json& thread : traced.json["threads"]) {
    CHECK(thread["process"] == 0);
    std::uint64_t sum = 0;
    for (const auto& part : thread["time_ns"]) sum += part.get<std::uint64_t>();
    CHECK(sum == thread["end_ns"].get<std::uint64_t>() - thread["begin_ns"].get<std::uint64_t>());
  }
}

TEST_CASE("trace: a child process is one of its own, and a parent waits for it", "[cli][trace]") {
  const Traced traced = Trace("--processes 8", "$PROGRAMS/fork_ok");
  CHECK(traced.EventsNamed("process.begin").size() == 4);
  CHECK(traced.EventsNamed("wait.child").size() >= 3);
}

TEST_CASE("trace: a sleep is sleep", "[cli][trace]") {
  const Traced traced = Trace("", "$PROGRAMS/sleeps_briefly");
  CHECK_FALSE(traced.EventsNamed("sleep").empty());
  CHECK(traced.Time("sleep") > traced.Time("cpu"));
  CHECK(traced.Time("stopped") == 0);
}

TEST_CASE("trace: reading from a pipe into which nobody writes is waiting", "[cli][trace]") {
  const Traced traced = Trace("", "$PROGRAMS/echo_stdin < /dev/null");
  CHECK(traced.EventsNamed("device.read").size() == 1);
  const ScratchFolder folder;
  std::uint64_t waiting = 0;
  for (const std::string seconds : {"0.2", "2", "10"}) {  // on a slow machine the program begins late
    const CliResult result =
        Shell("sleep " + seconds + " | $TALLY trace --json=" + folder.path() + "/json -- $PROGRAMS/echo_stdin");
    CHECK(result.out == "END\n");
    waiting = Json::parse(Shell("cat " + folder.path() + "/json").out)["time_ns"]["waiting"];
    if (waiting > 100'000'000) break;
  }
  CHECK(waiting > 100'000'000);
}

// When it is stopped, in seconds, and how long it may take: on a slow machine it has not begun yet, and the stop comes late.
struct Stop {
  const char *at, *wall;
};
constexpr Stop kStops[] = {{"0.3", "1s"}, {"1.5", "5s"}, {"5", "15s"}};

// Its times, in ns. It is stopped for 0.3 s; its command line is nothing but its path.
Json TimesWithAStop(const std::string& program, const Stop& stop) {
  const ScratchFolder folder;
  const std::string name = "$PROGRAMS/" + program, path = folder.path() + "/json";
  Shell(std::string("$TALLY trace -q --wall ") + stop.wall + " --json=" + path + " -- " + name + " & sleep " + stop.at + "; pkill -STOP -fx " + name +
        "; sleep 0.3; pkill -CONT -fx " + name + "; wait");
  return Json::parse(Shell("cat " + path).out)["time_ns"];
}

TEST_CASE("trace: the program's time at the processor is what the kernel says, and not what Tally takes for it", "[cli][trace]") {
  const ScratchFolder folder;
  double cpu = 0, kernels = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {  // others may take the processor, which is waiting for it, and cpu
    const CliResult result = Shell("$TALLY trace --json=" + folder.path() + "/json -- $PROGRAMS/known_costs");
    REQUIRE(result.status == 0);
    const std::size_t time = result.error.find("  time          ");
    REQUIRE(time != std::string::npos);
    kernels = std::stod(result.error.substr(time + 16));
    const Json parts = Json::parse(Shell("cat " + folder.path() + "/json").out)["time_ns"];
    cpu = parts["cpu"].get<double>() / 1e6;
    if (cpu < kernels * 1.1 + 0.5) break;
  }
  CAPTURE(cpu, kernels);
  CHECK(cpu < kernels * 1.1 + 0.5);
  CHECK(cpu > kernels * 0.5 - 0.5);
}

TEST_CASE("trace: a stop from outside is stopped, and one inside a sleep costs nothing", "[cli][trace]") {
  const auto long_enough = [](const Json& time) { return time > 200'000'000; };
  const auto short_enough = [](const Json& time) { return time < 50'000'000; };
  Json busy, asleep;
  for (const Stop& stop : kStops) {
    busy = TimesWithAStop("asks_time_forever", stop);
    if (long_enough(busy["stopped"])) break;
  }
  CHECK(long_enough(busy["stopped"]));
  for (const Stop& stop : kStops) {
    asleep = TimesWithAStop("sleep_long", stop);
    if (long_enough(asleep["sleep"]) && short_enough(asleep["stopped"])) break;
  }
  CHECK(short_enough(asleep["stopped"]));
  CHECK(long_enough(asleep["sleep"]));
}

TEST_CASE("trace: what goes through a socketpair is network, and counted at each end", "[cli][trace]") {
  const Traced traced = Trace("--unsafe", "/usr/bin/python3 -c 'import socket; a, b = socket.socketpair(); "
                                          "a.sendall(b\"x\" * 1000); print(len(b.recv(2000)))'");
  const Json& sockets = traced.json["sockets"];
  REQUIRE(sockets.size() >= 2);  // libc has others before, to ask who the user is
  CHECK(sockets[sockets.size() - 2]["bytes_written"] == 1000);
  CHECK(sockets[sockets.size() - 1]["bytes_read"] == 1000);
  CHECK(traced.Time("network") > 0);
  CHECK(traced.cli.out == "1000\n");
}

TEST_CASE("trace: a timeline that was kept shows the same again, and any moment of it", "[cli][trace]") {
  const ScratchFolder folder;
  const CliOptions here{.directory = folder.path()};
  CHECK(Shell("$TALLY trace -q --timeline kept --json=first --events -- $PROGRAMS/hello", here).status == 0);
  const CliResult shown = Shell("$TALLY trace --show kept --json=second --chrome trace --events", here);
  CHECK(shown.status == 0);
  CHECK(Has(shown.out, "process.begin"));
  CHECK(Shell("cmp first second", here).status == 0);
  const Json chrome = Json::parse(Shell("cat trace", here).out);
  const Json json = Json::parse(Shell("cat first", here).out);
  CHECK(chrome.size() == json["event_count"].get<std::size_t>() + 2);
  CHECK_FALSE(Has(Shell("$TALLY trace --show kept --from 1h", here).out, "process.begin"));
}

TEST_CASE("trace: a thread has the name that it gave itself", "[cli][trace]") {
  const Traced traced = Trace("--processes 3", "$PROGRAMS/named_thread \"load <balancer> \xc3\xa9\"");
  REQUIRE(traced.json["threads"].size() == 3);
  CHECK(traced.json["threads"][0]["name"] == "named_thread");
  CHECK(traced.json["threads"][1]["name"] == "load <balancer>");
  CHECK(traced.json["threads"][2]["name"] == "named_thread");
  CHECK(Has(traced.cli.error, " <balancer>"));
  CHECK(Has(traced.cli.error, "2 of 0"));
}

TEST_CASE("trace: what Tally does is not the program's, and is told", "[cli][trace]") {
  const Traced traced = Trace("", "$PROGRAMS/hello");
  CHECK(traced.Time("tally") > 0);
  CHECK(Has(traced.cli.error, "\n  tally "));
}

TEST_CASE("trace: an interval behind the end says so", "[cli][trace]") {
  const CliResult result = Shell("$TALLY trace --from 100s --to 101s -- $PROGRAMS/hello");
  CHECK(result.status == 0);
  CHECK(Has(result.error, "\n  none: --from is 100.00 s, and the run ended at "));
}

TEST_CASE("trace: a page has the timeline alone, and events whether they are asked for or not", "[cli][trace]") {
  const ScratchFolder folder;
  const CliResult result = Shell("$TALLY trace -q --html " + folder.path() + "/page.html -- $PROGRAMS/hello");
  CHECK(result.status == 0);
  const std::string page = Shell("cat " + folder.path() + "/page.html").out;
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(Has(page, "\"trace\":{\"name\":\"hello\""));
  CHECK(Has(page, "\"event\":\"process.begin\""));
}

TEST_CASE("trace: a program that ends badly has its timeline up to there", "[cli][trace]") {
  const Traced traced = Trace("--wall 200ms", "$PROGRAMS/sleep_forever");
  CHECK(traced.cli.error.starts_with("TLE"));
  CHECK(traced.Time("sleep") + traced.Time("waiting") > 100'000'000);
}

}  // namespace
}  // namespace tally
