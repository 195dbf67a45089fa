// `tally submit` as its user sees it: what is printed where, what becomes of files, and the exit status.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/sys.h"
#include "tests/dispatcher/fake_worker.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"
#include "tests/support/relay.h"
#include "tests/support/worker_run.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

Words BrokerEnvironment() {
  return {"EVA_DISPATCHER_RABBITMQ_HOST=127.0.0.1",
          "EVA_DISPATCHER_RABBITMQ_PORT=" + std::to_string(Broker::Shared().port())};
}

std::string Command() { return BuildFolder() + "/bin/tally-dispatcher submit "; }

// Arguments as a shell reads them, in a folder.
CliResult Submit(const std::string& arguments, const ScratchFolder& folder) {
  return Shell(Command() + arguments, {.directory = folder.path(), .environment = BrokerEnvironment()});
}

std::vector<std::string> Right(const Message&) { return {RightAnswer()}; }
std::vector<std::string> EchoInAnswer(const Message& message) { return {RightAnswer(Json::parse(message.body))}; }

TEST_CASE("submit: one request's answer is on stdout as it came, and nothing else is said", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v11.request", EchoInAnswer);
  const ScratchFolder folder;
  folder.Write("a.json", R"({"stack_ref": "cpp"})");
  const CliResult result = Submit("a.json --api-version 11", folder);
  CHECK(result.status == 0);
  CHECK(result.error.empty());
  CHECK(result.out == RightAnswer({{"stack_ref", "cpp"}}) + "\n");
  CHECK(Submit("- --api-version 11 < a.json", folder).out == result.out);
}

TEST_CASE("submit: a failed evaluation is an answer like any other", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v12.request", [](const Message&) {
    return std::vector<std::string>{FailedAnswer("stack_ref: no such stack")};
  });
  const ScratchFolder folder;
  folder.Write("a.json", "{");
  const CliResult result = Submit("a.json --api-version 12", folder);
  CHECK(result.status == 0);
  CHECK(result.json()["message"] == "stack_ref: no such stack");
}

TEST_CASE("submit --job: an environ goes where jobs are waited for", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "tally.v13.job",
                          [](const Message&) { return std::vector<std::string>{R"({"result_code": "OK"})"}; });
  const ScratchFolder folder;
  folder.Write("a.json", R"({"job_type": "ping"})");
  CHECK(Submit("--job a.json --api-version 13", folder).json()["result_code"] == "OK");
}

TEST_CASE("submit: a folder's answers lie beside its requests, and the summary counts them", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v14.request", [](const Message& message) {
    const std::string kind = Json::parse(message.body)["kind"];
    return std::vector<std::string>{kind == "right"   ? RightAnswer()
                                    : kind == "wrong" ? WrongAnswer()
                                                      : FailedAnswer("x")};
  });
  const ScratchFolder folder;
  for (const char* kind : {"right", "wrong", "failed"}) {
    for (const char* number : {"1", "2", "3"}) {
      folder.Write("in/" + std::string(kind) + number + ".json", R"({"kind": ")" + std::string(kind) + "\"}");
    }
  }
  folder.Write("in/notes.txt", "no request");
  SECTION("without --out") {
    const CliResult result = Submit("in --api-version 14", folder);
    CHECK(result.status == 0);
    CHECK(result.out.empty());
    CHECK(Has(result.error, "9 of 9 answered: 3 right, 3 wrong, 3 failed; "));
    CHECK(sys::ReadFile(folder.path() + "/in/right2.answer.json") == RightAnswer() + "\n");
    CHECK(sys::ReadFile(folder.path() + "/in/wrong3.answer.json") == WrongAnswer() + "\n");
    // Answers are no requests.
    CHECK(Has(Submit("in --api-version 14", folder).error, "9 of 9 answered"));
  }
  SECTION("into a folder that is made, where answers of before are replaced whole") {
    folder.Write("out/right1.answer.json", "old");
    fs::create_hard_link(folder.path() + "/out/right1.answer.json", folder.path() + "/kept");
    CHECK(Submit("in --out out --api-version 14", folder).status == 0);
    CHECK(sys::ReadFile(folder.path() + "/out/right1.answer.json") == RightAnswer() + "\n");
    CHECK(sys::ReadFile(folder.path() + "/kept") == "old");
    CHECK(std::distance(fs::directory_iterator(folder.path() + "/out"), fs::directory_iterator()) == 9);
    CHECK_FALSE(fs::exists(folder.path() + "/in/right1.answer.json"));
    CHECK(Submit("in --out new --api-version 14", folder).status == 0);
    CHECK(fs::exists(folder.path() + "/new/wrong1.answer.json"));
  }
}

TEST_CASE("submit --watch: a bar on a terminal, which leaves no trace before the summary", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  std::atomic<int> count = 0;
  const FakeWorker worker(Broker::Shared().address(), "eva.v15.request", [&](const Message& message) {
    if (++count == 5) ::usleep(150'000);  // longer than from one bar to the next
    return Right(message);
  });
  const ScratchFolder folder;
  for (int i = 0; i < 10; ++i) folder.Write("in/" + std::to_string(i) + ".json", "{}");
  const CliResult result = ShellOnTerminal(Command() + "in --watch --window 2 --api-version 15",
                                           {.directory = folder.path(), .environment = BrokerEnvironment()});
  CHECK(result.status == 0);
  CHECK(Has(result.out, "submit ####"));
  CHECK(Has(result.out, "/10 "));
  CHECK(Has(result.out, " right, 0 failed, "));
  CHECK(Has(result.out, "\r\x1b[K10 of 10 answered: 10 right"));
}

TEST_CASE("submit: where no worker has ever been is said in one sentence", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const ScratchFolder folder;
  folder.Write("in/a.json", "{}");
  folder.Write("in/b.json", "{}");
  const std::string sentence = "no worker has ever declared a queue for requests of API version 16 (eva.v16.request)";
  const CliResult one = Submit("in/a.json --api-version 16", folder);
  CHECK(one.status == 1);
  CHECK(IsOneSentence(one.error));
  CHECK(Has(one.error, sentence));
  const CliResult all = Submit("in --api-version 16", folder);
  CHECK(all.status == 1);
  CHECK(Has(all.error, sentence));
  CHECK(Has(all.error, "0 of 2 answered: 0 right, 0 wrong, 0 failed, 2 that no worker has a queue for; "));
  CHECK(Submit("--bench 5 in/a.json --api-version 16", folder).status == 1);
}

TEST_CASE("submit --timeout, and a signal: they end it in the midst of a request, too, that the broker reads no more of",
          "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const NetworkRelay relay("127.0.0.2", Broker::Shared().port(), 1 << 20);
  const ScratchFolder folder;
  folder.Write("large.json", "{\"stack_ref\": \"" + std::string(20 << 20, 'x') + "\"}");
  Words environment = BrokerEnvironment();
  environment.front() = "EVA_DISPATCHER_RABBITMQ_HOST=127.0.0.2";
  const auto run = [&](const std::string& before, const std::string& arguments) {
    return Shell(before + Command() + "large.json --api-version 18 " + arguments,
                 {.directory = folder.path(), .environment = environment});
  };
  CHECK(run("timeout -s KILL 20 ", "--timeout 300ms").error.find("unanswered") != std::string::npos);
  CHECK(run("timeout -k 20 -s INT 0.3 ", "").status == 124);
}

TEST_CASE("submit --timeout: what is still unanswered is named", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v17.request", [](const Message& message) {
    return message.body == "{}" ? std::vector<std::string>{} : Right(message);
  });
  const ScratchFolder folder;
  folder.Write("in/answered.json", "[]");
  for (int i = 1; i <= 7; ++i) folder.Write("in/silent" + std::to_string(i) + ".json", "{}");
  const CliResult all = Submit("in --timeout 300ms --api-version 17", folder);
  CHECK(all.status == 2);
  CHECK(Has(all.error, "tally: 7 of 8 requests are unanswered after 300 ms: in/silent1.json, in/silent2.json, "));
  CHECK(Has(all.error, "in/silent5.json and 2 more\n"));
  CHECK(Has(all.error, "1 of 8 answered: 1 right, 0 wrong, 0 failed, 7 unanswered; "));
  const CliResult one = Submit("in/silent1.json --timeout 200ms --api-version 17", folder);
  CHECK(one.status == 2);
  CHECK(one.error == "tally: 1 of 1 request is unanswered after 200 ms: in/silent1.json\n");
}

TEST_CASE("submit: a mistake is one sentence that names what is at fault", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const ScratchFolder folder;
  folder.Write("latin1.json", "{\"caf\xe9\": 1}");
  folder.Write("large.json", std::string(4097, ' '));
  folder.Write("a.json", "{}");
  folder.Write("src/a.cpp", "int main() {}");
  folder.Write("elsewhere/b.cpp", "\xff");
  fs::create_directory(folder.path() + "/empty");
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "expected a request, or --stack with --solution"},
      {"a.json --stack cpp --solution src", "expected a request, or --stack with --solution"},
      {"absent.json", "absent.json: No such file or directory"},
      {"latin1.json", "latin1.json: is not UTF-8 text (byte 5)"},
      {"large.json --max-request 4k", "large.json: is larger than 4.0 KiB"},
      {"empty", "empty: no requests here"},
      {"--bench 3 src", "--bench sends one request often"},
      {"a.json --out x", "--out is for"},
      {"a.json --solution src", "need --stack"},
      {"--stack cpp", "--stack: needs --solution"},
      {"--stack cpp --solution src --param novalue", "--param novalue: expected KEY=VALUE"},
      {"--stack cpp --solution src --root elsewhere", "src/a.cpp: is not in the folder elsewhere (--root)"},
      {"--stack cpp --solution elsewhere", "elsewhere/b.cpp: is not UTF-8 text"},
      {"--stack cpp --solution src --max-request 64b", "these files make a request of "},
      {"--stack cpp --solution nothing.cpp", "nothing.cpp: No such file or directory"},
      {"a.json --timeout soon", "--timeout: "},
      {"a.json --window 0", "--window"},
      {"a.json --frobnicate", "--frobnicate"},
  };
  for (const auto& [arguments, part] : mistakes) {
    CAPTURE(arguments);
    const CliResult result = Submit(arguments, folder);
    CHECK(result.status == 1);
    CHECK(result.out.empty());
    CHECK(IsOneSentence(result.error));
    CHECK_THAT(result.error, HasPart(part));
  }
}

TEST_CASE("submit and evaluate: a file of 1 GB is refused in a sentence, before it is read", "[submit][cli]") {
  if (kSanitized) TALLY_SKIP("a sanitizer has no place in 300 MB of address space");
  const ScratchFolder folder;
  for (const char* name : {"huge.json", "huge.c", "mine/huge.c"}) fs::resize_file(folder.Write(name, ""), 1 << 30);  // of no blocks
  const std::string evaluate = BuildFolder() + "/bin/tally evaluate ";
  for (const std::string& command :
       {Command() + "huge.json", Command() + "--job huge.json", Command() + "- < huge.json", Command() + "--stack c --solution huge.c",
        Command() + "--stack c --solution mine", evaluate + "huge.json", evaluate + "- < huge.json", evaluate + "--stack c --solution huge.c"}) {
    CAPTURE(command);
    const CliResult result = Shell("ulimit -v 300000; " + command, {.directory = folder.path()});  // no broker is there
    CHECK(result.status == 1);
    CHECK(result.out.empty());
    CHECK(IsOneSentence(result.error));
    CHECK(Has(result.error, "larger than 32.0 MiB"));
  }
}

TEST_CASE("submit: a bad file among others is told and not sent, and the others are answered", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v18.request", Right);
  const ScratchFolder folder;
  folder.Write("in/bad.json", "\xff");
  folder.Write("in/good.json", "{}");
  const CliResult result = Submit("in --api-version 18", folder);
  CHECK(result.status == 1);
  CHECK(Has(result.error, "tally: in/bad.json: is not UTF-8 text (byte 0)"));
  CHECK(Has(result.error, "1 of 2 answered: 1 right, 0 wrong, 0 failed, 1 not sent; "));
}

TEST_CASE("submit --stack: the request is made from files and folders", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v19.request", EchoInAnswer);
  const ScratchFolder folder;
  folder.Write("src/de/example/Date.java", "class Date {}");
  folder.Write("src/Main.java", "żółw");
  folder.Write("src/.git/config", "hidden");
  folder.Write("tests/DateTest.java", "class DateTest {}");
  const auto request = [&](const std::string& arguments) {
    return Submit("--stack java --api-version 19 --json " + arguments, folder).json()["echo"];
  };
  const Json date{{"path", "de/example/Date.java"}, {"content", "class Date {}"}};
  const Json main{{"path", "Main.java"}, {"content", "żółw"}};
  Json got = request("--solution src --tests tests/DateTest.java --param level=2 --param empty=");
  CHECK(got["stack_ref"] == "java");
  CHECK(got["solution_files"] == Json::array({main, date}));
  CHECK(got["test_files"] == Json::array({{{"path", "DateTest.java"}, {"content", "class DateTest {}"}}}));
  CHECK(got["include_files"] == Json::array());
  CHECK(got["capability"] == Json{{"compile", true}, {"test", true}, {"style", false}});
  CHECK(got["params"] == Json{{"level", "2"}, {"empty", ""}});
  got = request("--solution src/de/example/Date.java src/Main.java --root src --style");
  CHECK(got["solution_files"] == Json::array({date, main}));
  CHECK(got["capability"] == Json{{"compile", false}, {"test", false}, {"style", true}});
  CHECK(request("--solution src/Main.java")["capability"]["test"] == false);
  // Tests that are given are run, with style as without.
  CHECK(request("--solution src --tests tests --style")["capability"] == Json{{"compile", true}, {"test", true}, {"style", true}});
  CHECK(request("--solution src --tests tests --compile --style")["capability"] == Json{{"compile", true}, {"test", false}, {"style", true}});
}

TEST_CASE("submit --stack: without --json the answer is for people", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v20.request",
                          [](const Message&) { return std::vector<std::string>{WrongAnswer()}; });
  const ScratchFolder folder;
  folder.Write("a.c", "");
  const CliResult result = Submit("--stack c --solution a.c --api-version 20", folder);
  CHECK(result.status == 0);
  CHECK(result.out == "compilation  failed\n  no\n");
}

TEST_CASE("submit --bench: rates and latencies, as a table and as JSON", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v21.request", Right);
  const ScratchFolder folder;
  folder.Write("a.json", "{}");
  const CliResult table = Submit("--bench 50 --rounds 3 a.json --api-version 21", folder);
  CHECK(table.status == 0);
  CHECK(Has(table.out, "50 requests, 100 at once\n"));
  CHECK(Has(table.out, "answered/s: median "));
  const Json json = Submit("--bench 50 --rounds 3 --window 5 --json a.json --api-version 21", folder).json();
  CHECK(json["requests"] == 50);
  CHECK(json["window"] == 5);
  REQUIRE(json["rounds"].size() == 3);
  for (const Json& round : json["rounds"]) {
    CHECK(round["answered"] == 50);
    CHECK(round["failed"] == 0);
    CHECK(round["answered_per_second"].get<double>() == Approx(50 / round["seconds"].get<double>()));
    CHECK(round["latency_seconds"]["median"] <= round["latency_seconds"]["worst"]);
  }
}

TEST_CASE("submit: a real worker evaluates what is made from files, and runs a job", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  WorkerRun worker({.queue = "tally.v23.job", .settings = "api_version: 23\ninstances: 1\n", .evaluations = true});
  REQUIRE(worker.Says("connected"));
  const ScratchFolder folder;
  folder.Write("echo.c", "#include <stdio.h>\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }\n");
  folder.Write("tests/in/1.in", "one\n");
  folder.Write("tests/out/1.out", "one\n");
  folder.Write("tests/in/2.in", "two\n");
  folder.Write("tests/out/2.out", "three\n");
  const CliResult evaluated = Submit("--stack io --solution echo.c --tests tests --api-version 23", folder);
  CHECK(evaluated.status == 0);
  CHECK(Has(evaluated.out, "compilation  ok\n"));
  CHECK(Has(evaluated.out, "tests        1 of 2 passed\n"));
  folder.Write("ping.json", R"({"job_type": "ping"})");
  const CliResult pinged = Shell("$TALLY submit --job ping.json --api-version 23",
                                 {.directory = folder.path(), .environment = BrokerEnvironment()});
  CHECK(pinged.status == 0);
  CHECK(pinged.json()["pong"] == "pong");
}

TEST_CASE("submit: a broker that is not there is a failure that names it", "[submit][cli]") {
  const ScratchFolder folder;
  folder.Write("a.json", "{}");
  const std::string port = std::to_string(FreePort());
  const CliResult result =
      Shell(Command() + "a.json",
            {.directory = folder.path(),
             .environment = {"EVA_DISPATCHER_RABBITMQ_HOST=127.0.0.1", "EVA_DISPATCHER_RABBITMQ_PORT=" + port}});
  CHECK(result.status == 2);
  CHECK(Has(result.error, "tally: failure: "));
  CHECK(Has(result.error, port));
}

TEST_CASE("submit --config: the broker of a worker's file, under what the environment and --host say", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "eva.v24.request", Right);
  const std::string port = std::to_string(Broker::Shared().port());
  const ScratchFolder folder;
  folder.Write("a.json", "{}");
  folder.Write("password", "guest\n");
  folder.Write("worker.yaml", "rabbitmq: {host: 127.0.0.1, port: " + port + ", password_file: " + folder.path() +
                                  "/password}\napi_version: 24\nmax_request_size: 1k\ninstances: 3\n");
  const auto run = [&](const std::string& arguments, const Words& environment = {}) {
    return Shell(Command() + "a.json " + arguments, {.directory = folder.path(), .environment = environment});
  };
  CHECK(run("--config worker.yaml").status == 0);
  CHECK(run("--config worker.yaml", {"EVA_DISPATCHER_RABBITMQ_PORT=1"}).status == 2);
  CHECK(run("--config worker.yaml --host 127.0.0.1", {"EVA_DISPATCHER_RABBITMQ_HOST=nowhere.invalid"}).status == 0);
  folder.Write("a.json", std::string(1025, ' '));
  CHECK(Has(run("--config worker.yaml").error, "a.json: is larger than 1.0 KiB"));
  folder.Write("worker.yaml", "rabbitmq: {hots: x}\n");
  CHECK(run("--config worker.yaml").error.starts_with("tally: worker.yaml:1:"));
}

TEST_CASE("submit: Ctrl-C ends it as a signal does, and its queue goes", "[submit][cli]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  std::atomic<bool> here = false;
  std::string answers;
  const FakeWorker worker(Broker::Shared().address(), "eva.v22.request", [&](const Message& message) {
    answers = message.properties.reply_to;
    here = true;
    here.notify_all();
    return std::vector<std::string>{};
  });
  const ScratchFolder folder;
  const std::string request = folder.Write("a.json", "{}"), executable = BuildFolder() + "/bin/tally-dispatcher",
                    port = std::to_string(Broker::Shared().port());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("EVA_DISPATCHER_RABBITMQ_PORT", port.c_str(), 1);
    ::setenv("EVA_DISPATCHER_RABBITMQ_HOST", "127.0.0.1", 1);
    ::alarm(20);
    ::execl(executable.c_str(), "tally", "submit", "--api-version", "22", request.c_str(), nullptr);
    ::_exit(127);
  }
  here.wait(false);
  CHECK(Broker::Shared().MessagesIn(answers).has_value());
  ::kill(pid, SIGINT);
  int status = 0;
  ::waitpid(pid, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK_FALSE(Broker::Shared().MessagesIn(answers).has_value());
}

}  // namespace
}  // namespace tally
