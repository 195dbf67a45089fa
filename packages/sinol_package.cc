// sinol's package: config.yml, and the programs of prog/ by their names.
// Source: sinol-make's documentation ("Package specification"): tests IDgt.in of group g, 0 and *ocen are examples; prog/ID.* is the
// model, IDs* are slow, IDb* wrong; IDchk checks, IDsoc interacts.
//
// What changes a verdict and is not done here is told or refused with its place.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "packages/formats.h"
#include "packages/natural_order.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "config.yml";
constexpr std::string_view kTools[] = {"chk", "inwer", "ingen", "soc"};
constexpr std::uint64_t kMostMs = 1'000'000'000, kMostKib = 1ULL << 40;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "abc" of in/abc1a.in.
std::string TaskOf(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory / "in", ignored)) {
    if (entry.path().extension() != ".in") continue;
    const std::string stem = entry.path().stem();
    return stem.substr(0, stem.find_first_of("0123456789"));
  }
  return "";
}

// "1" of abc1a, "0" of abc3ocen, "" of a name without a group.
std::string GroupOf(const std::string& test, const std::string& task) {
  if (!test.starts_with(task) || test.size() == task.size() || !IsDigit(test[task.size()])) return "";
  if (test.ends_with("ocen")) return "0";
  std::string digits = test.substr(task.size());
  digits.resize(std::min(digits.find_first_not_of("0123456789"), digits.size()));
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

class Config {
 public:
  explicit Config(Package* package) : package_(*package), yaml_(YamlMap::FromFile(package->directory + "/" + kName)) {}

  void Read() {
    package_.title = yaml_.TextOrEmpty("title");
    package_.time = Duration("time_limit", &yaml_);
    package_.memory = Kibibytes("memory_limit", &yaml_);
    task_ = yaml_.TextOrEmpty("sinol_task_id");
    if (task_.empty()) task_ = TaskOf(package_.directory);
    ReadInteractor();
    ReadTestFolders(&package_, package_.interactor ? Answers::kMayMiss : Answers::kMustBe);
    ReadContestType();
    MakeGroups();
    ReadScores();
    LimitTests(&yaml_);
    ReadOverrides();
    ReadLibraries();
    ReadPrograms();
    Tell({"extra_execution_files", "fake_time"}, "this is not applied: programs find no files but their own");
    yaml_.AlsoKnows({"title_pl", "title_en", "sinol_latex_compiler", "sinol_undocumented_time_tool", "sinol_undocumented_test_limits",
                     "sinol_static_tests", "sinol_oioioi_instance", "num_elements", "languages", "tags", "author", "source"});
    FinishReading(yaml_, &package_);
    if (package_.time || package_.memory || has_limits_) package_.limits_from = kName;
  }

 private:
  std::optional<Nanoseconds> Duration(const char* key, YamlMap* yaml) const {
    const auto ms = yaml->OptionalCount(key, 1, kMostMs);
    if (!ms) return std::nullopt;
    return Milliseconds(static_cast<std::int64_t>(*ms));
  }
  std::optional<Bytes> Kibibytes(const char* key, YamlMap* yaml) const {
    const auto kib = yaml->OptionalCount(key, 1, kMostKib);
    if (!kib) return std::nullopt;
    return Bytes::KiB(*kib);
  }

  void Tell(std::initializer_list<const char*> keys, const char* what) {
    for (const char* key : keys) {
      if (yaml_.Has(key)) package_.warnings.push_back(fmt::format("{}: {}: {}", yaml_.Place(key), key, what));
    }
  }

  void ReadContestType() {
    const auto type = yaml_.OptionalWord("sinol_contest_type", {"default", "oi", "oij", "icpc"});
    package_.time_lowers_points = type == "oi";
    package_.ends_at_failure = type == "icpc";
  }

  void ReadInteractor() {
    constexpr std::uint64_t kMostProcesses = 16;
    const auto processes = yaml_.OptionalCount("num_processes", 1, kMostProcesses);
    const auto source = task_.empty() ? std::nullopt : SourceNamed(fs::path(package_.directory) / "prog", task_ + "soc");
    if (!source) {
      if (processes && *processes > 1) yaml_.Fail("num_processes", fmt::format("there is no interactor; expected prog/{}soc.*", task_));
      return;
    }
    package_.interactor = InteractorProgram{.path = *source, .protocol = CheckerProtocol::kSio, .processes = static_cast<unsigned>(processes.value_or(1))};
  }

  // Libraries that solutions are compiled with: sources by language, and headers and modules for all.
  void ReadLibraries() {
    const fs::path prog = fs::path(package_.directory) / "prog";
    const auto named = [&](const char* key, const std::string& name, std::size_t index) -> std::string {
      const auto fail = [&](const std::string& why) { yaml_.Fail(key, why, index); };
      if (!IsPlainFileName(name)) fail(fmt::format("found \"{}\"; expected a file of prog/", name));
      return PackageFile(package_, (fs::path("prog") / name).string(), fail);
    };
    std::vector<std::string> beside;
    const std::vector<std::string> files = yaml_.TextList("extra_compilation_files");
    for (std::size_t i = 0; i < files.size(); ++i) beside.push_back(named("extra_compilation_files", files[i], i));
    std::optional<YamlMap> arguments = yaml_.OptionalMap("extra_compilation_args");
    for (const char* language : {"c", "cpp", "pas", "java", "py"}) {
      Grader grader{.extension = language, .has_main = false, .beside = beside};
      const bool has_words = arguments && arguments->Has(language);
      const std::vector<std::string> words = !has_words ? std::vector<std::string>() : arguments->IsList(language) ? arguments->TextList(language) : std::vector<std::string>{arguments->Text(language)};
      for (const std::string& word : words) {
        if (!grader.path.empty() || word.starts_with('-') || !fs::exists(prog / word)) {
          arguments->Fail(language, fmt::format("found \"{}\"; expected one source of prog/: options of a compiler are not given on here", word));
        }
        grader.path = fs::absolute(prog / word).lexically_normal();
      }
      if (grader.path.empty() && beside.empty()) continue;
      package_.graders.push_back(std::move(grader));
      package_.whole_programs_too = true;
    }
    if (arguments) FinishReading(*arguments, &package_);
  }

  // In the order of the tests. Where a test's name says no group there are no points.
  void MakeGroups() {
    for (std::size_t test = 0; test < package_.tests.size() && !task_.empty(); ++test) {
      const std::string name = GroupOf(package_.tests[test].name, task_);
      if (name.empty()) {
        package_.groups.clear();
        package_.warnings.push_back(fmt::format("{}: its name says no group, as {}1a.in would: so no test has points", package_.tests[test].input, task_));
        return;
      }
      auto known = GroupNamed(package_.groups, name);
      if (!known) {
        known = package_.groups.size();
        package_.groups.push_back({.name = name, .points = 0, .rule = GroupRule::kLeast});
      }
      package_.groups[*known].tests.push_back(test);
    }
    std::stable_sort(package_.groups.begin(), package_.groups.end(), [](const TestGroup& a, const TestGroup& b) { return NaturallyBefore(a.name, b.name); });
  }

  void ReadScores() {
    if (package_.ends_at_failure || package_.groups.empty()) {
      Tell({"scores", "subtask_dependencies"}, package_.ends_at_failure ? "an ICPC contest knows no points" : "not every test's name says its group, so there are no points");
      package_.groups.clear();
      return;
    }
    const auto scores = yaml_.TextMap("scores");
    for (const auto& [name, text] : scores) {
      const double points = Points("scores", text);
      const auto group = GroupNamed(package_.groups, name);
      if (group) package_.groups[*group].points = points;
      else package_.warnings.push_back(fmt::format("{}: scores: group {} is worth {} and has no tests", yaml_.Place("scores"), name, CountOfPoints(points)));
    }
    if (scores.empty()) DivideAHundred();
    for (const TestGroup& group : package_.groups) {
      const bool is_named = std::any_of(scores.begin(), scores.end(), [&](const auto& score) { return score.first == group.name; });
      if (!scores.empty() && !is_named && group.name != "0") package_.warnings.push_back(fmt::format("{}: scores: group {} has tests, and no points", yaml_.Place("scores"), group.name));
    }
    if (!yaml_.Has("subtask_dependencies")) return;
    YamlMap needs = *yaml_.OptionalMap("subtask_dependencies");
    for (TestGroup& group : package_.groups) {
      for (const std::string& need : needs.TextList(group.name)) {
        const auto known = GroupNamed(package_.groups, need);
        if (!known) yaml_.Fail("subtask_dependencies", fmt::format("found {}; no test is of such a group", need));
        group.needs.push_back(*known);
      }
    }
    needs.Finish();
  }

  double Points(const char* key, const std::string& text) const {
    double points = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), points);
    if (error != std::errc() || end != text.data() + text.size() || !(points >= 0 && points <= 1e6)) yaml_.Fail(key, fmt::format("found \"{}\"; expected points", text));
    return points;
  }

  // Without `scores` each group but the examples has the same, and the last ones what is left.
  void DivideAHundred() {
    std::vector<TestGroup*> scored;
    for (TestGroup& group : package_.groups) {
      if (group.name != "0") scored.push_back(&group);
    }
    for (std::size_t i = 0; i < scored.size(); ++i) {
      const std::size_t each = 100 / scored.size(), left = 100 % scored.size();
      scored[i]->points = static_cast<double>(each + (i + left >= scored.size() ? 1 : 0));
    }
  }

  // time_limits and memory_limits: by a group's number, or by a test's name without the task's.
  void LimitTests(YamlMap* yaml) {
    Apply(yaml, "time_limits", [](PackageTest* test, std::uint64_t ms) { test->time = Milliseconds(static_cast<std::int64_t>(ms)); }, kMostMs);
    Apply(yaml, "memory_limits", [](PackageTest* test, std::uint64_t kib) { test->memory = Bytes::KiB(kib); }, kMostKib);
  }

  template <typename Set>
  void Apply(YamlMap* yaml, const char* key, Set set, std::uint64_t most) {
    std::optional<YamlMap> limits = yaml->OptionalMap(key);
    if (!limits) return;
    has_limits_ = true;
    // Groups first: a test's own limit goes over its group's.
    for (const bool of_groups : {true, false}) {
      for (PackageTest& test : package_.tests) {
        const std::string name = of_groups ? GroupOf(test.name, task_) : test.name.substr(test.name.starts_with(task_) ? task_.size() : 0);
        if (name.empty()) continue;
        if (const auto limit = limits->OptionalCount(name, 1, most)) set(&test, *limit);
      }
    }
    FinishReading(*limits, &package_);
  }

  void ReadOverrides() {
    for (auto& [language, yaml] : yaml_.Maps("override_limits")) {
      has_limits_ = true;
      package_.language_limits.push_back({language, Duration("time_limit", &yaml), Kibibytes("memory_limit", &yaml)});
      for (const char* key : {"time_limits", "memory_limits"}) {
        if (yaml.Has(key)) package_.warnings.push_back(fmt::format("{}: override_limits.{}.{}: limits of groups of one language are not applied", yaml.Place(key), language, key));
      }
      FinishReading(yaml, &package_);
    }
  }

  void ReadPrograms() {
    const fs::path prog = fs::path(package_.directory) / "prog";
    if (task_.empty()) return;
    if (const auto checker = SourceNamed(prog, task_ + "chk")) package_.checker = *checker;
    if (const auto validator = SourceNamed(prog, task_ + "inwer")) package_.input_validators.push_back({.path = *validator});
    if (const auto generator = SourceNamed(prog, task_ + "ingen")) {
      if (generator->extension() != ".sh") package_.ingen = *generator;
      else package_.warnings.push_back(generator->string() + ": generators in shell, which run other programs, are not run");
    }
    for (const fs::path& source : SourcesIn(prog)) {
      if (source.stem().string().starts_with(task_)) AddSubmission(source);
      else TellOfStranger(source);
    }
    ReadExpectedScores();
  }

  // ID.cpp, IDs2.cpp, IDb1_slow.py; what else is there are tools.
  void AddSubmission(const fs::path& source) {
    const std::string stem = source.stem();
    std::string rest = stem.substr(task_.size());
    const char kind = !rest.empty() && (rest[0] == 's' || rest[0] == 'b') ? rest[0] : ' ';
    if (kind != ' ') rest.erase(0, 1);
    rest.erase(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
    if (!rest.empty() && rest[0] != '_') return;
    const std::string name = fs::path("prog") / source.filename();
    Submission submission{.name = name, .path = source, .expected = {}, .is_model = stem == task_};
    if (kind == 's') submission.expected = ExpectOneOf(name, {ResultCode::kOk, ResultCode::kTle, ResultCode::kMle});
    else submission.expected = kind == 'b' ? ExpectFailure(name) : ExpectRight(name);
    package_.submissions.push_back(std::move(submission));
  }

  // Where the task's name is misspelt, all programs look like this.
  void TellOfStranger(const fs::path& source) {
    const bool is_library = std::any_of(package_.graders.begin(), package_.graders.end(), [&](const Grader& grader) {
      return grader.path == source || std::find(grader.beside.begin(), grader.beside.end(), source) != grader.beside.end();
    });
    const std::string stem = source.stem();
    const bool is_of_task = std::any_of(std::begin(kTools), std::end(kTools), [&](std::string_view tool) { return stem.size() > tool.size() && stem.ends_with(tool); });
    if (is_of_task && !is_library) package_.warnings.push_back(fmt::format("{}: its name does not begin with the task's, {}: it is not used", source.string(), task_));
  }

  // What sinol-make writes there once it has run everything: points are compared, verdicts follow from them.
  void ReadExpectedScores() {
    for (auto& [file, yaml] : yaml_.Maps("sinol_expected_scores")) {
      const std::string& wanted = file;  // a structured binding is not captured everywhere
      const auto submission = std::find_if(package_.submissions.begin(), package_.submissions.end(), [&](const Submission& one) { return fs::path(one.name).filename() == wanted; });
      if (submission == package_.submissions.end()) {
        package_.warnings.push_back(fmt::format("{}: sinol_expected_scores.{}: no such program in prog/", yaml_.Place("sinol_expected_scores"), file));
        continue;
      }
      Promise expected{.word = "sinol_expected_scores", .points = yaml.OptionalNumber("points", 0, 1e6)};
      if (std::optional<YamlMap> of_groups = yaml.OptionalMap("expected")) {
        for (const TestGroup& group : package_.groups) {
          if (!of_groups->IsMap(group.name)) continue;  // a verdict alone, as older releases write it
          if (const auto points = of_groups->OptionalMap(group.name)->OptionalNumber("points", 0, 1e6)) expected.group_points.emplace_back(group.name, *points);
        }
      }
      submission->expected = std::move(expected);
    }
  }

  Package& package_;
  YamlMap yaml_;
  std::string task_;
  bool has_limits_ = false;
};

}  // namespace

void ReadSinolPackage(Package* package) { Config(package).Read(); }

}  // namespace tally
