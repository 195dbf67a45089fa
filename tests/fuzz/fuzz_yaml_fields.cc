// Descriptions of sandboxes and compilers from arbitrary bytes: each ends as a value or as a UserError,
// quickly and without touching anything outside the YAML reader but stat(2).
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "compilers/command_line.h"
#include "compilers/compiler_spec.h"
#include "compilers/java_entry.h"
#include "sandboxes/sandbox_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    tally::ReadSandboxSpec(tally::YamlMap::FromText(text, "fuzz.yaml"), "fuzz");
  } catch (const tally::UserError&) {
  }
  try {
    const tally::CompilerSpec spec =
        tally::ReadCompilerSpec(tally::YamlMap::FromText(text, "fuzz.yaml"), "fuzz");
    const tally::Toolchain none;
    tally::CompileCommands(spec, none,
                           {.source = tally::NamesFor(spec, text), .sources = {}, .extra_args = {}});
    tally::RunCommand(spec, none, "/box/program", tally::Bytes::MiB(64));
  } catch (const tally::UserError&) {
  }
  tally::FindJavaEntry(text);
  return 0;
}
