// From a description's command templates to the command lines that are run: {placeholders} are filled in.
// {sources} and {extra_args} stand alone and become any number of arguments; no shell is ever involved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "compilers/compiler_spec.h"
#include "compilers/toolchain.h"

namespace tally {

struct SourceNames {
  std::string file;        // what the source must be called in the work folder
  std::string main_class;  // "" where the language has none
  bool has_main = true;    // false: the language has one, and the text does not
};

// For Java the names follow the public class in the text.
SourceNames NamesFor(const CompilerSpec& spec, std::string_view source_text);

// File names are relative to the work folder. Extra sources lie in the work folder too; a language without
// {sources} in its commands finds them by itself.
struct CompileInputs {
  SourceNames source;
  std::vector<std::string> sources;
  std::vector<std::string> extra_args;
};

// To be run one after the other in the work folder. UserError when there are extra arguments and the language
// takes none.
std::vector<std::vector<std::string>> CompileCommands(const CompilerSpec& spec, const Toolchain& toolchain,
                                                      const CompileInputs& inputs);

// `program` as the program itself will see its path. Without a memory limit, arguments with {memory_mb} are
// left out.
std::vector<std::string> RunCommand(const CompilerSpec& spec, const Toolchain& toolchain,
                                    const std::string& program, std::optional<Bytes> memory,
                                    const std::string& main_class = "");

// Empty when the description has none.
std::vector<std::string> VersionCommand(const CompilerSpec& spec, const Toolchain& toolchain);

}  // namespace tally
