// Requests as strangers may send them: jobs and evaluations whose values, keys, headers and sizes were changed at random. Each is answered, once;
// the worker and its instances keep their memory, and nothing is left. TALLY_REQUESTS=10000 sends so many, TALLY_SEED begins elsewhere.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/sys.h"
#include "supervisor/resources/proc_status.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"
#include "tests/support/worker_run.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::uint64_t NumberFrom(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  Message Next(const std::vector<Json>& originals) {
    Json request = originals[Below(originals.size())];
    for (std::size_t changes = Below(4); changes > 0; --changes) Change(&request);
    Message message;
    message.body = request.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (Below(20) == 0) Cut(&message.body);
    if (Below(200) == 0) message.body += std::string(2 << 20, ' ');
    if (Below(4) == 0) Head(&message.properties);
    return message;
  }

 private:
  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }

  // What readers stumble over.
  Json Hostile() {
    switch (Below(16)) {
      case 0: return nullptr;
      case 1: return "";
      case 2: return std::string(Below(100'000), 'x');
      case 3: return -1;
      case 4: return 1e308;
      case 5: return std::numeric_limits<std::uint64_t>::max();
      case 6: return "../../../etc/passwd";
      case 7: return "/dev/zero";
      case 8: return Json::array({Json::array({Json::array()}), Json::object()});
      case 9: return std::string("\0a\x1b[31m\x7f\r\n", 10);
      case 10: return "\xed\xa0\x80\xff";
      case 11: return Below(2) == 0;
      case 12: return Json::object({{"", ""}, {"compile", 1}, {"path", "a"}});
      case 13: return 0;
      case 14: return "999999999999999999999999";
      default: return Json(std::vector<int>(Below(2000), 7));
    }
  }

  // A key or a value somewhere in the tree.
  void Change(Json* json) {
    while (!json->empty() && (json->is_object() || json->is_array()) && Below(3) != 0) {
      auto inside = json->begin();
      std::advance(inside, static_cast<std::ptrdiff_t>(Below(json->size())));
      if (json->is_object() && Below(6) == 0) {
        json->erase(inside);
        return;
      }
      json = &*inside;
    }
    if (json->is_object() && Below(3) == 0) {
      (*json)[Below(2) == 0 ? "job_type" : std::string(Below(300), 'k')] = Hostile();
    } else {
      *json = Hostile();
    }
  }

  void Cut(std::string* body) {
    if (body->empty()) return;
    if (Below(2) == 0) body->resize(Below(body->size()));
    for (std::uint64_t i = Below(4); i > 0 && !body->empty(); --i) (*body)[Below(body->size())] = static_cast<char>(Below(256));
  }

  void Head(MessageProperties* properties) {
    for (const std::string& name : {std::string("x-tally-tries"), std::string("x-tally-user"), std::string(Below(100), 'h')}) {
      Json value = Hostile();
      if (value.dump(-1, ' ', false, Json::error_handler_t::replace).size() < 10'000) properties->headers[name] = std::move(value);  // a frame has 128 KiB
    }
    properties->content_type = Below(2) == 0 ? "text/html" : std::string(200, 't');
    properties->content_encoding = Below(2) == 0 ? "gzip" : "";
    properties->type = std::string(Below(200), 'y');
    properties->message_id = std::string(Below(200), 'm');
    properties->priority = static_cast<std::uint8_t>(Below(256));
    properties->timestamp = random_();
  }

  std::mt19937_64 random_;
};

std::vector<Json> Originals() {
  const std::string program = EncodeBase64(sys::ReadFile(TestProgram("exit_zero")));
  return {Json{{"job_type", "ping"}, {"ping", "x"}},
          Json{{"job_type", "exec"}, {"exe_file", "/p"}, {"in_file", "/in"}, {"out_file", "/o"}, {"inline_out", true}, {"exec_time_limit", 500}, {"exec_mem_limit", 65536},
               {"exec_real_time_limit", 2000}, {"exec_info", {{"mode", "executable"}}}, {"check_output", true}, {"hint_file", "/in"},
               {"inline_files", {{"/p", program}, {"/in", EncodeBase64("1 2\n")}}}},
          Json{{"job_type", "vcpu-exec"}, {"exe_file", "/p"}, {"exec_time_limit", 500}, {"inline_files", {{"/p", program}}}},
          Json{{"job_type", "compile"}, {"compiler", "c11"}, {"source_file", "/a.c"}, {"out_file", "/o"}, {"inline_out", true}, {"extra_compilation_args", {"-O0"}},
               {"compilation_time_limit", 5000}, {"inline_files", {{"/a.c", EncodeBase64("int main;\n")}}}},
          Json{{"stack_ref", "c-assert"}, {"solution_files", {{{"path", "a.c"}, {"content", "int a;"}}}}, {"include_files", Json::array()},
               {"test_files", {{{"path", "t.c"}, {"content", "int main(void) { return 0; }"}}}}, {"capability", {{"compile", true}, {"test", false}, {"style", false}}},
               {"params", {{"case_timeout", "1"}}}}};
}

std::uint64_t ResidentKib(pid_t process) { return NumberInStatus(ReadProcStatus(process).value_or(""), "VmRSS").value_or(0); }

std::size_t FilesIn(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
  return count;
}

TEST_CASE("mutated requests: each is answered once, whatever is in it, and nothing grows or is left", "[mutated]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const std::uint64_t requests = NumberFrom("TALLY_REQUESTS", 150), seed = NumberFrom("TALLY_SEED", 1);
  constexpr std::size_t kInFlight = 50;
  const JobQueue queue("mutated");
  WorkerRun worker({.queue = queue.name(),
                    .settings = "instances: 2\nmax_request_size: 1M\ntries: 2\nauto_shutdown: 20s\napi_version: 4242\nbounds: {time: 2s, stored: 1M}\n",
                    .evaluations = true});
  REQUIRE(worker.Says("connected"));
  REQUIRE(worker.Says("an instance is ready", 2));
  TestClient client(Broker::Shared());
  Mutator mutator(seed);
  const std::vector<Json> originals = Originals();
  std::map<std::string, std::string> open;  // what was sent, by correlation id
  std::uint64_t sent = 0, answered = 0, resident_before = 0;
  const auto all_resident = [&worker] {
    std::uint64_t sum = ResidentKib(worker.pid());
    for (const pid_t instance : worker.instances()) sum += ResidentKib(instance);
    return sum;
  };
  while (answered < requests) {
    while (sent < requests && open.size() < kInFlight) {
      Message message = mutator.Next(originals);
      message.properties.correlation_id = fmt::format("m{}", sent++);
      message.properties.reply_to = client.reply_queue();
      open[message.properties.correlation_id] = message.body.substr(0, 2000);
      client.Publish(message.body.find("stack_ref") != std::string::npos ? "eva.v4242.request" : queue.name(), message);
    }
    const auto answers = client.Await(1);
    REQUIRE_FALSE(answers.empty());
    for (const auto& [id, all] : answers) {
      CAPTURE(id, seed);
      INFO(open[id]);
      CHECK(all.size() == 1);
      REQUIRE(open.erase(id) == 1);
      CHECK((all.front().contains("result_code") || all.front().contains("pong") || all.front().contains("success")));
      CHECK(all.front().value("result_string", "").find("given up after") == std::string::npos);  // no instance died
      ++answered;
    }
    if (resident_before == 0 && answered >= requests / 3) resident_before = all_resident();
  }
  CHECK(client.Await(1, Milliseconds(300)).empty());
  const std::uint64_t resident_after = all_resident();
  CAPTURE(resident_before, resident_after);
  if (!kSanitized) CHECK(resident_after < resident_before + (16 << 10));  // a sanitizer keeps what was freed, up to 256 MiB
  CHECK(FilesIn(worker.work_folder()) <= 2);  // what marks the folder as a worker's
  CHECK(Broker::Shared().MessagesIn(queue.dead()) == 0u);
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  CHECK_FALSE(fs::exists(worker.work_folder() + "/instance-0"));
}

}  // namespace
}  // namespace tally
