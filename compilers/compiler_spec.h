// A language as its description says it: which tools it needs, how a source becomes a program and how that
// program is run. Pure data; whether the tools are on this machine is Probe's question (toolchain.h), what a
// command looks like in the end is command_line.h's. Keys: docs/compilers.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_fields.h"
#include "supervisor/api/run_request.h"

namespace tally {

// A command line whose {placeholders} are still to be filled in.
using CommandTemplate = std::vector<std::string>;

enum class ResultKind : std::uint8_t {
  kExecutable,  // an ELF file that runs by itself
  kJar,         // a Java archive that names its main class
  kScript,      // the source itself; compiling only checks it
};

// How a compiled program is run; the limits are the task's, not the language's.
struct ProgramSpec {
  CommandTemplate command;      // {program} {memory_mb} {main_class} {TOOL}
  std::string sandbox;          // "" = whichever the job uses
  std::uint32_t processes = 1;  // processes and threads the runtime itself needs
  MemoryBy memory_by = MemoryBy::kAuto;
  Bytes own_memory;                // that the runtime itself takes, and {memory_mb} is without
  std::optional<int> memory_exit;  // the exit status with which the runtime ends when its memory is full
  std::vector<std::string> env;  // "KEY=value", added to the sandbox's
};

struct CompilerSpec {
  std::string name;                     // "cpp20", the file's name
  std::string title;                    // "C++20 (GCC)"
  std::string language;                 // code in contest systems' keys: "cpp"
  std::string file;                     // the description's path
  std::vector<std::string> extensions;  // of sources, lower case, without the dot
  std::vector<std::string> aliases;
  bool is_default = false;         // for its extensions
  std::vector<std::string> tools;  // what must be on this machine; {NAME} in commands
  std::string package;             // what to install when a tool is absent

  std::string source_name;               // "a.cpp"; with {main_class} it follows the source's text
  std::string output_name;               // what to fetch after the last command; a script's source_name
  std::vector<CommandTemplate> compile;  // one after the other, the first failure is a CE
  std::vector<std::string> env;          // "KEY=value", added to the sandbox's
  Limits limits;                         // of each command
  MemoryBy memory_by = MemoryBy::kAuto;
  std::string sandbox;
  ResultKind result = ResultKind::kExecutable;

  ProgramSpec run;
  CommandTemplate version;  // prints the version; empty: not known
};

// "{pypy3}" is how commands call the tool "/opt/pypy/bin/pypy3".
std::string ToolName(std::string_view tool);

CompilerSpec ReadCompilerSpec(YamlMap yaml, const std::string& name);

}  // namespace tally
