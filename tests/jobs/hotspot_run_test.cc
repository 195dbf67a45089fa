// Where instructions go, in a program whose functions cost what can be told beforehand (tests/programs/known_costs.cc),
// and beside another profiler.
#include "jobs/hotspot_run.h"

#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/sys.h"
#include "jobs/files.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

HotspotRun Profiled(const std::string& program) {
  ExecOptions options;
  options.kind = ExecKind::kVcpuExec;
  options.sandbox = "exec-sandbox";
  options.limits = DefaultLimits(ExecKind::kVcpuExec, std::chrono::seconds(10));
  const Fd nowhere = sys::Open("/dev/null", O_RDWR);
  return RunForHotspots("program", TestProgram(program), {}, options, nowhere.get(), nowhere.get());
}

FunctionCost Function(const Hotspots& hotspots, const std::string& name) {
  const auto& all = hotspots.functions;
  const auto found = std::find_if(all.begin(), all.end(), [&](const FunctionCost& f) { return f.name == name; });
  return found == all.end() ? FunctionCost{} : *found;
}

LineCost LineWith(const Hotspots& hotspots, const std::string& text) {
  std::ifstream source(SourceFolder() + "/tests/programs/known_costs.cc");
  std::string line;
  for (unsigned number = 1; std::getline(source, line); ++number) {
    if (line.find(text) == std::string::npos) continue;
    for (const LineCost& cost : hotspots.lines) {
      if (cost.line == number && cost.file.ends_with("known_costs.cc")) return cost;
    }
  }
  return {};
}

std::uint64_t SumOfSelf(const Hotspots& hotspots) {
  std::uint64_t sum = 0;
  for (const FunctionCost& function : hotspots.functions) sum += function.self;
  return sum;
}

constexpr std::uint64_t Burn(std::uint64_t n) { return 2 * n + 1; }
constexpr std::uint64_t kLeaf = Burn(1000) + 1;  // with its return

void CheckKnownCosts(const Hotspots& hotspots) {
  const auto self = [&](const char* name) { return Function(hotspots, name).self; };
  const auto inclusive = [&](const char* name) { return Function(hotspots, name).inclusive; };
  CHECK(self("Leaf") == 4 * kLeaf);
  CHECK(inclusive("Leaf") == 4 * kLeaf);
  // Inlined: its own, and what it calls.
  CHECK(self("Inlined") >= Burn(500));
  CHECK(self("Inlined") <= Burn(500) + 2);
  CHECK(inclusive("Inlined") >= Burn(500) + kLeaf);
  CHECK(inclusive("Inlined") <= Burn(500) + kLeaf + 2);
  CHECK(inclusive("CallsTwice") >= Burn(500) + 2 * kLeaf);
  CHECK(inclusive("CallsTwice") <= Burn(500) + 2 * kLeaf + 10);
  CHECK(self("CallsTwice") < 10);
  // A tail call is of both.
  CHECK(inclusive("EndsInAJump") == Burn(100) + 1 + kLeaf);
  // A recursion counts once.
  CHECK(inclusive("Recursive") == self("Recursive"));
  CHECK(inclusive("Recursive") >= 11 * Burn(100));
  CHECK(inclusive("Recursive") <= 11 * (Burn(100) + 20));
  // Who was left by a jump, an exception or a signal handler's end is not on the stack any more.
  CHECK(inclusive("JumpsFar") < Burn(100) + 1000);
  CHECK(inclusive("ReturnsTwice") > Burn(50000));
  CHECK(inclusive("Throws") >= Burn(100));
  CHECK(inclusive("Catches") >= inclusive("Throws") + Burn(60000));
  CHECK(self("Catches") >= Burn(60000));
  CHECK(inclusive("OnSignal") >= Burn(700) + kLeaf);
  CHECK(inclusive("OnSignal") < Burn(700) + kLeaf + 20);
  CHECK(inclusive("IsInterrupted") > Burn(70000) + inclusive("OnSignal"));
  CHECK(inclusive("main") > Burn(50000) + Burn(60000) + Burn(70000));
  CHECK(inclusive("main") < hotspots.total);
}

TEST_CASE("hotspots: functions and lines cost what they execute, to the instruction", "[hotspots]") {
  for (const char* program : {"known_costs", "known_costs_dynamic"}) {
    const HotspotRun got = Profiled(program);
    CAPTURE(program, got.run.sentence, got.why_no_lines);
    REQUIRE(got.run.code == ResultCode::kOk);
    REQUIRE(got.run.instructions.has_value());
    CHECK(got.why_no_lines.empty());
    const Hotspots& hotspots = got.hotspots;
    CHECK(hotspots.total == got.run.instructions.value().count);
    CHECK(SumOfSelf(hotspots) == hotspots.total);
    CheckKnownCosts(hotspots);
    // The compiler has put its rare part elsewhere.
    CHECK(Function(hotspots, "Catches").file.ends_with("known_costs.cc"));
    CHECK(LineWith(hotspots, "// 2001, and a return").self == 4 * Burn(1000));
    CHECK(LineWith(hotspots, "// 1001").self == Burn(500));
    CHECK(LineWith(hotspots, "// not of Throws").self == Burn(60000));
    for (const LineCost& line : hotspots.lines) CHECK(line.inclusive >= line.self);
    CHECK(std::is_sorted(hotspots.lines.begin(), hotspots.lines.end(), [](const LineCost& a, const LineCost& b) { return a.self > b.self; }));
    CHECK(std::is_sorted(hotspots.functions.begin(), hotspots.functions.end(),
                         [](const FunctionCost& a, const FunctionCost& b) { return a.self > b.self; }));
  }
}

TEST_CASE("hotspots: a line costs what is called from it, a jump at a function's end, what is inlined there and a recursion once", "[hotspots]") {
  for (const char* program : {"known_costs", "known_costs_dynamic"}) {
    const Hotspots hotspots = Profiled(program).hotspots;
    CAPTURE(program);
    const auto inclusive = [&](const char* text) { return LineWith(hotspots, text).inclusive; };
    CHECK(inclusive("// 2001, and a return") == 4 * Burn(1000));
    CHECK(LineWith(hotspots, "// a tail call").self == 1);
    CHECK(inclusive("// a tail call") == 1 + kLeaf);
    CHECK(inclusive("  EndsInAJump();") == 1 + Function(hotspots, "EndsInAJump").inclusive);
    // Inlined: its instructions and those of what it calls are the line's, though none of them is in it.
    CHECK(inclusive("  Inlined();") == Function(hotspots, "Inlined").inclusive);
    const LineCost below = LineWith(hotspots, "Recursive(n - 1)");
    CHECK(below.inclusive >= 10 * Burn(100));
    CHECK(below.inclusive < Function(hotspots, "Recursive").inclusive);
    CHECK(inclusive("  Recursive(10);") >= Function(hotspots, "Recursive").inclusive);
    CHECK(inclusive("JumpsFar();") < Burn(50000));  // the loop that comes after it
  }
}

TEST_CASE("hotspots: the C library's functions are one, which costs what they call but not the program that it starts", "[hotspots]") {
  for (const char* program : {"known_costs", "known_costs_dynamic"}) {
    const Hotspots hotspots = Profiled(program).hotspots;
    CAPTURE(program);
    const FunctionCost library = Function(hotspots, "libc");
    if (library.functions.empty()) TALLY_SKIP("this machine has no libc.a");
    std::uint64_t sum = 0;
    for (const FunctionCost& part : library.functions) sum += part.self;
    CHECK(library.self == sum);
    CHECK(library.inclusive >= library.self + Burn(700) + kLeaf);  // OnSignal is called where raise() waits for it
    CHECK(library.inclusive < hotspots.total - Burn(50000) - Burn(60000) - Burn(70000));
    for (const char* name : {"raise", "__libc_start_main", "printf"}) CHECK(Function(hotspots, name).self == 0);
  }
}

TEST_CASE("hotspots: two runs say the same", "[hotspots]") {
  const Hotspots first = Profiled("known_costs").hotspots;
  const Hotspots second = Profiled("known_costs").hotspots;
  REQUIRE(first.functions.size() == second.functions.size());
  for (std::size_t i = 0; i < first.functions.size(); ++i) {
    CHECK(first.functions[i].name == second.functions[i].name);
    CHECK(first.functions[i].self == second.functions[i].self);
    CHECK(first.functions[i].inclusive == second.functions[i].inclusive);
  }
}

TEST_CASE("hotspots: without debug information there are functions, and the reason why there are no lines", "[hotspots]") {
  const HotspotRun got = Profiled("hello");
  CHECK(got.hotspots.lines.empty());
  CHECK(got.why_no_lines.find("-g") != std::string::npos);
  CHECK(Function(got.hotspots, "main").inclusive > 0);
  CHECK(SumOfSelf(got.hotspots) == got.run.instructions.value().count);
}

TEST_CASE("hotspots: a program that crashes has them up to there", "[hotspots]") {
  const HotspotRun got = Profiled("divide_by_zero");
  CHECK(got.run.code == ResultCode::kRe);
  CHECK(got.hotspots.total == got.run.instructions.value().count);
  CHECK(Function(got.hotspots, "main").self > 0);
}

// "1,234 (12.3%)  file:function [object]"; a function that is partly inlined elsewhere has several lines.
std::map<std::string, std::uint64_t> Callgrind(const std::string& program) {
  const TemporaryDirectory directory;
  const std::string out = directory.File("callgrind.out");
  const std::string table = directory.File("table");
  const std::string command = "valgrind --tool=callgrind --callgrind-out-file=" + out + " " + TestProgram(program) +
                              " >/dev/null 2>&1 && callgrind_annotate --auto=no --threshold=100 " + out + " >" + table + " 2>/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);  // NOLINT: a test's own words
  std::map<std::string, std::uint64_t> self;
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':', line.find(')'));
    if (line.find("%)") == std::string::npos || colon == std::string::npos) continue;
    std::string digits = line.substr(0, line.find('('));
    digits.erase(std::remove_if(digits.begin(), digits.end(), [](char c) { return c < '0' || c > '9'; }), digits.end());
    if (digits.empty()) continue;
    std::string name = line.substr(colon + 1);
    name = name.substr(0, name.find_first_of("' ["));
    name = name.substr(0, name.find(".cold"));
    self[name] += std::strtoull(digits.c_str(), nullptr, 10);
  }
  return self;
}

TEST_CASE("hotspots: shares of functions are callgrind's within 1 %", "[hotspots]") {
  if (std::system("command -v valgrind >/dev/null 2>&1") != 0) {  // NOLINT
    TALLY_SKIP("valgrind is not installed");
  }
  const auto expected = Callgrind("known_costs");
  const Hotspots got = Profiled("known_costs").hotspots;
  double total = 0;
  for (const auto& [name, self] : expected) total += static_cast<double>(self);
  for (const char* name : {"Leaf", "Recursive", "ReturnsTwice", "Catches", "IsInterrupted", "EndsInAJump"}) {
    CAPTURE(name, total, got.total);
    REQUIRE(expected.contains(name));
    CAPTURE(expected.at(name), Function(got, name).self);
    const double theirs = static_cast<double>(expected.at(name)) / total;
    const double ours = static_cast<double>(Function(got, name).self) / static_cast<double>(got.total);
    CHECK(std::abs(ours - theirs) < 0.01);
  }
}

}  // namespace
}  // namespace tally
