// Polygon's package: problem.xml, tests by patterns of names, a testlib checker.
// Source: packages that polygon.codeforces.com makes ("standard" and "windows"); docs/jobs.md has what is read.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "base/error.h"
#include "base/sys.h"
#include "base/units.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

class Problem {
 public:
  explicit Problem(Package* package) : package_(*package), path_(package->directory + "/problem.xml"), text_(sys::ReadFile(path_)) {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    if (!result) Fail(result.offset, result.description());
    problem_ = document_.child("problem");
    if (!problem_) Fail(0, "expected a <problem>");
  }

  void Read() {
    package_.title = Title();
    const pugi::xml_node judging = Require(problem_, "judging");
    for (const auto& [attribute, name] : {std::pair{"input-file", &package_.input_file}, {"output-file", &package_.output_file}}) {
      *name = judging.attribute(attribute).value();
      if (!name->empty() && !IsPlainFileName(*name)) Fail(judging, fmt::format("{}=\"{}\"; expected a plain file name", attribute, *name));
    }
    const pugi::xml_node assets = problem_.child("assets");
    if (const pugi::xml_node interactor = assets.child("interactor")) {
      const pugi::xml_node source = Require(interactor, "source");
      package_.interactor = InteractorProgram{.path = FileOf(source, source.attribute("path").value())};
      if (!package_.input_file.empty() || !package_.output_file.empty()) Fail(interactor, "it talks to standard streams, and the task has files of its own");
    }
    ReadTests(MainTests(judging));
    if (const pugi::xml_node checker = assets.child("checker")) ReadChecker(checker);
    ReadSolutions(assets.child("solutions"));
    for (const pugi::xml_node& validator : assets.child("validators").children("validator")) {
      const pugi::xml_node source = Require(validator, "source");
      package_.input_validators.push_back({.path = FileOf(source, source.attribute("path").value())});
    }
    ReadGenerated(MainTests(judging).child("tests"));
    TellOfTheRest(judging, assets);
  }

 private:
  [[nodiscard]] std::ptrdiff_t LineAt(std::ptrdiff_t offset) const {
    return 1 + std::count(text_.begin(), text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size())), '\n');
  }
  [[noreturn]] void Fail(std::ptrdiff_t offset, const std::string& what) const {
    throw UserError(fmt::format("{}:{}: {}", path_, LineAt(offset), what));
  }
  [[noreturn]] void Fail(const pugi::xml_node& node, const std::string& what) const { Fail(node.offset_debug(), fmt::format("{}: {}", node.name(), what)); }

  [[nodiscard]] pugi::xml_node Require(const pugi::xml_node& parent, const char* name) const {
    const pugi::xml_node child = parent.child(name);
    if (!child) Fail(parent, fmt::format("expected a <{}> in it", name));
    return child;
  }

  // The English one, or the first.
  [[nodiscard]] std::string Title() const {
    const pugi::xml_node names = problem_.child("names");
    const pugi::xml_node english = names.find_child_by_attribute("name", "language", "english");
    return (english ? english : names.child("name")).attribute("value").value();
  }

  [[nodiscard]] pugi::xml_node MainTests(const pugi::xml_node& judging) const {
    const pugi::xml_node tests = judging.find_child_by_attribute("testset", "name", "tests");
    return tests ? tests : Require(judging, "testset");
  }

  [[nodiscard]] std::uint64_t Number(const pugi::xml_node& parent, const char* name) const {
    const pugi::xml_node node = Require(parent, name);
    const std::string text = node.text().get();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > 1ULL << 40) {
      Fail(node, fmt::format("found \"{}\"; expected a number above 0", text.substr(0, 100)));
    }
    return number;
  }

  // "tests/%02d" of 7 is tests/07.
  [[nodiscard]] std::string Filled(const pugi::xml_node& node, std::uint64_t number) const {
    const std::string pattern = node.text().get();
    const std::size_t percent = pattern.find('%');
    const std::size_t end = pattern.find('d', percent);
    unsigned width = 1;
    const bool is_padded = percent != std::string::npos && pattern[percent + 1] == '0';
    if (is_padded) std::from_chars(pattern.data() + percent + 2, pattern.data() + pattern.size(), width);
    if (percent == std::string::npos || end == std::string::npos || width > 9 || pattern.find('%', end) != std::string::npos ||
        (!is_padded && end != percent + 1)) {
      Fail(node, fmt::format("found \"{}\"; expected a path with one number, like tests/%02d", pattern.substr(0, 100)));
    }
    return pattern.substr(0, percent) + fmt::format("{:0{}}", number, width) + pattern.substr(end + 1);
  }

  [[nodiscard]] fs::path FileOf(const pugi::xml_node& node, const std::string& name) const {
    const fs::path path = fs::path(package_.directory) / name;
    if (!IsBelow(path, package_.directory)) Fail(node, fmt::format("found {}; expected a file of the package", name));
    if (!fs::is_regular_file(path)) Fail(node, fmt::format("{} is not there (a package whose tests were not made: run its doall.sh first)", path.string()));
    return fs::absolute(path);
  }

  void Tell(const pugi::xml_node& node, const std::string& what) {
    package_.warnings.push_back(fmt::format("{}:{}: {}: {}", path_, LineAt(node.offset_debug()), node.name(), what));
  }

  // What is known and not done.
  void TellOfTheRest(const pugi::xml_node& judging, const pugi::xml_node& assets) {
    if (judging.attribute("run-count").as_int(1) > 1) Tell(judging, "run-count: a solution is run once for each test");
    const pugi::xml_node main = MainTests(judging);
    for (const pugi::xml_node& tests : judging.children("testset")) {
      if (tests != main) Tell(tests, fmt::format("name=\"{}\": these tests are not judged", tests.attribute("name").value()));
    }
    for (const pugi::xml_node& solution : assets.child("solutions").children("solution")) {
      if (const pugi::xml_node extra = solution.child("extra-tags"); extra.first_child()) Tell(extra, "what is expected of groups and tests is not looked at");
    }
    for (const pugi::xml_node& validator : assets.child("validators").children("validator")) TellOfOwnTests(validator);
    TellOfOwnTests(assets.child("checker"));
  }
  void TellOfOwnTests(const pugi::xml_node& tool) {
    if (const pugi::xml_node tests = tool.child("testset"); tests.child("tests").child("test")) Tell(tests, fmt::format("the tests of the {} itself are not run", tool.name()));
  }

  void ReadTests(const pugi::xml_node& tests) {
    constexpr std::uint64_t kMostMs = 1'000'000'000;
    const std::uint64_t ms = Number(tests, "time-limit");
    if (ms > kMostMs) Fail(tests.child("time-limit"), fmt::format("found {}; expected {} ms at most", ms, kMostMs));
    package_.time = Milliseconds(static_cast<std::int64_t>(ms));
    package_.memory = Bytes{Number(tests, "memory-limit")};
    package_.limits_from = "problem.xml";
    const pugi::xml_node inputs = Require(tests, "input-path-pattern"), answers = Require(tests, "answer-path-pattern");
    const std::uint64_t count = Number(tests, "test-count");
    if (count > 10'000) Fail(tests.child("test-count"), fmt::format("found {}; expected 10000 at most", count));
    for (std::uint64_t i = 1; i <= count; ++i) {
      const fs::path input = FileOf(inputs, Filled(inputs, i));
      package_.tests.push_back({.name = input.filename(), .input = input, .answer = FileOf(answers, Filled(answers, i))});
    }
    ReadPoints(tests);
  }

  // Points of groups and of tests; where a test has no group, each is one. Without any there are none.
  void ReadPoints(const pugi::xml_node& tests) {
    const auto listed = tests.child("tests").children("test");
    const bool has_points = std::any_of(listed.begin(), listed.end(), [](const pugi::xml_node& test) { return test.attribute("points") || test.attribute("group"); });
    if (!has_points) return;
    if (static_cast<std::size_t>(std::distance(listed.begin(), listed.end())) != package_.tests.size()) {
      Fail(tests.child("tests"), fmt::format("it lists {}, and test-count is {}", CountOf(static_cast<std::uint64_t>(std::distance(listed.begin(), listed.end())), "test"), package_.tests.size()));
    }
    std::size_t index = 0;
    for (const pugi::xml_node& test : listed) {
      const std::string name = test.attribute("group") ? test.attribute("group").value() : package_.tests[index].name;
      auto known = GroupNamed(package_.groups, name);
      if (!known) {
        known = package_.groups.size();
        package_.groups.push_back({.name = name, .rule = GroupRule::kSum});
      }
      TestGroup& group = package_.groups[*known];
      group.tests.push_back(index++);
      group.test_points.push_back(test.attribute("points") ? Points(test) : 0);
      group.points += group.test_points.back();
    }
    for (const pugi::xml_node& told : tests.child("groups").children("group")) ReadGroup(told);
  }

  void ReadGroup(const pugi::xml_node& told) {
    const auto known = GroupNamed(package_.groups, told.attribute("name").value());
    if (!known && told.attribute("points") && Points(told) > 0) Fail(told, fmt::format("name=\"{}\"; no test is of such a group", told.attribute("name").value()));
    if (!known) return;
    TestGroup& group = package_.groups[*known];
    if (told.attribute("points")) group.points = Points(told);
    const std::string policy = told.attribute("points-policy").value();
    if (policy == "complete-group") {
      group.rule = GroupRule::kLeast;
      group.test_points.clear();
    } else if (!policy.empty() && policy != "each-test") {
      Fail(told, fmt::format("points-policy=\"{}\"; expected complete-group or each-test", policy));
    }
    for (const pugi::xml_node& dependency : told.child("dependencies").children("dependency")) {
      const auto need = GroupNamed(package_.groups, dependency.attribute("group").value());
      if (!need) Fail(dependency, fmt::format("group=\"{}\"; no test is of such a group", dependency.attribute("group").value()));
      group.needs.push_back(*need);
    }
  }

  [[nodiscard]] double Points(const pugi::xml_node& node) const {
    const std::string text = node.attribute("points").value();
    double points = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), points);
    if (error != std::errc() || end != text.data() + text.size() || !(points >= 0 && points <= 1e6)) Fail(node, fmt::format("points=\"{}\"; expected a number", text));
    return points;
  }

  // Tests that one program prints: "gen 5 7", where an executable of the package has that name.
  void ReadGenerated(const pugi::xml_node& tests) {
    std::map<std::string, std::string> programs;
    for (const pugi::xml_node& executable : problem_.child("files").child("executables").children("executable")) {
      const pugi::xml_node source = executable.child("source");
      const std::string path = source.attribute("path").value();
      if (!path.empty()) programs[fs::path(path).stem()] = FileOf(source, path);
    }
    std::size_t index = 0;
    for (const pugi::xml_node& test : tests.children("test")) {
      std::istringstream words(test.attribute("cmd").value());
      GeneratedTest generated{.test = index++};
      words >> generated.program;
      for (std::string word; words >> word;) generated.arguments.push_back(word);
      const auto program = programs.find(generated.program);
      const bool has_shell = std::string_view(test.attribute("cmd").value()).find_first_of("<>|") != std::string_view::npos;
      if (program == programs.end() || has_shell || generated.test >= package_.tests.size()) continue;
      generated.program = program->second;
      package_.generated.push_back(std::move(generated));
    }
  }

  void ReadSolutions(const pugi::xml_node& solutions) {
    for (const pugi::xml_node& solution : solutions.children("solution")) {
      const std::string tag = solution.attribute("tag").value(), name = Require(solution, "source").attribute("path").value();
      if (tag == "do-not-run" || tag == "not-run") continue;
      const fs::path file = FileOf(solution.child("source"), name);
      package_.submissions.push_back({.name = name, .path = file, .expected = Expected(solution, tag), .is_model = tag == "main"});
    }
  }

  [[nodiscard]] Promise Expected(const pugi::xml_node& solution, const std::string& tag) const {
    using enum ResultCode;
    if (tag == "main" || tag == "accepted") return ExpectRight(tag);
    if (tag == "wrong-answer" || tag == "presentation-error") return ExpectOneOf(tag, {kWa});
    if (tag == "time-limit-exceeded") return ExpectOneOf(tag, {kTle});
    if (tag == "memory-limit-exceeded") return ExpectOneOf(tag, {kMle});
    if (tag == "time-limit-exceeded-or-accepted") return ExpectOneOf(tag, {kOk, kTle});
    if (tag == "time-limit-exceeded-or-memory-limit-exceeded") return ExpectOneOf(tag, {kTle, kMle});
    if (tag == "rejected" || tag == "failed") return ExpectFailure(tag);
    Fail(solution, fmt::format("tag=\"{}\"; expected main, accepted, wrong-answer, presentation-error, time-limit-exceeded, memory-limit-exceeded, "
                               "time-limit-exceeded-or-accepted, time-limit-exceeded-or-memory-limit-exceeded, rejected, failed or do-not-run", tag));
  }

  void ReadChecker(const pugi::xml_node& checker) {
    const std::string type = checker.attribute("type").value();
    if (type != "testlib") Fail(checker, fmt::format("type=\"{}\"; expected testlib", type));
    const pugi::xml_node source = Require(checker, "source");
    if (const auto compare = TestlibCompare(checker.attribute("name").value())) {
      for (PackageTest& test : package_.tests) test.compare = compare;
      return;
    }
    package_.checker = FileOf(source, source.attribute("path").value());
    package_.protocol = CheckerProtocol::kTestlib;
  }

  Package& package_;
  std::string path_;
  std::string text_;
  pugi::xml_document document_;
  pugi::xml_node problem_;
};

}  // namespace

void ReadPolygonPackage(Package* package) {
  const std::string path = package->directory + "/problem.xml";
  constexpr std::uintmax_t kMost = 16 << 20;
  if (!fs::is_regular_file(path) || fs::file_size(path) > kMost) throw UserError(path + ": expected a file of 16 MiB at most");
  Problem(package).Read();
}

}  // namespace tally
