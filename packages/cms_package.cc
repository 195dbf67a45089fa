// CMS' package ("italian format"): task.yaml, input/inputN.txt beside output/outputN.txt, gen/GEN, cor/ or check/.
// Source: the CMS manual ("Importing a contest", "Italian import format") and its score types (GroupMin, GroupMul, GroupThreshold, Sum).
//
// What changes a verdict and is not done here is refused with its place: two steps.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <tuple>

#include "base/error.h"
#include "base/units.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "task.yaml";
constexpr std::uint64_t kMostTests = 10'000;
constexpr const char *kGroups = "[[20, 3], [80, 5]]", *kWithThresholds = "[[20, 3, 0.5], [80, 5, 1]]";

class Task {
 public:
  explicit Task(Package* package) : package_(*package), directory_(package->directory), yaml_(YamlMap::FromFile(package->directory + "/" + kName)) {}

  void Read() {
    name_ = yaml_.TextOrEmpty(Key("name", "nome_breve"));
    package_.title = yaml_.TextOrEmpty(Key("title", "nome"));
    if (package_.title.empty()) package_.title = name_;
    package_.time = OptionalSeconds(&yaml_, Key("time_limit", "timeout"));
    if (const auto mib = yaml_.OptionalCount(Key("memory_limit", "memlimit"), 1, 1ULL << 30)) package_.memory = Bytes::MiB(*mib);
    total_ = yaml_.OptionalNumber("total_value", 0, 1e6).value_or(total_);
    if (package_.time || package_.memory) package_.limits_from = kName;
    RefuseKinds();
    ReadTests();
    ReadChecker();
    if (!ReadScoreType()) ReadGen();
    ReadSolutions();
    yaml_.AlsoKnows({"n_input", "public_testcases", "risultati", "token_mode", "token_max_number", "token_min_interval", "token_gen_initial",
                     "token_gen_number", "token_gen_interval", "token_gen_max", "max_submission_number", "max_user_test_number",
                     "min_submission_interval", "min_user_test_interval", "score_precision", "score_mode", "feedback_level", "primary_language",
                     "statements", "attachments", "short_name", "syllabuslevel", "difficulty", "source", "author", "tags"});
    FinishReading(yaml_, &package_);
  }

 private:
  // Older packages have other names; where there are both, the new one counts, as in CMS.
  const char* Key(const char* key, const char* older) { return yaml_.Has(older) && !yaml_.Has(key) ? older : key; }

  void RefuseKinds() {
    // Without the keys a program reads and writes files; "" is its standard stream.
    for (const auto& [key, name, usual] : {std::tuple{"infile", &package_.input_file, "input.txt"}, {"outfile", &package_.output_file, "output.txt"}}) {
      *name = yaml_.Has(key) ? yaml_.TextOrEmpty(key) : usual;  // without a value, too
      if (!name->empty() && !IsPlainFileName(*name)) yaml_.Fail(key, fmt::format("found \"{}\"; expected a plain file name, or \"\"", *name));
    }
    const auto type = yaml_.OptionalWord("task_type", {"Batch", "Communication", "OutputOnly", "TwoSteps"});
    if (type == "TwoSteps") yaml_.Fail("task_type", "found TwoSteps; such problems are not judged here yet");
    package_.output_only = yaml_.Bool("output_only", type == "OutputOnly");
    if (type && (*type == "OutputOnly") != package_.output_only) yaml_.Fail("task_type", fmt::format("found {}, where output_only is {}", *type, package_.output_only));
    if (!package_.output_only) ReadManager();
    if (type == "Communication" && !package_.interactor) yaml_.Fail("task_type", "found Communication, and there is no check/manager");
    if (type == "Batch" && package_.interactor) yaml_.Fail("task_type", "found Batch, and there is a check/manager, which talks to solutions");
  }

  // Who talks to the solution, compiled with its stub, by fifos.
  void ReadManager() {
    constexpr std::uint64_t kMostProcesses = 16;
    const auto processes = yaml_.OptionalCount("num_processes", 1, kMostProcesses);
    const bool std_io = yaml_.OptionalWord("user_io", {"fifo_io", "std_io"}) == "std_io";
    for (const char* folder : {"check", "cor"}) {
      const auto source = SourceNamed(directory_ / folder, "manager");
      const fs::path executable = directory_ / folder / "manager";
      if (!source && !fs::is_regular_file(executable)) continue;
      package_.interactor = InteractorProgram{.path = source ? source->string() : fs::absolute(executable).string(), .protocol = CheckerProtocol::kCms, .processes = static_cast<unsigned>(processes.value_or(1)), .std_io = std_io};
      package_.input_file.clear();
      package_.output_file.clear();
      return;
    }
    if (processes && *processes > 1) yaml_.Fail("num_processes", "there is no check/manager for them to talk to");
  }

  void ReadTests() {
    const fs::path inputs = directory_ / "input", answers = directory_ / "output";
    for (std::uint64_t i = 0; i < kMostTests; ++i) {
      const fs::path input = inputs / fmt::format("input{}.txt", i);
      if (!fs::exists(input)) break;
      for (const fs::path& file : {input, answers / fmt::format("output{}.txt", i)}) {
        if (fs::exists(file) && !fs::is_regular_file(file)) throw UserError(fmt::format("{}: expected a regular file", file.string()));
      }
      const fs::path answer = answers / fmt::format("output{}.txt", i);
      if (!fs::exists(answer)) throw UserError(fmt::format("{}: its answer {} is missing", input.string(), answer.string()));
      PackageTest& test = package_.tests.emplace_back(PackageTest{.name = std::to_string(i), .input = fs::absolute(input), .answer = fs::absolute(answer)});
      if (package_.output_only) test.submitted = fmt::format("output_{:03}.txt", i);
    }
    RefuseGaps(inputs);
    const auto told = yaml_.OptionalCount("n_input", 0, kMostTests);
    if (told && *told != package_.tests.size()) {
      yaml_.Fail("n_input", fmt::format("found {}, and {} has {} (a package whose tests were not made: make them first)", *told, inputs.string(), CountOf(package_.tests.size(), "test")));
    }
    if (package_.tests.empty()) throw UserError(fmt::format("{}: no tests found; expected input0.txt and on", inputs.string()));
  }

  // Who has lost a test should hear of it, and not be judged by those before it.
  void RefuseGaps(const fs::path& inputs) const {
    const std::size_t next = package_.tests.size();
    std::error_code error;
    for (fs::directory_iterator entry(inputs, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename();
      std::uint64_t number = 0;
      constexpr std::string_view kBegin = "input", kEnd = ".txt";
      if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size()) continue;
      const char* const end = name.data() + name.size() - kEnd.size();
      const auto [read, wrong] = std::from_chars(name.data() + kBegin.size(), end, number);
      if (wrong != std::errc() || read != end || number < next) continue;
      const std::string why = number != next ? fmt::format("there is no input{}.txt before it", next) : next == kMostTests ? fmt::format("more than {} tests", kMostTests) : "expected a regular file";
      throw UserError(entry->path().string() + ": " + why);
    }
  }

  void ReadChecker() {
    for (const char* folder : {"check", "cor"}) {
      for (const char* name : {"checker", "correttore"}) {
        const auto source = SourceNamed(directory_ / folder, name);
        const fs::path executable = directory_ / folder / name;
        if (!source && !fs::is_regular_file(executable)) continue;
        package_.checker = source ? *source : fs::absolute(executable);
        package_.protocol = CheckerProtocol::kCms;
        return;
      }
    }
  }

  // score_type and score_type_parameters, if they are there: [[points, number of tests], ...] or one number for Sum.
  bool ReadScoreType() {
    const auto type = yaml_.OptionalWord("score_type", {"Sum", "GroupMin", "GroupMul", "GroupThreshold"});
    if (!type) return false;
    if (type == "Sum") {
      const double each = yaml_.OptionalNumber("score_type_parameters", 0, 1e6).value_or(total_ / static_cast<double>(package_.tests.size()));
      AddGroup("all", GroupRule::kSum, each * static_cast<double>(package_.tests.size()), package_.tests.size());
      return true;
    }
    const bool has_thresholds = type == "GroupThreshold";
    if (!yaml_.Has("score_type_parameters")) yaml_.Fail("score_type", fmt::format("found {}; it needs score_type_parameters, like {}", *type, has_thresholds ? kWithThresholds : kGroups));
    const auto groups = yaml_.Commands("score_type_parameters");
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto points = NumberIn(groups[i].front());
      const auto tests = groups[i].size() == (has_thresholds ? 3 : 2) ? NumberIn(groups[i][1]) : std::nullopt;
      if (!points || !tests || *tests < 1 || *tests != std::floor(*tests)) {
        yaml_.Fail("score_type_parameters", fmt::format("expected the points{} the number of tests{} of each group, like {}", has_thresholds ? "," : " and", has_thresholds ? " and the threshold" : "", has_thresholds ? kWithThresholds : kGroups), i);
      }
      AddGroup(std::to_string(i), has_thresholds ? GroupRule::kThreshold : type == "GroupMin" ? GroupRule::kLeast : GroupRule::kProduct, *points, static_cast<std::size_t>(*tests));
      if (!has_thresholds) continue;
      const auto threshold = NumberIn(groups[i][2]);
      // What a checker says is a part of the points here, 1 at most.
      if (!threshold || *threshold > 1) yaml_.Fail("score_type_parameters", fmt::format("found the threshold {}; expected one from 0 to 1", groups[i][2]), i);
      package_.groups.back().threshold = *threshold;
    }
    RequireAllInGroups(fmt::format("{}: score_type_parameters", yaml_.Place("score_type_parameters")));
    return true;
  }

  // gen/GEN: a line for each test, and before the first of a group "#ST: POINTS". Without such lines all tests have the same.
  void ReadGen() {
    const fs::path path = directory_ / "gen" / "GEN";
    if (!fs::is_regular_file(path)) {
      AddGroup("all", GroupRule::kSum, total_, package_.tests.size());
      return;
    }
    std::ifstream file(path);
    std::size_t number = 0;
    std::vector<std::pair<double, std::size_t>> groups;
    std::size_t before = 0;  // tests without a group
    for (std::string line; std::getline(file, line);) {
      ++number;
      const std::size_t hash = line.find('#');
      const std::string comment = hash == std::string::npos ? "" : line.substr(hash + 1);
      std::istringstream words(line.substr(0, hash));
      std::string word;
      const bool is_test = static_cast<bool>(words >> word);
      std::istringstream marks(comment);
      marks >> word;
      const bool is_group = !comment.empty() && (word == "ST:" || word.starts_with("ST:"));
      const bool is_copy = !comment.empty() && word.starts_with("COPY:");
      if (is_group) {
        std::string points = word.size() > 3 ? word.substr(3) : "";
        if (points.empty()) marks >> points;
        const auto value = NumberIn(points);
        if (!value) throw UserError(fmt::format("{}:{}: found \"{}\"; expected the points of a group, like #ST: 20", path.string(), number, points));
        groups.emplace_back(*value, 0);
      } else if (is_test || is_copy) {
        ++(groups.empty() ? before : groups.back().second);
      }
    }
    if (groups.empty()) return AddGroup("all", GroupRule::kSum, total_, package_.tests.size());
    if (before != 0) throw UserError(fmt::format("{}: {} {} before the first group (#ST:)", path.string(), CountOf(before, "test"), before == 1 ? "stands" : "stand"));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].second == 0) throw UserError(fmt::format("{}: the group of {} (#ST:) has no tests", path.string(), CountOfPoints(groups[i].first)));
      AddGroup(std::to_string(i), GroupRule::kLeast, groups[i].first, groups[i].second);
    }
    RequireAllInGroups(path.string());
  }

  // Of the next `count` tests; where there are fewer, what is there.
  void AddGroup(const std::string& name, GroupRule rule, double points, std::size_t count) {
    TestGroup group{.name = name, .points = points, .rule = rule};
    wanted_ += count;
    for (; count > 0 && next_ < package_.tests.size(); --count) group.tests.push_back(next_++);
    package_.groups.push_back(std::move(group));
  }

  void RequireAllInGroups(const std::string& place) const {
    if (wanted_ != package_.tests.size()) throw UserError(fmt::format("{}: the groups have {}, and the package has {}", place, CountOf(wanted_, "test"), package_.tests.size()));
  }

  static std::optional<double> NumberIn(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1e6)) return std::nullopt;
    return value;
  }

  // sol/: nothing says what they are worth, but that the first by these names answers the tests.
  void ReadSolutions() {
    if (package_.output_only) return;  // what is there made the outputs
    for (const fs::path& source : SourcesIn(directory_ / "sol")) {
      const std::string stem = source.stem();
      const bool is_model = stem == "solution" || stem == "soluzione";
      const std::string name = fs::path("sol") / source.filename();
      if (stem == "template" || stem == "grader" || stem == "stub") continue;
      package_.submissions.push_back({.name = name, .path = source, .expected = is_model ? std::optional(ExpectRight(name)) : std::nullopt, .is_model = is_model});
    }
    package_.graders = GradersIn(directory_ / "sol", package_.interactor ? "stub" : "grader", name_);
  }

  Package& package_;
  fs::path directory_;
  YamlMap yaml_;
  std::string name_;
  double total_ = 100;      // where no groups say it
  std::size_t next_ = 0;    // the test that the next group begins with
  std::size_t wanted_ = 0;  // by all groups
};

}  // namespace

void ReadCmsPackage(Package* package) { Task(package).Read(); }

}  // namespace tally
