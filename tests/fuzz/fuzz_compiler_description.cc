// Descriptions of languages from arbitrary bytes: each ends as a value or as a mistake told in one line, and the
// commands of one that is accepted can be made for any source text.
#include "compilers/command_line.h"
#include "compilers/compiler_spec.h"
#include "compilers/java_entry.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(compiler_description) {
  FindJavaEntry(input);
  fuzz::MayRefuse([&] {
    const CompilerSpec spec = ReadCompilerSpec(YamlMap::FromText(input, "fuzz.yaml"), "fuzz");
    fuzz::Require(!spec.extensions.empty() && !spec.source_name.empty());
    const Toolchain none;
    const SourceNames names = NamesFor(spec, input);
    fuzz::Require(names.file.find('/') == std::string::npos);
    RunCommand(spec, none, "/box/program", Bytes::MiB(64), names.main_class);
    VersionCommand(spec, none);
    CompileCommands(spec, none, {.source = names, .sources = {}, .extra_args = {"-O3"}});
  });
}
