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

CompileRequest ReadRequest(const Environ& environ, const JobFiles& files) {
  CompileRequest request;
  request.source_name = BaseName(environ.Text("source_file"));
  request.source = files.Fetch("source_file", environ.Text("source_file"));
  request.compiler = environ.TextOr("compiler", "");
  request.isolation = ParseIsolation("isolation", environ.TextOr("isolation", "full"));
  if (const auto ms = BoundedCount(environ, "compilation_time_limit", "ms", kLargestMilliseconds)) request.time = Milliseconds(*ms);
  if (const auto ms = BoundedCount(environ, "compilation_real_time_limit", "ms", kLargestMilliseconds)) request.wall = Milliseconds(*ms);
  if (const auto kib = BoundedCount(environ, "compilation_mem_limit", "kB", kLargestKib)) request.memory = Bytes::KiB(*kib);
  if (const auto bytes = BoundedCount(environ, "compilation_result_size_limit", "bytes", kLargestBytes)) request.result_size = Bytes{*bytes};
  if (const auto bytes = BoundedCount(environ, "compilation_output_limit", "bytes", kLargestBytes)) {
    request.output_kept = Bytes{std::min<std::uint64_t>(*bytes, 16ULL << 20)};
  }
  return request;
}

std::vector<MoreFile> FetchList(const JobFiles& files, const Environ& environ, const std::string& key,
                                const std::string& language) {
  std::vector<MoreFile> out;
  for (const std::string& name : environ.TextListFor(key, language)) {
    out.push_back({key, BaseName(name), files.Fetch(key, name)});
  }
  return out;
}

// What may differ between the languages of one problem.
void ReadByLanguage(const Environ& environ, const JobFiles& files, const std::string& language,
                    CompileRequest* request) {
  request->more_sources = FetchList(files, environ, "additional_sources", language);
  request->more_files = FetchList(files, environ, "additional_includes", language);
  for (const auto& [name, path] : environ.TextMap("extra_files")) {
    request->more_files.push_back({"extra_files", name, files.Fetch("extra_files." + name, path)});
  }
  if (const std::string archive = environ.TextOr("additional_archive", ""); !archive.empty()) request->more_archive = files.Fetch("additional_archive", archive);
  request->extra_args = environ.TextListFor("extra_compilation_args", language);
}

}  // namespace

void RunCompileJob(Environ* environ) {
  const JobFiles files(*environ);
  CompileRequest request = ReadRequest(*environ, files);
  const CompilerStore compilers;
  const CompilerSpec& compiler = ChooseCompiler(compilers, request);
  ReadByLanguage(*environ, files, compiler.language, &request);
  const std::string out_name = environ->Text("out_file");
  const TemporaryDirectory directory;
  const CompileResult result = Compile(request, compiler, directory);
  environ->Set("compiler_output", result.output);
  environ->Set("result_code", Name(result.ok ? ResultCode::kOk : ResultCode::kCe));
  environ->Set("result_string", result.sentence);
  environ->Set("compiler_used", result.compiler);
  environ->Set("isolation_used", result.isolation);
  if (!result.ok) return;
  environ->Set("out_file", files.Publish("out_file", out_name, result.program, 0755));
  std::vector<std::pair<std::string, std::string>> info{{"mode", result.info.mode}};
  if (!result.info.main_class.empty()) info.emplace_back("main_class", result.info.main_class);
  if (!result.info.preferred_filename.empty()) info.emplace_back("preferred_filename", result.info.preferred_filename);
  environ->SetMap("exec_info", info);
}

}  // namespace tally
