#include "jobs/series_programs.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

void WriteFile(const std::string& path, std::string_view text) {
  const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  sys::WriteAll(file.get(), text, path);
}

std::string CommandText(const CompilerSpec& spec) {
  std::string out;
  for (const CommandTemplate& command : spec.compile) {
    out += out.empty() ? "" : "; ";
    for (const std::string& word : command) out += (&word == &command.front() ? "" : " ") + word;
  }
  std::erase_if(out, [](char c) { return c == '{' || c == '}'; });
  return out;
}

}  // namespace

CompilerSpec WithDebugInformation(CompilerSpec spec) {
  if (spec.language != "c" && spec.language != "cpp") return spec;
  for (CommandTemplate& command : spec.compile) {
    std::erase(command, "-s");
    if (!command.empty()) command.insert(command.begin() + 1, "-g");
  }
  return spec;
}

SeriesProgram::SeriesProgram(std::string key, const ProgramText& text, const BuildOptions& options)
    : key_(std::move(key)) {
  if (!text.file.empty() && !fs::is_regular_file(text.file)) {
    throw UserError(fmt::format("{}: {}: no such file", key_, text.file));
  }
  for (unsigned i = 0; i < options.attempts && !compilation_.ok; ++i) CompileOnce(text, options);
}

void SeriesProgram::CompileOnce(const ProgramText& text, const BuildOptions& options) {
  if (!text.file.empty() && text.language.empty() && !IsSource(text.file)) {  // an executable is run as it is
    compilation_.ok = true;
    compilation_.compiler = compilation_.language = "executable";
    compilation_.program = fs::absolute(text.file);
    return;
  }
  directories_.push_back(std::make_unique<TemporaryDirectory>());
  CompileRequest request{.source_name = text.file, .compiler = text.language, .isolation = options.isolation};
  if (!text.file.empty()) {
    request.source = fs::absolute(text.file);
  } else {
    request.source = directories_.back()->File("code");
    request.source_name = key_;
    WriteFile(request.source, text.code);
  }
  const CompilerStore store;
  CompilerSpec spec = ChooseCompiler(store, request);
  if (options.debug) spec = WithDebugInformation(std::move(spec));
  command_ = CommandText(spec);
  compilation_ = Compile(request, spec, *directories_.back());
}

void SeriesProgram::RequireCompiled() const {
  if (!compilation_.ok) throw UserError(fmt::format("{}: {}", key_, compilation_.sentence), compilation_.output);
}

std::unique_ptr<Program> SeriesProgram::Ready(const ExecOptions& options,
                                              const std::vector<std::string>& arguments) const {
  auto program = std::make_unique<Program>(key_, compilation_.program, compilation_.info, options);
  program->AddArguments(arguments);
  return program;
}

}  // namespace tally
