#include "compilers/command_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compilers/java_entry.h"
#include "compilers/placeholders.h"

namespace tally {
namespace {

constexpr std::string_view kMainClass = "{main_class}";

// A file name that looks like an option must not become one.
std::string AsFileName(const std::string& name) { return name.rfind('-', 0) == 0 ? "./" + name : name; }

std::vector<std::string> Expand(const CommandTemplate& command, const PlaceholderValues& values,
                                const CompileInputs* inputs) {
  std::vector<std::string> out;
  for (const std::string& word : command) {
    if (inputs != nullptr && word == "{sources}") {
      for (const std::string& source : inputs->sources) out.push_back(AsFileName(source));
    } else if (inputs != nullptr && word == "{extra_args}") {
      out.insert(out.end(), inputs->extra_args.begin(), inputs->extra_args.end());
    } else {
      out.push_back(FillIn(word, values));
    }
  }
  return out;
}

bool HasWord(const std::vector<CommandTemplate>& commands, std::string_view word) {
  return std::any_of(commands.begin(), commands.end(), [&](const CommandTemplate& command) {
    return std::find(command.begin(), command.end(), word) != command.end();
  });
}

}  // namespace

SourceNames NamesFor(const CompilerSpec& spec, std::string_view source_text) {
  if (spec.source_name.find(kMainClass) == std::string::npos) return {spec.source_name, ""};
  const JavaEntry entry = FindJavaEntry(source_text);
  return {FillIn(spec.source_name, {{"main_class", entry.file_stem}}), entry.main_class, entry.has_main};
}

std::vector<std::vector<std::string>> CompileCommands(const CompilerSpec& spec, const Toolchain& toolchain,
                                                      const CompileInputs& inputs) {
  if (!inputs.extra_args.empty() && !HasWord(spec.compile, "{extra_args}")) {
    throw UserError(fmt::format("extra_compilation_args: compiler {} takes none ({} has no {{extra_args}})",
                                spec.name, spec.file));
  }
  PlaceholderValues values = toolchain.tools;
  values.emplace_back("source", AsFileName(inputs.source.file));
  values.emplace_back("output", spec.output_name);
  values.emplace_back("main_class", inputs.source.main_class);
  std::vector<std::vector<std::string>> out;
  for (const CommandTemplate& command : spec.compile) out.push_back(Expand(command, values, &inputs));
  return out;
}

std::vector<std::string> RunCommand(const CompilerSpec& spec, const Toolchain& toolchain,
                                    const std::string& program, std::optional<Bytes> memory,
                                    const std::string& main_class) {
  PlaceholderValues values = toolchain.tools;
  values.emplace_back("program", program);
  values.emplace_back("main_class", main_class);
  CommandTemplate command = spec.run.command;
  if (memory) {
    // Of a small limit there is an eighth left at least: the runtime says what it lacks better than we would.
    const std::uint64_t left = std::max(memory->count - std::min(memory->count, spec.run.own_memory.count), memory->count / 8);
    values.emplace_back("memory_mb", std::to_string(std::max<std::uint64_t>(1, Bytes{left}.kib() / 1024)));
  } else {
    std::erase_if(command,
                  [](const std::string& word) { return word.find("{memory_mb}") != std::string::npos; });
  }
  return Expand(command, values, nullptr);
}

std::vector<std::string> VersionCommand(const CompilerSpec& spec, const Toolchain& toolchain) {
  return Expand(spec.version, toolchain.tools, nullptr);
}

}  // namespace tally
