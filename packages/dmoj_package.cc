// DMOJ's package: init.yml, with tests in the folder or in an archive.
// Source: the judge's documentation ("Problem format", "Checkers", "Custom graders").
//
// init.yml has no limits: the site keeps them. What changes a verdict and is not done here is refused with its place: graders that are not
// interactive, signatures, tests made while judging.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "packages/dmoj_python.h"
#include "packages/formats.h"
#include "packages/zip_file.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "init.yml";
constexpr Bytes kMostUnpacked = Bytes::MiB(4096), kMostOfAStranger = Bytes::MiB(256);

class Init {
 public:
  explicit Init(Package* package) : package_(*package), yaml_(YamlMap::FromFile(package->directory + "/" + kName)) {}

  void Read() {
    for (const char* key : {"signature_grader", "grader", "generator", "meta", "type"}) {
      if (yaml_.Has(key)) yaml_.Fail(key, "such problems are not judged here yet");
    }
    if (std::optional<YamlMap> files = yaml_.OptionalMap("file_io")) {
      for (const auto& [key, name] : {std::pair{"input", &package_.input_file}, {"output", &package_.output_file}}) {
        *name = files->OptionalText(key).value_or("");
        if (!name->empty() && !IsPlainFileName(*name)) files->Fail(key, fmt::format("found \"{}\"; expected a plain file name", *name));
      }
      FinishReading(*files, &package_);
    }
    if (const auto bytes = yaml_.OptionalCount("output_limit_length", 1, 1ULL << 40)) {
      package_.output = Bytes{*bytes};
      package_.limits_from = kName;
    }
    for (const char* key : {"wall_time_factor", "output_prefix_length", "binary_data"}) {
      if (yaml_.Has(key)) package_.warnings.push_back(fmt::format("{}: {}: this is not applied", yaml_.Place(key), key));
    }
    ReadInteractor();
    const bool has_program = ReadProgram();
    if (!has_program) compare_ = CheckerAt(&yaml_).value_or(kSameWords);
    if (package_.interactor) compare_.reset();  // who talks to the solution has the last word
    if (!yaml_.IsList("test_cases")) yaml_.Fail("test_cases", "expected a list of cases, each after a dash (cases by patterns of names are not read here yet)");
    for (const char* key : {"pretest_test_cases", "test_cases"}) {
      for (YamlMap& entry : yaml_.MapList(key)) ReadEntry(&entry);
    }
    Place();
    if (package_.made) {
      for (PackageTest& test : package_.tests) test.checker_arguments = {kPoints, module_arguments_};
    }
    yaml_.AlsoKnows({"archive", "unbuffered", "hints", "points", "in", "out", "symlinks"});
    FinishReading(yaml_, &package_);
  }

 private:
  // {files: talk.cpp, type: testlib}, or a grader in Python.
  void ReadInteractor() {
    if (const auto grader = yaml_.OptionalText("custom_judge")) {
      package_.interactor = InteractorProgram{.path = ProgramOf(DmojModule::kGrader, &yaml_, "custom_judge", *grader)};
      return;
    }
    if (!yaml_.Has("interactive")) return;
    YamlMap interactive = *yaml_.OptionalMap("interactive");
    InteractorProgram program;
    program.path = FilesOf(&interactive, &program.more_sources);
    program.writes_nothing = TypeOf(&interactive) == "default";
    interactive.AlsoKnows({"lang", "preprocessing_time", "memory_limit", "compiler_time_limit", "feedback", "flags", "cached", "unbuffered"});
    FinishReading(interactive, &package_);
    package_.interactor = std::move(program);
  }

  // A checker that is a program: a module in Python, or {name: bridged, args: {files: check.cpp, type: testlib}}.
  bool ReadProgram() {
    if (!yaml_.Has("checker")) return false;
    std::optional<YamlMap> map;
    if (yaml_.IsMap("checker")) map = yaml_.OptionalMap("checker");
    const std::string name = map ? map->Text("name") : yaml_.Text("checker");
    if (name.ends_with(".py")) {
      if (map && map->Has("args")) module_arguments_ = ArgumentsOf(&*map);
      package_.checker = ProgramOf(DmojModule::kChecker, map ? &*map : &yaml_, map ? "name" : "checker", name);
    } else if (name == "bridged") {
      if (!map || !map->IsMap("args")) yaml_.Fail("checker", "expected args with the files of the program, like {name: bridged, args: {files: check.cpp}}");
      YamlMap arguments = *map->OptionalMap("args");
      package_.checker = FilesOf(&arguments, &package_.checker_sources);
      TypeOf(&arguments);
      if (const auto words = arguments.OptionalText("args"); words && *words != "{input} {output} {answer}") arguments.Fail("args", "found other arguments; only {input} {output} {answer} are given here yet");
      arguments.AlsoKnows({"lang", "time_limit", "memory_limit", "compiler_time_limit", "feedback", "flags", "cached"});
      FinishReading(arguments, &package_);
    } else {
      return false;
    }
    if (map) FinishReading(*map, &package_);
    package_.protocol = CheckerProtocol::kTestlib;
    return true;
  }

  std::string FilesOf(YamlMap* yaml, std::vector<std::string>* more) const {
    const std::vector<std::string> names = yaml->IsList("files") ? yaml->TextList("files") : std::vector<std::string>{yaml->Text("files")};
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(PackageFile(package_, name, [&](const std::string& why) { yaml->Fail("files", why); }));
    if (paths.empty()) yaml->Fail("files", "found no files; expected one at least");
    more->assign(paths.begin() + 1, paths.end());
    return paths.front();
  }

  std::string TypeOf(YamlMap* yaml) {
    const std::string type = yaml->OptionalWord("type", {"default", "testlib"}).value_or("default");
    if (type == "testlib") package_.warnings.push_back(fmt::format("{}: type: \"points N\" is taken as N percent of a test's points", yaml->Place("type")));
    return type;
  }

  std::string ProgramOf(DmojModule kind, YamlMap* yaml, const char* key, const std::string& name) {
    const std::string path = PackageFile(package_, name, [&](const std::string& why) { yaml->Fail(key, why); });
    auto folder = std::make_shared<TemporaryDirectory>();
    const std::string program = folder->File(kind == DmojModule::kChecker ? "checker.py" : "grader.py");
    WriteFileAtomically(program, ProgramOfDmojModule(kind, name, sys::ReadFile(path)), key);
    if (package_.made) yaml->Fail(key, "a grader has the last word; a checker in Python beside it is not asked");
    package_.made = std::move(folder);
    return program;
  }

  // As JSON: numbers and truth as such, all else as texts.
  static std::string ArgumentsOf(YamlMap* map) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, text] : map->TextMap("args")) {
      const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
      object[key] = value.is_number() || value.is_boolean() ? value : nlohmann::json(text);
    }
    return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }

  // A case of its own, or a batch.
  void ReadEntry(YamlMap* entry) {
    TestGroup group{.name = std::to_string(package_.groups.size() + 1), .points = entry->OptionalNumber("points", 0, 1e6).value_or(1)};
    if (!entry->Has("batched")) {
      group.tests.push_back(ReadCase(entry, group.name));
    } else {
      group.stops = true;
      std::size_t index = 0;
      for (YamlMap& one : entry->MapList("batched")) {
        group.tests.push_back(ReadCase(&one, fmt::format("{}.{}", group.name, ++index)));
        FinishReading(one, &package_);
      }
      if (group.tests.empty()) entry->Fail("batched", "found no cases; expected one at least");
      const std::vector<std::string> needs = entry->TextList("dependencies");
      for (std::size_t i = 0; i < needs.size(); ++i) {
        const auto need = GroupNamed(package_.groups, needs[i]);
        if (!need) entry->Fail("dependencies", fmt::format("found {}; expected the number of a batch before this one", needs[i]), i);
        group.needs.push_back(*need);
      }
    }
    for (const char* key : {"generator_args", "generator"}) {
      if (entry->Has(key)) entry->Fail(key, "tests that are made while judging are not judged here yet");
    }
    entry->AlsoKnows({"is_pretest"});
    FinishReading(*entry, &package_);
    package_.groups.push_back(std::move(group));
  }

  std::size_t ReadCase(YamlMap* yaml, const std::string& name) {
    const std::optional<CompareRules> own = CheckerAt(yaml), compare = own ? own : compare_;
    if (own && (package_.checker || package_.interactor)) yaml->Fail("checker", "a case has a checker of its own, and the problem a program that judges");
    package_.tests.push_back({.name = name, .input = yaml->Text("in"), .answer = yaml->Text("out"), .compare = compare});
    places_.push_back(yaml->Place("in"));
    yaml->AlsoKnows({"points", "is_pretest", "output_limit_length", "output_prefix_length"});
    return package_.tests.size() - 1;
  }

  // "standard", or {name: floats, args: {precision: 6}}. A file is a checker in Python of the judge's own kind.
  std::optional<CompareRules> CheckerAt(YamlMap* yaml) const {
    if (!yaml->Has("checker")) return std::nullopt;
    std::optional<YamlMap> map;
    if (yaml->IsMap("checker")) map = yaml->OptionalMap("checker");
    const std::string name = map ? map->Text("name") : yaml->Text("checker");
    std::optional<YamlMap> arguments = map ? map->OptionalMap("args") : std::nullopt;
    if (name == "standard") return kSameWords;
    if (name == "easy") return CompareRules{CompareRules::Kind::kTolerant, {}};
    if (name == "identical") return CompareRules{CompareRules::Kind::kBytes};
    if (name == "rstripped") return CompareRules{CompareRules::Kind::kLines};
    if (name == "sorted" || name == "unordered") {
      const auto by = arguments ? arguments->OptionalWord("split_on", {"lines", "whitespace"}) : std::nullopt;
      const bool by_words = by ? *by == "whitespace" : name == "unordered";
      return CompareRules{by_words ? CompareRules::Kind::kUnorderedWords : CompareRules::Kind::kUnorderedLines};
    }
    if (name == "floats") return Floats(arguments ? &*arguments : nullptr);
    yaml->Fail("checker", fmt::format("found {}; expected standard, easy, identical, rstripped, sorted, unordered or floats", name));
  }

  static CompareRules Floats(YamlMap* arguments) {
    CompareRules rules{CompareRules::Kind::kTolerant, {.case_sensitive = true}};
    constexpr std::uint64_t kDigits = 6;
    const std::uint64_t digits = arguments != nullptr ? arguments->OptionalCount("precision", 0, 18).value_or(kDigits) : kDigits;
    const auto mode = arguments != nullptr ? arguments->OptionalWord("error_mode", {"default", "absolute", "relative"}) : std::nullopt;
    const double tolerance = std::pow(10.0, -static_cast<double>(digits));
    if (mode != "relative") rules.tolerant.absolute_tolerance = tolerance;
    if (mode != "absolute") rules.tolerant.relative_tolerance = tolerance;
    return rules;
  }

  // Names become paths: of what the archive holds, else of files below the folder.
  void Place() {
    std::map<std::string, std::string> unpacked;
    if (const auto archive = yaml_.OptionalText("archive")) {
      std::set<std::string> names;
      for (const PackageTest& test : package_.tests) names.insert({test.input, test.answer});
      const std::string path = PackageFile(package_, *archive, [&](const std::string& why) { yaml_.Fail("archive", why); });
      auto folder = std::make_shared<TemporaryDirectory>();
      unpacked = UnpackFiles(path, names, folder->path(), package_.reading.from == PackageFrom::kStranger ? kMostOfAStranger : kMostUnpacked);
      package_.unpacked = std::move(folder);
    }
    for (std::size_t i = 0; i < package_.tests.size(); ++i) {
      for (std::string* name : {&package_.tests[i].input, &package_.tests[i].answer}) {
        if (const auto found = unpacked.find(*name); found != unpacked.end()) {
          *name = found->second;
          continue;
        }
        const fs::path path = fs::path(package_.directory) / *name;
        if (!IsBelow(path, package_.directory)) throw UserError(fmt::format("{}: found {}; expected a file of the package", places_[i], *name));
        if (!fs::is_regular_file(path)) throw UserError(fmt::format("{}: {} is not there", places_[i], path.string()));
        *name = fs::absolute(path).lexically_normal();
      }
    }
    if (package_.tests.empty()) yaml_.Fail("test_cases", "expected a case at least");
  }

  static constexpr const char* kPoints = "100";  // what a module calls a test's points are percent of them here

  Package& package_;
  YamlMap yaml_;
  std::optional<CompareRules> compare_;  // none where a program checks
  std::string module_arguments_ = "{}";
  std::vector<std::string> places_;  // beside the tests
};

}  // namespace

void ReadDmojPackage(Package* package) { Init(package).Read(); }

}  // namespace tally
