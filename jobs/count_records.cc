#include "jobs/count_records.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/exec_options.h"
#include "jobs/files.h"
#include "jobs/program.h"
#include "sandboxes/sandbox_store.h"
#include "sandboxes/sha256.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::string SumOf(const char* what, const std::string& path) {
  if (!fs::is_regular_file(path)) throw UserError(fmt::format("{}: {}: no such file", what, path));
  const Fd file = sys::Open(path, O_RDONLY);
  Sha256 sum;
  sum.Update(sys::MapFile(file.get(), path).text());
  return sum.Finish();
}

// Of the archive that the sandbox's root file system comes from: what a dynamic program executes besides itself.
std::optional<std::string> SumOfSandbox(const Environ& options) {
  const auto name = options.OptionalText("sandbox");
  const std::optional<ImageArchive> archive = name ? SandboxStore().Describe(*name).archive : std::nullopt;
  return archive ? std::optional(archive->sha256) : std::nullopt;
}

RunResult RunCounted(const CountRequest& request) {
  const ExecOptions options = ReadExecOptions(ExecKind::kVcpuExec, request.options);
  Program program("program", request.program, ExecInfo(), options);
  program.AddArguments(request.arguments);
  const TemporaryDirectory directory;
  const Fd in = sys::Open(request.input.empty() ? "/dev/null" : request.input, O_RDONLY);
  const Fd out = sys::Open(directory.File("out"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  return program.Run(in.get(), out.get(), -1);
}

// What is compared: everything that is the same each time.
constexpr std::string_view kFigures[] = {"result_code", "exectime_used", "num_syscalls", "exit_code", "exit_signal"};

std::string Absolute(const std::string& file, const std::string& path) {
  return fs::absolute(file).parent_path() / path;
}

CountRequest RequestOf(const std::string& file, const Environ& record) {
  CountRequest request;
  request.program = Absolute(file, record.Text("exe_file"));
  request.arguments = record.TextList("arguments");
  if (const auto input = record.OptionalText("in_file")) request.input = Absolute(file, *input);
  request.options = Environ::Parse(record.Dump(), file);
  return request;
}

}  // namespace

void RecordCount(const std::string& file, const CountRequest& request) {
  Environ record = Environ::Parse(request.options.Dump(), file);
  const fs::path folder = fs::absolute(file).parent_path();
  record.Set("exe_file", fs::relative(request.program, folder).string());
  record.Set("exe_sha256", SumOf("program", request.program));
  record.object()["arguments"] = request.arguments;
  if (!request.input.empty()) {
    record.Set("in_file", fs::relative(request.input, folder).string());
    record.Set("in_sha256", SumOf("--stdin", request.input));
  }
  if (const auto sum = SumOfSandbox(request.options)) record.Set("sandbox_sha256", *sum);
  const RunResult result = RunCounted(request);
  if (!result.count_varies.empty()) {
    throw UserError(fmt::format("{}: its count may vary, so it is not recorded: {}", request.program, result.count_varies));
  }
  Environ figures;
  WriteRunResult(ExecKind::kVcpuExec, result, &figures);
  for (const std::string_view key : kFigures) {
    if (figures.Has(key)) record.object()[std::string(key)] = figures.object()[std::string(key)];
  }
  const std::string line = record.object().dump() + "\n";
  sys::WriteAll(sys::Open(file, O_WRONLY | O_CREAT | O_APPEND, 0666).get(), line, file);
}

std::vector<std::string> VerifyCount(const std::string& file, const Environ& record) {
  const CountRequest request = RequestOf(file, record);
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view what, const std::string& recorded, const std::string& now) {
    if (recorded != now) differences.push_back(fmt::format("{} {} was recorded, now it is {}", what, recorded, now));
  };
  compare("exe_sha256", record.Text("exe_sha256"), SumOf("exe_file", request.program));
  if (!request.input.empty()) compare("in_sha256", record.Text("in_sha256"), SumOf("in_file", request.input));
  if (const auto sum = record.OptionalText("sandbox_sha256")) {
    compare("sandbox_sha256", *sum, SumOfSandbox(request.options).value_or("none"));
  }
  if (!differences.empty()) return differences;  // another program counts otherwise

  const RunResult result = RunCounted(request);
  Environ figures;
  WriteRunResult(ExecKind::kVcpuExec, result, &figures);
  const auto text = [](const Environ& environ, std::string_view key) {
    return environ.Has(key) ? environ.object()[std::string(key)].dump() : std::string("none");
  };
  for (const std::string_view key : kFigures) {
    // Other counters do not see the calls that the policy answers (docs/results.md).
    if (key == "num_syscalls" && result.syscall_counter != "translator") continue;
    compare(key, text(record, key), text(figures, key));
  }
  if (!result.count_varies.empty()) differences.push_back("the count may vary: " + result.count_varies);
  return differences;
}

std::vector<Environ> ReadCountRecords(const std::string& file) {
  if (!fs::is_regular_file(file)) throw UserError(fmt::format("{}: no such file", file));
  std::vector<Environ> records;
  std::istringstream lines(sys::ReadFile(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty()) records.push_back(Environ::Parse(line, fmt::format("{}:{}", file, number)));
  }
  return records;
}

}  // namespace tally
