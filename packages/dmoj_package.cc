// DMOJ's package: init.yml, with tests in the folder or in an archive.
// Source: the judge's documentation ("Problem format", "Checkers", "Custom graders").
//
// init.yml has no limits: the site keeps them. What changes a verdict and is not done here is refused with its place: tests made while
// judging, graders of the old kind.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "packages/dmoj_cases.h"
#include "packages/dmoj_checkers.h"
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
    for (const char* key : {"grader", "generator", "meta", "type"}) {
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
    ReadSignature();
    const bool has_program = ReadProgram();
    if (!has_program) compare_ = DmojChecker(&yaml_).value_or(kSameWords);
    if (package_.interactor) compare_.reset();  // who talks to the solution has the last word
    default_points_ = yaml_.OptionalNumber("points", 0, 1e6).value_or(1);  // a case has what it does not say itself from here
    for (const char* key : {"pretest_test_cases", "test_cases"}) {
      if (!yaml_.IsList(key)) continue;
      for (YamlMap& entry : yaml_.MapList(key)) ReadEntry(&entry);
    }
    if (!yaml_.IsList("test_cases")) ReadPatterns();
    Place();
    if (package_.made) {
      for (PackageTest& test : package_.tests) test.checker_arguments = {kPoints, module_arguments_};
    }
    yaml_.AlsoKnows({"archive", "unbuffered", "hints", "points", "symlinks"});
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
    program.writes_nothing = TypeOf(&interactive, {"default", "testlib", "coci"}) == "default";
    interactive.AlsoKnows({"lang", "preprocessing_time", "memory_limit", "compiler_time_limit", "feedback", "flags", "cached", "unbuffered"});
    FinishReading(interactive, &package_);
    package_.interactor = std::move(program);
  }

  // {entry: grader.cpp, header: sum.h}: the solution has functions, and its own main, if it has one, is not begun.
  void ReadSignature() {
    if (!yaml_.Has("signature_grader")) return;
    YamlMap signature = *yaml_.OptionalMap("signature_grader");
    const auto file = [&](const char* key) { return PackageFile(package_, signature.Text(key), [&](const std::string& why) { signature.Fail(key, why); }); };
    const std::string entry = file("entry"), header = file("header");
    const bool keeps_main = signature.Bool("allow_main", false);
    FinishReading(signature, &package_);
    const std::string preamble = fmt::format("#include \"{}\"\n{}", fs::path(header).filename().string(), keeps_main ? "" : "#define main main_of_the_solution\n");
    for (const char* extension : {"c", "cpp"}) {
      package_.graders.push_back({.extension = extension, .path = entry, .beside = {header}, .preamble = preamble});
    }
  }

  // A checker that is a program: a module in Python, or {name: bridged, args: {files: check.cpp, type: testlib}}.
  bool ReadProgram() {
    if (!yaml_.Has("checker")) return false;
    bool is_peg = false;
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
      is_peg = TypeOf(&arguments, {"default", "testlib", "coci", "peg"}) == "peg";
      ReadWords(&arguments);
      arguments.AlsoKnows({"lang", "time_limit", "memory_limit", "compiler_time_limit", "feedback", "flags", "cached"});
      FinishReading(arguments, &package_);
    } else {
      return false;
    }
    if (map) FinishReading(*map, &package_);
    package_.protocol = is_peg ? CheckerProtocol::kPeg : CheckerProtocol::kTestlib;
    return true;
  }

  // A checker's arguments, where they are not those of its type.
  void ReadWords(YamlMap* yaml) {
    const std::string text = yaml->OptionalText("args").value_or("");
    if (text.find_first_of("'\"\\\n") != std::string::npos) yaml->Fail("args", "found quotes; expected words with blanks between them, like {output} {answer}");
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      if (word.find('{') != std::string::npos && word != "{input}" && word != "{output}" && word != "{answer}") {
        yaml->Fail("args", fmt::format("found {}; expected {{input}}, {{output}}, {{answer}} or a word as it is", word));
      }
      package_.checker_words.push_back(word);
      at = end;
    }
  }

  std::string FilesOf(YamlMap* yaml, std::vector<std::string>* more) const {
    const std::vector<std::string> names = yaml->IsList("files") ? yaml->TextList("files") : std::vector<std::string>{yaml->Text("files")};
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(PackageFile(package_, name, [&](const std::string& why) { yaml->Fail("files", why); }));
    if (paths.empty()) yaml->Fail("files", "found no files; expected one at least");
    more->assign(paths.begin() + 1, paths.end());
    return paths.front();
  }

  std::string TypeOf(YamlMap* yaml, const std::vector<std::string>& known) {
    const std::string type = yaml->OptionalWord("type", known).value_or("default");
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

  // The archive's files by their names: no test_cases, or {input_format: PATTERN, output_format: PATTERN, case_points: [...]}.
  void ReadPatterns() {
    std::optional<YamlMap> map = yaml_.Has("test_cases") ? yaml_.OptionalMap("test_cases") : std::nullopt;
    YamlMap& yaml = map ? *map : yaml_;
    const auto archive = yaml_.OptionalText("archive");
    if (!archive) yaml_.Fail("test_cases", "expected a list of cases, each after a dash: by patterns of names are only the files of an archive found, and there is none");
    const std::string path = PackageFile(package_, *archive, [&](const std::string& why) { yaml_.Fail("archive", why); });
    const auto own = [&](const char* key) { return map ? map->OptionalText(key) : std::nullopt; };
    const auto inputs = own("input_format"), outputs = own("output_format");
    if ((inputs || outputs) && package_.reading.from == PackageFrom::kStranger) yaml.Fail(inputs ? "input_format" : "output_format", "a stranger's patterns are not followed here");
    std::vector<std::string> points = map ? map->TextList("case_points") : std::vector<std::string>();
    const auto fail = [&](const std::string& why) { yaml.Fail(inputs ? "input_format" : outputs ? "output_format" : map ? "" : "test_cases", why); };
    const std::vector<DmojEntry> entries = DmojEntries(FilesIn(path), inputs.value_or(kDmojInputs), outputs.value_or(kDmojOutputs), fail);
    if (!points.empty() && points.size() < entries.size()) yaml.Fail("case_points", fmt::format("found {} numbers; expected one for each of {} cases and batches", points.size(), entries.size()));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      TestGroup group{.name = entries[i].name, .points = points.empty() ? default_points_ : PointsAt(yaml, points, i)};
      group.stops = entries[i].is_batch;
      group.ends_all = group.points == 0;
      for (const DmojCase& one : entries[i].cases) {
        if (one.input.empty() || one.answer.empty()) {
          fail(fmt::format("{} of the archive has no {} beside it", one.input.empty() ? one.answer : one.input, one.input.empty() ? "input" : "output"));
        }
        const std::string name = entries[i].is_batch ? fmt::format("{}.{}", group.name, group.tests.size() + 1) : group.name;
        group.tests.push_back(package_.tests.size());
        package_.tests.push_back({.name = name, .input = one.input, .answer = one.answer, .compare = compare_});
        places_.push_back(yaml_.Place("archive"));
      }
      package_.groups.push_back(std::move(group));
    }
    if (map) FinishReading(*map, &package_);
  }

  static double PointsAt(const YamlMap& yaml, const std::vector<std::string>& texts, std::size_t index) {
    double points = -1;
    const auto [end, error] = std::from_chars(texts[index].data(), texts[index].data() + texts[index].size(), points);
    if (error != std::errc() || end != texts[index].data() + texts[index].size() || !(points >= 0 && points <= 1e6)) {
      yaml.Fail("case_points", fmt::format("found {}; expected a number of points", texts[index]), index);
    }
    return points;
  }

  // A case of its own, or a batch.
  void ReadEntry(YamlMap* entry) {
    TestGroup group{.name = std::to_string(package_.groups.size() + 1), .points = entry->OptionalNumber("points", 0, 1e6).value_or(default_points_)};
    group.ends_all = group.points == 0;  // so its documentation of pretests
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
    const std::optional<CompareRules> own = DmojChecker(yaml), compare = own ? own : compare_;
    if (own && (package_.checker || package_.interactor)) yaml->Fail("checker", "a case has a checker of its own, and the problem a program that judges");
    package_.tests.push_back({.name = name, .input = yaml->Text("in"), .answer = yaml->Text("out"), .compare = compare});
    places_.push_back(yaml->Place("in"));
    yaml->AlsoKnows({"points", "is_pretest", "output_limit_length", "output_prefix_length"});
    return package_.tests.size() - 1;
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
  double default_points_ = 1;
  YamlMap yaml_;
  std::optional<CompareRules> compare_;  // none where a program checks
  std::string module_arguments_ = "{}";
  std::vector<std::string> places_;  // beside the tests
};

}  // namespace

void ReadDmojPackage(Package* package) { Init(package).Read(); }

}  // namespace tally
