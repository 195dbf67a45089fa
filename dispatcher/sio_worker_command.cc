// `tally sio-worker`: takes jobs from a sioworkersd and answers them, until somebody ends it (SIGTERM; twice: at once).
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "dispatcher/commands.h"
#include "dispatcher/sio_worker.h"

namespace tally {
namespace {

std::string HostName() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

struct Arguments {
  SioWorkerConfig config;
  std::string log = "text";
  bool no_cpu_exec = false;
};

int Run(Arguments a) {
  if (a.log != "text" && a.log != "json") throw UserError(fmt::format("--log: \"{}\": expected text or json", a.log));
  a.config.log = a.log == "json" ? LogForm::kJson : LogForm::kText;
  a.config.can_run_cpu_exec = !a.no_cpu_exec;
  if (a.config.name.empty()) a.config.name = HostName();
  if (a.config.concurrency == 0 || a.config.concurrency > 256) throw UserError("--concurrency: expected 1 to 256");
  SioWorker(a.config).Run();
  return kExitJobRan;
}

constexpr const char* kFooter =
    "Files come from the filetracker server of FILETRACKER_URL (docs/jobs.md). Example:\n"
    "  FILETRACKER_URL=http://sio.example:9999 tally sio-worker --host sio.example --concurrency 2";

}  // namespace

void AddSioWorkerCommand(CommandLine* line) {
  Command command = line->Add("sio-worker", "Take jobs from a sioworkersd, and answer them");
  auto a = std::make_shared<Arguments>();
  command.Footer(kFooter);
  command.Option("--host", a->config.host, "Where it listens (default 127.0.0.1)");
  command.Option("--port", a->config.port, "On which port (default 7888)");
  command.Option("--name", a->config.name, "What the server calls this worker (default: this machine's name)");
  command.Option("--concurrency", a->config.concurrency, "Jobs at one time (default 1)");
  command.Flag("--no-cpu-exec", a->no_cpu_exec, "No jobs that are judged by real time");
  command.Flag("--plain-paths", a->config.plain_paths, "Jobs may name files of this machine");
  command.Flag("--weak-isolation", a->config.weak_isolation, "Jobs may ask for less than full isolation");
  command.Option("--work-folder", a->config.work_folder, "For temporary files (default: TMPDIR, /tmp)");
  command.Option("--log", a->log, "On stderr").OneOf("text|json");
  command.Does([a] { return Run(*a); });
}

}  // namespace tally
