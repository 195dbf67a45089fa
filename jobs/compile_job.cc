// The compile job: source_file in, out_file, compiler_output, result_code OK or CE and exec_info out.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "jobs/compilation.h"
#include "jobs/exec_options.h"
#include "jobs/files.h"
#include "jobs/job.h"

namespace tally {
namespace {

std::string BaseName(const std::string& name) {
  return std::filesystem::path(name.substr(0, name.find('@'))).filename();
}

// SIO's three forms: one path, a list of them, or an object by language code.
std::vector<std::pair<std::string, std::string>> FetchList(const JobFiles& files, const Environ& environ,
                                                           std::string_view key) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& name : environ.TextList(key)) out.emplace_back(BaseName(name), files.Fetch(key, name));
  return out;
}

CompileRequest ReadRequest(const Environ& environ, const JobFiles& files) {
  CompileRequest request;
  request.source_name = BaseName(environ.Text("source_file"));
  request.source = files.Fetch("source_file", environ.Text("source_file"));
  request.compiler = environ.TextOr("compiler", "");
  request.more_sources = FetchList(files, environ, "additional_sources");
  request.more_files = FetchList(files, environ, "additional_includes");
  for (const auto& [name, path] : environ.TextMap("extra_files")) {
    request.more_files.emplace_back(name, files.Fetch("extra_files." + name, path));
  }
  request.extra_args = environ.TextList("extra_compilation_args");
  if (const auto ms = BoundedCount(environ, "compilation_time_limit", "ms", kLargestMilliseconds)) request.time = Milliseconds(*ms);
  if (const auto ms = BoundedCount(environ, "compilation_real_time_limit", "ms", kLargestMilliseconds)) request.wall = Milliseconds(*ms);
  if (const auto kib = BoundedCount(environ, "compilation_mem_limit", "kB", kLargestKib)) request.memory = Bytes::KiB(*kib);
  if (const auto bytes = BoundedCount(environ, "compilation_result_size_limit", "bytes", kLargestBytes)) request.result_size = Bytes{*bytes};
  if (const auto bytes = BoundedCount(environ, "compilation_output_limit", "bytes", kLargestBytes)) {
    request.output_kept = Bytes{std::min<std::uint64_t>(*bytes, 16ULL << 20)};
  }
  return request;
}

}  // namespace

void RunCompileJob(Environ* environ) {
  const JobFiles files(*environ);
  const CompileRequest request = ReadRequest(*environ, files);
  const std::string out_name = environ->Text("out_file");
  const TemporaryDirectory directory;
  const CompileResult result = Compile(request, directory);
  environ->Set("compiler_output", result.output);
  environ->Set("result_code", Name(result.ok ? ResultCode::kOk : ResultCode::kCe));
  environ->Set("result_string", result.sentence);
  environ->Set("compiler_used", result.compiler);
  if (!result.ok) return;
  environ->Set("out_file", files.Publish("out_file", out_name, result.program, 0755));
  std::vector<std::pair<std::string, std::string>> info{{"mode", result.info.mode}};
  if (!result.info.main_class.empty()) info.emplace_back("main_class", result.info.main_class);
  if (!result.info.preferred_filename.empty()) info.emplace_back("preferred_filename", result.info.preferred_filename);
  environ->SetMap("exec_info", info);
}

}  // namespace tally
