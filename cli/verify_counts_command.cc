// `tally verify-counts FILE`: does this machine count what was recorded? `--record FILE -- PROGRAM` records.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "jobs/count_records.h"

namespace tally {
namespace {

struct VerifyArguments {
  std::vector<std::string> words;  // FILE, or with --record the program and its arguments
  std::optional<std::string> record, stdin_file, sandbox, cpu_model, counter;
  std::optional<std::uint64_t> seed, schedule_seed;
};

int Record(const VerifyArguments& a) {
  CountRequest request;
  request.program = a.words.front();
  request.arguments.assign(a.words.begin() + 1, a.words.end());
  request.input = a.stdin_file.value_or("");
  if (a.sandbox) request.options.Set("sandbox", *a.sandbox);
  if (a.cpu_model) request.options.Set("cpu_model", *a.cpu_model);
  if (a.seed) request.options.Set("seed", *a.seed);
  if (a.schedule_seed) request.options.Set("schedule_seed", *a.schedule_seed);
  RecordCount(*a.record, request);
  return kExitJobRan;
}

int Verify(const VerifyArguments& a) {
  if (a.words.size() != 1) throw UserError("verify-counts: expected one file of records; to make one, see --record");
  const std::string& file = a.words.front();
  const std::vector<Environ> records = ReadCountRecords(file);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Environ record = Environ::Parse(records[i].Dump(), file);
    if (a.counter) record.Set("counter", *a.counter);
    const std::vector<std::string> differences = VerifyCount(file, record);
    for (const std::string& sentence : differences) {
      fmt::print("record {}: {}: {}\n", i + 1, record.Text("exe_file"), sentence);
    }
    if (!differences.empty()) ++differing;
  }
  fmt::print("{} of {} as recorded\n", records.size() - differing, records.size());
  return differing == 0 ? kExitJobRan : kExitNotAsExpected;
}

constexpr const char* kFooter =
    "Exit status: 0 all are as recorded; 1 your mistake; 2 our or the host's failure; 3 some are not as recorded. Examples:\n"
    "  tally verify-counts --record counts.jsonl --stdin 1.in -- ./solution\n"
    "  tally verify-counts counts.jsonl";

}  // namespace

void AddVerifyCountsCommand(CommandLine* line) {
  Command command = line->Add("verify-counts", "Run recorded programs again and compare their counts");
  auto a = std::make_shared<VerifyArguments>();
  command.Footer(kFooter);
  command.Option("words", a->words, "The file of records; with --record the program and its arguments, behind --").Required();
  command.Option("--record", a->record, "Count the program and append its record to this file");
  command.Option("--stdin", a->stdin_file, "File for the stdin of what is recorded (default: empty)");
  command.Option("--sandbox", a->sandbox, "The sandbox of what is recorded (default vcpu_exec-sandbox)").OneOf("SANDBOX");
  command.Option("--cpu", a->cpu_model, "The processor it sees").OneOf("x86-64-v3|x86-64-v2|x86-64-v4");
  command.Option("--seed", a->seed, "Decides its random numbers (default 0)");
  command.Option("--schedule-seed", a->schedule_seed, "Decides the turns of its threads and processes (default 0)");
  command.Option("--counter", a->counter, "Verify with another counter than the translator").OneOf("translator|step");
  command.Does([a] { return a->record ? Record(*a) : Verify(*a); });
}

}  // namespace tally
