#include "bench/count_languages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "bench/counted_run.h"

namespace tally {
namespace {

constexpr std::uint32_t kProcesses = 64;
constexpr double kGoal = 1.5, kGoalOfStart = 0.3;  // times native, and seconds more than it

struct Language {
  const char* name;
  const char* tool;                  // that must be there
  const char* compile;               // a shell line, with {0} the program's name; "": nothing is compiled
  const char* file;                  // what the program finds in its folder; "": the command is a program of ours
  std::vector<const char*> command;  // with {0}, too
  int sieve, paths;                  // rounds of each, for some half a second
};

const std::vector<Language>& Languages() {
  static const std::vector<Language> kLanguages = {
      {"Java", "javac", "javac {0}.java && jar --create --file {0}.jar --main-class {0} *.class", "{0}.jar", {"/usr/bin/java", "-jar", "{0}.jar"}, 40, 8},
      {"Go", "go", "GOCACHE=$PWD/cache go build -o {0} {0}.go", "", {"{0}"}, 40, 12},
      {"Node", "node", "", "{0}.js", {"/usr/bin/node", "{0}.js"}, 30, 8},
      {"C# (Mono)", "mcs", "mcs {0}.cs", "{0}.exe", {"/usr/bin/mono", "{0}.exe"}, 40, 10},
      {"PyPy", "pypy3", "", "{0}.py", {"/usr/bin/pypy3", "{0}.py"}, 15, 5},
      {"LuaJIT", "luajit", "", "{0}.lua", {"/usr/bin/luajit", "{0}.lua"}, 6, 10},
      {"CPython", "/usr/bin/python3", "", "{0}.py", {"/usr/bin/python3", "{0}.py"}, 2, 2},
  };
  return kLanguages;
}

int Shell(const std::string& line) { return std::system(line.c_str()); }

BenchProgram ProgramOf(const Language& language, const std::string& folder, const std::string& name, const std::vector<std::string>& arguments) {
  BenchProgram program;
  for (const char* word : language.command) program.command.push_back(fmt::format(fmt::runtime(word), name));
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  program.processes = kProcesses;
  program.sandbox = "interpreter-sandbox";
  if (*language.file == 0) program.path = folder + "/" + name;
  else program.files = {folder + "/" + fmt::format(fmt::runtime(language.file), name)};
  return program;
}

// What a start takes of real time, with translations kept; the least of some, for others' load only adds.
void CompareStart(const std::string& language, const BenchProgram& program, Counter counter, const std::string& kept) {
  double native = 1e9, counted = 1e9;
  for (int i = 0; i < 5; ++i) {
    native = std::min(native, Measure(program, Counter::kNone).wall);
    counted = std::min(counted, Measure(program, counter, kept).wall);
  }
  fmt::print("{:<22} {:>9.3f}  {:+.3f} s of real time; goal <= {:+.1f}: {}\n", language + " start", native, counted - native, kGoalOfStart,
             counted - native <= kGoalOfStart ? "met" : "MISSED");
  std::fflush(stdout);
}

// Rounds for a second of CPU time, as the goal says it, on this machine: what is translated once is a larger part of less.
std::string RoundsOfASecond(const BenchProgram& program, int rounds) {
  const double taken = Measure(program, Counter::kNone).cpu;
  return std::to_string(std::max(rounds, static_cast<int>(std::lround(rounds / taken))));
}

void CompareLanguage(const Language& language, const std::string& sources, Counter counter, int rounds, Ratios* ratios) {
  const TemporaryFolder folder, kept;
  const bool is_java = std::string_view(language.name) == "Java";  // a class is named like its file
  for (const bool is_sieve : {true, false}) {
    const std::string name = is_sieve ? (is_java ? "Sieve" : "sieve") : (is_java ? "Paths" : "paths");
    const std::string compile = *language.compile == 0 ? "true" : fmt::format(fmt::runtime(language.compile), name);
    if (Shell(fmt::format("cd {} && cp {}/{}.* . && chmod -R a+rX . && rm -f *.class && {} >&2", folder.path(), sources, name, compile)) != 0) {
      throw SystemError(fmt::format("{} could not be compiled", name), 0);
    }
    const std::string n = is_sieve ? "5000000" : "100000";
    const int some = is_sieve ? language.sieve : language.paths;
    const BenchProgram program = ProgramOf(language, folder.path(), name, {n, RoundsOfASecond(ProgramOf(language, folder.path(), name, {n, std::to_string(some)}), some)});
    Measure(program, counter, kept.path());
    const Compared compared = Compare(program, counter, rounds, kept.path());
    Print(fmt::format("{} {}", language.name, is_sieve ? "sieve" : "paths"), compared);
    ratios->Add(compared.ratio);
    if (!is_sieve) continue;
    const BenchProgram start = ProgramOf(language, folder.path(), name, {"10", "1"});
    Measure(start, counter, kept.path());
    CompareStart(language.name, start, counter, kept.path());
  }
}

void PrintSum(const Ratios& ratios) {
  if (ratios.n == 0) return;
  fmt::print("geomean {:.3f}, worst {:.3f}; goal <= {:.2f}: {}\n", ratios.geomean(), ratios.worst, kGoal, ratios.worst <= kGoal ? "met" : "MISSED");
}

}  // namespace

void CompareLanguages(const std::string& sources, Counter counter, int rounds) {
  PrintHead();
  Ratios ratios;
  for (const Language& language : Languages()) {
    if (Shell(fmt::format("command -v {} >/dev/null", language.tool)) != 0) {
      fmt::print("{} is not installed: {} is not measured\n", language.tool, language.name);
      continue;
    }
    CompareLanguage(language, sources, counter, rounds, &ratios);
  }
  PrintSum(ratios);
}

void CompareThreads(const std::string& folder, Counter counter, int rounds) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  PrintHead();
  Ratios ratios;
  for (const std::string& name : names) {
    const Compared compared = Compare({folder + name, {name}, "exec-sandbox", kProcesses * 4}, counter, rounds);
    Print(name, compared);
    ratios.Add(compared.ratio);
  }
  PrintSum(ratios);
}

}  // namespace tally
