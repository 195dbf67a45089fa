// Points of Kattis' problems: each folder with tests is a group, and says in its testdata.yaml (legacy) or test_group.yaml (2023-07) what
// it is worth. Source: the problem package format, "Test Data Groups" and "Default Grader Specification".
//
// Groups of groups are summed here; one that asks for more of its groups is refused with its place.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// What a folder says, each over the folder around it.
struct Grading {
  double accept_score = 1;
  GroupRule rule = GroupRule::kSum;
  bool is_whole = false;       // accept_score is of the group and not of each test: 2023-07's max_score
  bool stops = true;           // on_reject: break
  bool ignores_sample = false;
  std::vector<std::string> needs;
  std::string place;           // where the rule is said
};

// Keys that the reader of flags knows, that mean nothing here, and, where there are no points, those of points.
void FinishGroupFile(YamlMap* yaml, Package* package) {
  yaml->AlsoKnows({"input_validator_flags", "output_validator_flags", "input_validator_args", "output_validator_args", "args", "reject_score", "range",
                   "full_feedback", "static_validation", "hint", "description", "verdict_aggregation"});
  FinishReading(*yaml, package);
}

class Groups {
 public:
  Groups(Package* package, fs::path data) : package_(*package), data_(std::move(data)) {}

  void Read() {
    const bool ignores_sample = GradingOf(data_).ignores_sample;
    std::vector<std::vector<std::string>> needs;
    for (std::size_t i = 0; i < package_.tests.size(); ++i) {
      const fs::path folder = fs::path(package_.tests[i].input).parent_path();
      const std::string name = IsBelow(folder, data_) ? folder.lexically_relative(data_).string() : "data";
      auto known = GroupNamed(package_.groups, name);
      if (!known) {
        known = package_.groups.size();
        const Grading grading = GradingOf(folder);
        RequireSums(folder);
        package_.groups.push_back({.name = name, .rule = grading.rule, .stops = grading.stops});
        needs.push_back(grading.needs);
      }
      package_.groups[*known].tests.push_back(i);
    }
    for (std::size_t i = 0; i < package_.groups.size(); ++i) {
      TestGroup& group = package_.groups[i];
      const Grading grading = GradingOf(data_ / group.name);
      const bool is_ignored = ignores_sample && (group.name == "sample" || group.name.starts_with("sample/"));
      const double each = is_ignored ? 0 : grading.accept_score;
      group.points = group.rule == GroupRule::kSum && !grading.is_whole ? each * static_cast<double>(group.tests.size()) : each;
      // Answers right in part count where scores are summed: a failure is the end only of what is all or nothing.
      if (group.rule == GroupRule::kSum) group.stops = false;
      for (const std::string& need : needs[i]) {
        const auto found = GroupNamed(package_.groups, need);
        if (!found) throw UserError(fmt::format("{}: require_pass: {} is no folder of tests", grading.place, need));
        group.needs.push_back(*found);
      }
    }
  }

 private:
  const Grading& GradingOf(const fs::path& folder) {
    if (const auto found = known_.find(folder); found != known_.end()) return found->second;
    Grading grading = folder == data_ || !IsBelow(folder, data_) ? Grading{} : GradingOf(folder.parent_path());
    grading.needs.clear();
    for (const fs::path& file : KattisGroupFiles(folder)) ReadInto(file, &grading);
    return known_.emplace(folder, std::move(grading)).first->second;
  }

  void ReadInto(const fs::path& file, Grading* grading) {
    YamlMap yaml = YamlMap::FromFile(file);
    grading->place = file;
    if (const auto score = yaml.OptionalNumber("accept_score", 0, 1e6)) grading->accept_score = *score;
    if (const auto word = yaml.OptionalWord("on_reject", {"break", "continue", "first_error", "worst_error", "grade"})) grading->stops = *word == "break" || *word == "first_error";
    if (const auto word = yaml.OptionalWord("grading", {"default", "custom"}); word == "custom") yaml.Fail("grading", "graders of a package's own are not run here yet");
    std::istringstream flags(yaml.TextOrEmpty("grader_flags"));
    for (std::string flag; flags >> flag;) ReadFlag(flag, yaml, grading);
    if (std::optional<YamlMap> scoring = yaml.OptionalMap("scoring")) {
      ReadScoring(&*scoring, "score", "aggregation", grading);
      FinishReading(*scoring, &package_);
    }
    ReadScoring(&yaml, "max_score", "score_aggregation", grading);
    FinishGroupFile(&yaml, &package_);
  }

  static void ReadFlag(const std::string& flag, const YamlMap& yaml, Grading* grading) {
    if (flag == "min") grading->rule = GroupRule::kLeast;
    else if (flag == "sum") grading->rule = GroupRule::kSum;
    else if (flag == "ignore_sample") grading->ignores_sample = true;
    else if (flag != "no_errors" && flag != "first_error" && flag != "worst_error") {
      yaml.Fail("grader_flags", fmt::format("found {}; expected min, sum, ignore_sample, first_error, worst_error or no_errors", flag));
    }
  }

  static void ReadScoring(YamlMap* yaml, const char* score, const char* aggregation, Grading* grading) {
    if (const auto most = yaml->OptionalNumber(score, 0, 1e6)) {
      grading->accept_score = *most;
      grading->is_whole = true;
    }
    if (const auto word = yaml->OptionalWord(aggregation, {"pass-fail", "sum", "min"})) grading->rule = *word == "sum" ? GroupRule::kSum : GroupRule::kLeast;
    for (const std::string& need : yaml->IsList("require_pass") ? yaml->TextList("require_pass") : std::vector<std::string>{}) grading->needs.push_back(need);
  }

  // Of the folders around one with tests.
  void RequireSums(const fs::path& folder) {
    for (fs::path around = folder.parent_path(); around == data_ || IsBelow(around, data_); around = around.parent_path()) {
      if (const Grading& grading = GradingOf(around); grading.rule != GroupRule::kSum) {
        throw UserError(fmt::format("{}: the groups below are not summed; such scores are not made here yet", grading.place));
      }
    }
  }

  Package& package_;
  fs::path data_;
  std::map<fs::path, Grading> known_;
};

}  // namespace

std::vector<fs::path> KattisGroupFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* name : {"testdata.yaml", "test_group.yaml"}) {
    const fs::path file = folder / name;
    if (!fs::exists(file)) continue;
    if (!fs::is_regular_file(file)) throw UserError(fmt::format("{}: expected a regular file", file.string()));
    if (!fs::is_empty(file)) files.push_back(file);
  }
  return files;
}

void CheckKattisGroups(Package* package, const fs::path& data) {
  std::set<fs::path> folders;
  for (const PackageTest& test : package->tests) {
    for (fs::path folder = fs::path(test.input).lexically_normal().parent_path(); folder == data || IsBelow(folder, data); folder = folder.parent_path()) folders.insert(folder);
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& file : KattisGroupFiles(folder)) {
      YamlMap yaml = YamlMap::FromFile(file);
      yaml.AlsoKnows({"accept_score", "on_reject", "grading", "grader_flags", "scoring", "max_score", "score_aggregation", "require_pass"});
      FinishGroupFile(&yaml, package);
    }
  }
}

void ReadKattisGroups(Package* package, const fs::path& data) { Groups(package, data).Read(); }

}  // namespace tally
