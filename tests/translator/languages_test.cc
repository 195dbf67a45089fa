// What other compilers and runtimes make of a program is translated too: stacks of their own, signals, threads, timers,
// code that is made while it runs. Each language has one small program of a contest's kind in tests/programs/languages:
// it reads numbers, sorts them, looks for equal ones, and prints three figures. docs/translator.md lists the versions that
// were tried; what is not installed here is left out, and says so.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

struct Language {
  const char* tool;     // that must be there
  const char* compile;  // a shell line in a folder that holds the sources; "": there is nothing to compile
  const char* file;     // what the program finds in its folder; "": the command is it
  const char* command;
};
constexpr Language kLanguages[] = {
    {"gcc", "gcc -O2 solve.c -o program", "", "./program"},
    {"tcc", "tcc solve.c -o program", "", "./program"},
    {"fpc", "fpc -O2 -oprogram solve.pas", "", "./program"},
    {"rustc", "rustc -O solve.rs -o program", "", "./program"},
    {"go", "GOCACHE=$PWD/cache go build -o program solve.go", "", "./program"},
    {"ghc", "ghc -O solve.hs -o program", "", "./program"},
    {"ocamlopt", "ocamlopt solve.ml -o program", "", "./program"},
    {"gdc", "gdc -O2 solve.d -o program", "", "./program"},
    {"ldc2", "ldc2 -O2 -of=program solve.d", "", "./program"},
    {"gnatmake", "gnatmake -q -O2 solve.adb -o program", "", "./program"},
    {"mcs", "mcs -out:solve.exe solve.cs", "solve.exe", "/usr/bin/mono solve.exe"},
    {"/usr/bin/python3", "", "solve.py", "/usr/bin/python3 solve.py"},
    {"pypy3", "", "solve.py", "/usr/bin/pypy3 solve.py"},
    {"perl", "", "solve.pl", "/usr/bin/perl solve.pl"},
    {"lua5.4", "", "solve.lua", "/usr/bin/lua5.4 solve.lua"},
    {"luajit", "", "solve.lua", "/usr/bin/luajit solve.lua"},
    {"php", "", "solve.php", "/usr/bin/php solve.php"},
    {"ruby", "", "solve.rb", "/usr/bin/ruby solve.rb"},
    {"node", "", "solve.js", "/usr/bin/node solve.js"},
    {"sbcl", "", "solve.lisp", "/usr/bin/sbcl --script solve.lisp"},
    {"guile", "", "solve.scm", "/usr/bin/guile --no-auto-compile solve.scm"},
};

struct Problem {
  std::string input;
  std::string answer;
};

Problem MakeProblem() {
  constexpr std::size_t kNumbers = 500;
  std::vector<long> a;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    state = state * 1664525 + 1013904223;
    a.push_back(state >> 22);
  }
  Problem problem{.input = std::to_string(kNumbers) + "\n", .answer = {}};
  for (const long x : a) problem.input += std::to_string(x) + " ";
  std::sort(a.begin(), a.end());
  long sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * static_cast<long>(i % 7);
  const std::set<long> different(a.begin(), a.end());
  problem.answer = std::to_string(sum) + " " + std::to_string(different.size()) + " " + std::to_string(a[kNumbers / 2]) + "\n";
  return problem;
}

TEST_CASE("languages: what other compilers and runtimes make runs in translation, with one count", "[translator][languages]") {
  const Problem problem = MakeProblem();
  for (const Language& language : kLanguages) {
    if (Shell(std::string("command -v ") + language.tool).status != 0) {
      std::printf("SKIPPED: %s is not installed\n", language.tool);
      continue;
    }
    const ScratchFolder folder;
    const CliOptions there{.input = problem.input, .directory = folder.path(), .environment = {}};
    const CliResult compiled = Shell("cp " + SourceFolder() + "/tests/programs/languages/* . && chmod 755 . && " +
                                     (*language.compile != 0 ? language.compile : "true"), there);
    CAPTURE(language.tool, compiled.out, compiled.error);
    REQUIRE(compiled.status == 0);
    const bool compiles = *language.file == 0;
    const std::string where = compiles ? "exec-sandbox" : std::string("interpreter-sandbox --file ") + language.file;
    const std::string line = "$TALLY run --json --counter translator --processes 64 --wall 100s --idle 60s --memory 4G "
                             "--memory-by resident --env HOME=/tmp --sandbox " + where + " -- " + language.command;
    const CliResult first = Shell(line, there);
    CAPTURE(first.out, first.error);
    REQUIRE(first.code() == "OK");
    CHECK(Has(first.error, problem.answer));  // with --json the output goes there, beside what Mono has to say
    const CliResult second = Shell(line, there);
    CHECK(second.code() == "OK");
    // What a runtime reads in /proc/self/maps is not the same twice (docs/virtual-cpu.md).
    if (!compiles || !first.json().value("exectime_deterministic", false)) continue;
    CHECK(second.json().value("exectime_used", 0ULL) == first.json().value("exectime_used", 1ULL));
  }
}

}  // namespace
}  // namespace tally
