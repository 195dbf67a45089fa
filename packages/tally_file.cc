// tally.yml, our own. Every key: docs/packages.md.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

void ReadChecker(YamlMap* yaml, Package* package) {
  const auto protocol = yaml->OptionalWord("checker_protocol", {"sio", "testlib", "kattis", "cms", "peg"});
  if (protocol) package->protocol = *ParseCheckerProtocol(*protocol);
  const std::optional<std::string> checker = yaml->OptionalText("checker");
  if (checker) package->checker = PackageFile(*package, *checker, [&](const std::string& why) { yaml->Fail("checker", why); });
}

void ReadInteractor(YamlMap* yaml, Package* package) {
  const std::optional<std::string> name = yaml->OptionalText("interactor");
  const auto protocol = yaml->OptionalWord("interactor_protocol", {"testlib", "kattis"});
  if (protocol && !name) yaml->Fail("interactor_protocol", "there is no interactor");
  if (!name) return;
  if (!package->input_file.empty() || !package->output_file.empty()) yaml->Fail("interactor", "it talks to standard streams; input_file and output_file are for others");
  package->interactor = InteractorProgram{.path = PackageFile(*package, *name, [&](const std::string& why) { yaml->Fail("interactor", why); })};
  if (protocol == "kattis" && package->checker) yaml->Fail("checker", "an interactor of Kattis' protocol leaves nothing for a checker");
  package->interactor->protocol = protocol == "kattis" ? CheckerProtocol::kKattis : CheckerProtocol::kTestlib;
}

// The tests that a group's names and patterns mean, each of which means one at least.
std::vector<std::size_t> TestsNamed(YamlMap* yaml, const Package& package) {
  std::vector<std::size_t> out;
  const std::vector<std::string> patterns = yaml->IsList("tests") ? yaml->TextList("tests") : std::vector<std::string>{yaml->Text("tests")};
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool is_used = false;
    for (std::size_t test = 0; test < package.tests.size(); ++test) {
      if (::fnmatch(patterns[i].c_str(), package.tests[test].name.c_str(), 0) != 0) continue;
      is_used = true;
      if (std::find(out.begin(), out.end(), test) == out.end()) out.push_back(test);
    }
    if (!is_used) yaml->Fail("tests", fmt::format("found \"{}\"; no test has such a name", patterns[i]), i);
  }
  if (out.empty()) yaml->Fail("tests", "found no tests; expected a name, a pattern, or a list of them");
  std::sort(out.begin(), out.end());
  return out;
}

void RefuseSharedTests(YamlMap* yaml, const Package& package, const TestGroup& group) {
  for (const TestGroup& other : package.groups) {
    for (const std::size_t test : group.tests) {
      if (std::find(other.tests.begin(), other.tests.end(), test) == other.tests.end()) continue;
      yaml->Fail("tests", fmt::format("test {} is in group {} too", package.tests[test].name, other.name));
    }
  }
}

TestGroup ReadGroup(YamlMap* yaml, const Package& package) {
  TestGroup group;
  group.name = yaml->Text("name");
  if (GroupNamed(package.groups, group.name)) yaml->Fail("name", fmt::format("two groups are called {}", group.name));
  group.tests = TestsNamed(yaml, package);
  group.points = yaml->OptionalNumber("points", 0, 1e6).value_or(0);
  const auto rule = yaml->OptionalWord("rule", {"least", "product", "sum", "threshold"});
  group.rule = rule == "product" ? GroupRule::kProduct : rule == "sum" ? GroupRule::kSum : GroupRule::kLeast;
  const auto threshold = yaml->OptionalNumber("threshold", 0, 1);
  if (threshold.has_value() != (rule == "threshold")) yaml->Fail(threshold ? "threshold" : "rule", "rule: threshold and threshold: a number from 0 to 1 go together");
  if (threshold) {
    group.rule = GroupRule::kThreshold;
    group.threshold = *threshold;
  }
  group.stops = yaml->Bool("stops", false);
  const std::vector<std::string> needs = yaml->TextList("needs");
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto need = GroupNamed(package.groups, needs[i]);
    if (!need) yaml->Fail("needs", fmt::format("found \"{}\"; expected a group that stands before this one", needs[i]), i);
    group.needs.push_back(*need);
  }
  RefuseSharedTests(yaml, package, group);
  yaml->Finish();
  return group;
}

void ReadScoring(YamlMap* yaml, Package* package) {
  const auto scoring = yaml->OptionalWord("scoring", {"points", "oi", "icpc"});
  package->time_lowers_points = scoring == "oi";
  package->ends_at_failure = scoring == "icpc";
  for (YamlMap& group : yaml->MapList("groups")) package->groups.push_back(ReadGroup(&group, *package));
  if (scoring == "icpc" && !package->groups.empty()) yaml->Fail("groups", "scoring: icpc knows no points");
  if (scoring == "oi" && package->groups.empty()) yaml->Fail("scoring", "oi gives points, and there are no groups");
}

// "OK", "WA or RE", "fails": in any way.
Promise ReadPromise(const YamlMap& yaml, const std::string& path, const std::string& text) {
  if (text == "OK") return ExpectRight(text);
  if (text == "fails") return ExpectFailure(text);
  std::vector<ResultCode> codes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(" or ", at), text.size());
    const auto code = ParseResultCode(text.substr(at, end - at));
    if (!code || *code == ResultCode::kSe) {
      yaml.Fail("submissions", fmt::format("{}: found \"{}\"; expected OK, WA, TLE, MLE, OLE, RE, RV or CE, some of them with \"or\" between, or fails", path, text));
    }
    codes.push_back(*code);
    at = end + 4;
  }
  return ExpectOneOf(text, codes);
}

void ReadSubmissions(YamlMap* yaml, Package* package) {
  for (const auto& [name, verdicts] : yaml->TextMap("submissions")) {
    Submission submission{.name = name, .path = "", .expected = ReadPromise(*yaml, name, verdicts), .is_model = false};
    submission.path = PackageFile(*package, name, [&](const std::string& why) { yaml->Fail("submissions", why); }, FileKind::kFileOrFolder);
    package->submissions.push_back(std::move(submission));
  }
  const std::optional<std::string> model = yaml->OptionalText("model");
  if (!model) return;
  const auto named = std::find_if(package->submissions.begin(), package->submissions.end(), [&](const Submission& one) { return one.name == *model; });
  if (named == package->submissions.end()) yaml->Fail("model", fmt::format("found \"{}\"; expected one of the submissions", *model));
  named->is_model = true;
}

void ReadValidators(YamlMap* yaml, Package* package) {
  const auto file = [&](const char* key, const std::string& name) { return PackageFile(*package, name, [&](const std::string& why) { yaml->Fail(key, why); }); };
  for (const std::string& name : yaml->TextList("input_validators")) package->input_validators.push_back({.path = file("input_validators", name)});
  for (const std::string& name : yaml->TextList("broken_inputs")) package->broken_inputs.push_back(file("broken_inputs", name));
  // "3: gen.py 100 7": the program and its arguments, with white space between.
  for (const auto& [name, command] : yaml->TextMap("generated")) {
    const std::string& wanted = name;  // a structured binding is not captured everywhere
    const auto test = std::find_if(package->tests.begin(), package->tests.end(), [&](const PackageTest& one) { return one.name == wanted; });
    if (test == package->tests.end()) yaml->Fail("generated", fmt::format("found \"{}\"; no test has such a name", name));
    std::istringstream words(command);
    GeneratedTest generated{.test = static_cast<std::size_t>(test - package->tests.begin())};
    words >> generated.program;
    generated.program = file("generated", generated.program);
    for (std::string word; words >> word;) generated.arguments.push_back(word);
    package->generated.push_back(std::move(generated));
  }
}

}  // namespace

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

std::string PackageFile(const Package& package, const std::string& name, const std::function<void(const std::string& why)>& fail, FileKind kind) {
  const fs::path file = fs::path(package.directory) / name;
  if (package.reading.from == PackageFrom::kStranger && !IsBelow(file, package.directory)) {
    fail(fmt::format("found {}; expected a file of the package", name));
  }
  if (!fs::exists(file)) fail(fmt::format("{} does not exist", file.string()));
  // What is no regular file may have no end, or nobody who writes it.
  const bool may_be = fs::is_regular_file(file) || (kind == FileKind::kFileOrFolder && fs::is_directory(file));
  if (!may_be) fail(fmt::format("{} is no regular file", file.string()));
  return fs::absolute(file).lexically_normal();
}

bool IsPlainFileName(std::string_view name) {
  constexpr std::string_view kAlso = "._+-";
  const auto is_letter = [](unsigned char c) { return c < 128 && std::isalnum(c) != 0; };
  return !name.empty() && name.size() <= 100 && is_letter(static_cast<unsigned char>(name.front())) && name != "program" &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(static_cast<unsigned char>(c)) || kAlso.find(c) != std::string_view::npos; });
}

std::optional<std::size_t> GroupNamed(const std::vector<TestGroup>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const TestGroup& group) { return group.name == name; });
  if (found == groups.end()) return std::nullopt;
  return static_cast<std::size_t>(found - groups.begin());
}

void ReadTallyFile(Package* package) {
  constexpr const char* kName = "tally.yml";
  YamlMap yaml = YamlMap::FromFile(package->directory + "/" + kName);
  package->title = yaml.OptionalText("title").value_or("");
  package->time = yaml.OptionalDuration("time_limit");
  package->memory = yaml.OptionalSize("memory_limit");
  package->output = yaml.OptionalSize("output_limit");
  package->processes = static_cast<std::uint32_t>(yaml.OptionalCount("processes", 1, 100'000).value_or(1));
  package->virtual_time = yaml.Bool("virtual_time", false);
  package->memory_by = yaml.OptionalWord("memory_by", {"auto", "cgroup", "address-space", "resident"}).value_or("");
  package->syscall_count = yaml.OptionalWord("syscall_count", {"auto", "tracepoint", "trace", "off"}).value_or("");
  for (const auto& [key, name] : {std::pair{"input_file", &package->input_file}, {"output_file", &package->output_file}}) {
    *name = yaml.OptionalText(key).value_or("");
    if (!name->empty() && !IsPlainFileName(*name)) yaml.Fail(key, fmt::format("found \"{}\"; expected a plain file name, like sum.in", *name));
  }
  if (!package->input_file.empty() && package->input_file == package->output_file) yaml.Fail("output_file", "it is the input's file");
  ReadChecker(&yaml, package);
  ReadInteractor(&yaml, package);
  ReadScoring(&yaml, package);
  ReadSubmissions(&yaml, package);
  ReadValidators(&yaml, package);
  FinishReading(yaml, package);
  if (package->time && package->time->count() <= 0) yaml.Fail("time_limit", "found 0; expected a duration, like 1s");
  if (package->memory && package->memory->count == 0) yaml.Fail("memory_limit", "found 0; expected a size, like 256M");
  if (package->time || package->memory || package->output || package->processes != 1) package->limits_from = kName;
}

}  // namespace tally
