// Kattis' package: problem.yaml, groups of tests with settings of their own, output validators.
// Sources: the problem package format, legacy and 2023-07 (problem.yaml, "Test Data Groups", "Output Validators",
// "Default Validator Capabilities").
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

Words SplitWords(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Where flags stand, for mistakes in them.
struct Flags {
  Words words;
  std::string place;  // "FILE:LINE:COLUMN: key"
};

double ToleranceIn(const Flags& flags, std::size_t at) {
  double value = 0;
  const std::string text = at < flags.words.size() ? flags.words[at] : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0 && std::isfinite(value)) return value;
  throw UserError(fmt::format("{}: {} is followed by \"{}\"; expected a number, like 1e-6", flags.place, flags.words[at - 1], text));
}

TolerantRules RulesIn(const Flags& flags) {
  TolerantRules rules;
  for (std::size_t i = 0; i < flags.words.size(); ++i) {
    const std::string& word = flags.words[i];
    if (word == "case_sensitive") {
      rules.case_sensitive = true;
    } else if (word == "space_change_sensitive") {
      rules.space_change_sensitive = true;
    } else if (word == "float_absolute_tolerance") {
      rules.absolute_tolerance = ToleranceIn(flags, ++i);
    } else if (word == "float_relative_tolerance") {
      rules.relative_tolerance = ToleranceIn(flags, ++i);
    } else if (word == "float_tolerance") {
      rules.absolute_tolerance = rules.relative_tolerance = ToleranceIn(flags, ++i);
    } else {
      throw UserError(fmt::format("{}: found \"{}\"; expected case_sensitive, space_change_sensitive, float_absolute_tolerance, "
                                  "float_relative_tolerance or float_tolerance", flags.place, word));
    }
  }
  return rules;
}

// A word, words in one text, or a list.
Words WordsAt(YamlMap* yaml, const char* key) { return yaml->IsList(key) ? yaml->TextList(key) : SplitWords(yaml->TextOrEmpty(key)); }

std::optional<Flags> FlagsAt(YamlMap* yaml, const char* key) {
  if (!yaml->Has(key)) return std::nullopt;
  return Flags{WordsAt(yaml, key), fmt::format("{}: {}", yaml->Place(key), key)};
}

constexpr unsigned kDefaultPasses = 2;

struct Problem {
  Flags flags;              // of the validator
  bool is_custom = false;   // its own validator, by the legacy format's word
  bool has_points = false;
  bool is_interactive = false;
};

void ReadLimits(YamlMap* yaml, Package* package) {
  std::optional<YamlMap> limits = yaml->OptionalMap("limits");
  if (!limits) return;
  if (const auto mib = limits->OptionalCount("memory", 1, 1ULL << 30)) package->memory = Bytes::MiB(*mib);
  if (const auto time = OptionalSeconds(&*limits, "time_limit")) package->time = time;
  if (const auto mib = limits->OptionalCount("output", 1, 1ULL << 30)) package->output = Bytes::MiB(*mib);
  limits->AlsoKnows({"time_multiplier", "time_safety_margin", "time_multipliers", "time_resolution", "code", "compilation_time", "compilation_memory",
                     "validation_time", "validation_memory", "validation_output"});
  package->passes = static_cast<unsigned>(limits->OptionalCount("validation_passes", 2, 100).value_or(kDefaultPasses));
  FinishReading(*limits, package);
}

// The words of a problem's kind, all of which are known.
Words KindsAt(YamlMap* yaml, const char* key, const Words& known) {
  Words kinds = WordsAt(yaml, key);
  for (const std::string& kind : kinds) {
    if (kind == "submit-answer") yaml->Fail(key, "found submit-answer; such problems are not judged here yet");
    if (std::find(known.begin(), known.end(), kind) == known.end()) yaml->Fail(key, fmt::format("found \"{}\"; expected one of: {}", kind, fmt::join(known, ", ")));
  }
  return kinds;
}

// A text, or one for each language.
std::string TitleAt(YamlMap* yaml) {
  if (!yaml->IsMap("name")) return yaml->TextOrEmpty("name");
  const auto names = yaml->TextMap("name");
  const auto english = std::find_if(names.begin(), names.end(), [](const auto& name) { return name.first == "en"; });
  return english != names.end() ? english->second : names.empty() ? "" : names.front().second;
}

Problem ReadProblem(const std::string& path, Package* package) {
  YamlMap yaml = YamlMap::FromFile(path);
  ReadLimits(&yaml, package);
  package->title = TitleAt(&yaml);
  Problem problem;
  problem.flags = FlagsAt(&yaml, "validator_flags").value_or(Flags{});
  const Words type = KindsAt(&yaml, "type", {"pass-fail", "scoring", "interactive", "multi-pass"});
  const Words validation = KindsAt(&yaml, "validation", {"default", "custom", "score", "interactive", "multi-pass"});
  problem.is_custom = !validation.empty() && validation.front() == "custom";
  const auto has = [](const Words& words, const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  problem.has_points = has(type, "scoring");
  problem.is_interactive = has(type, "interactive") || has(validation, "interactive");
  if (has(type, "multi-pass") || has(validation, "multi-pass")) {
    package->passes = std::max(package->passes, kDefaultPasses);
  } else {
    package->passes = 1;
  }
  yaml.AlsoKnows({"problem_format_version", "uuid", "version", "author", "credits", "source", "source_url", "license", "rights_owner", "embargo_until",
                  "libraries", "keywords", "languages", "grading", "scoring", "allow_file_writing", "constants", "short-name", "timelimit", "validators"});
  FinishReading(yaml, package);
  return problem;
}

// Flags of groups, each over those of the groups around it.
using Keys = std::initializer_list<const char*>;
constexpr Keys kOutputFlags = {"output_validator_flags", "output_validator_args"};
constexpr Keys kInputFlags = {"input_validator_flags", "input_validator_args"};

Flags FlagsOf(const fs::path& group, const fs::path& data, const Flags& outermost, const Keys& keys, std::map<fs::path, Flags>* known) {
  if (const auto found = known->find(group); found != known->end()) return found->second;
  Flags flags = group == data || !IsBelow(group, data) ? outermost : FlagsOf(group.parent_path(), data, outermost, keys, known);
  for (const fs::path& file : KattisGroupFiles(group)) {
    YamlMap yaml = YamlMap::FromFile(file);
    for (const char* key : keys) {
      if (const auto own = FlagsAt(&yaml, key)) flags = *own;
    }
  }
  return known->emplace(group, flags).first->second;
}

// What 2023-07 says of one test beside its input: NAME.yaml with flags of its own. The rest means nothing here, or is told of.
void ReadTestFile(const std::string& input, Flags* of_outputs, Flags* of_inputs, Package* package) {
  for (const char* extension : {".files", ".args"}) {
    if (const fs::path beside = fs::path(input).replace_extension(extension); fs::exists(beside)) package->warnings.push_back(beside.string() + ": this is not applied: programs get no files and no arguments");
  }
  const fs::path file = fs::path(input).replace_extension(".yaml");
  if (!fs::is_regular_file(file) || fs::is_empty(file)) return;
  YamlMap yaml = YamlMap::FromFile(file);
  for (const auto& [keys, flags] : {std::pair{kOutputFlags, of_outputs}, {kInputFlags, of_inputs}}) {
    for (const char* key : keys) {
      if (auto own = FlagsAt(&yaml, key)) *flags = *std::move(own);
    }
  }
  if (yaml.Has("args")) package->warnings.push_back(fmt::format("{}: args: this is not applied: programs get no arguments", yaml.Place("args")));
  yaml.AlsoKnows({"hint", "description", "full_feedback"});
  FinishReading(yaml, package);
}

// The one program in the validators' folder: a source, or a folder with its sources.
void ReadValidator(const fs::path& folder, Package* package) {
  std::vector<fs::path> sources = SourcesIn(folder);
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  if (sources.empty() && folders.size() == 1) sources = SourcesIn(folders.front());
  if (sources.empty() || (!folders.empty() && folders.size() != 1)) {
    if (folders.size() == 1) throw UserError(fmt::format("{}: no source of an output validator in it; programs that are made by a script called build are not run here", folders.front().string()));
    throw UserError(fmt::format("{}: {} programs; expected one output validator, a source or a folder with its sources", folder.string(), folders.size()));
  }
  package->checker = sources.front();
  for (std::size_t i = 1; i < sources.size(); ++i) package->checker_sources.push_back(sources[i]);
  package->protocol = CheckerProtocol::kKattis;
}

// Each source, and each folder with sources, is one. Grammars of other tools are told of.
void ReadInputValidators(const fs::path& folder, Package* package) {
  constexpr int kAccept = 42;
  for (const fs::path& source : SourcesIn(folder)) package->input_validators.push_back({.path = source, .accepts = kAccept});
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::vector<fs::path> sources = entry.is_directory() ? SourcesIn(entry.path()) : std::vector<fs::path>();
    if (!sources.empty()) {
      InputValidator validator{.path = sources.front(), .accepts = kAccept};
      for (std::size_t i = 1; i < sources.size(); ++i) validator.more_sources.push_back(sources[i]);
      package->input_validators.push_back(std::move(validator));
    }
    const std::string extension = entry.path().extension();
    if (extension == ".viva" || extension == ".ctd") package->warnings.push_back(fmt::format("{}: validators of this kind are not run", entry.path().string()));
  }
}

void ReadBrokenInputs(const fs::path& folder, Package* package) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_regular_file() && entry.path().extension() == ".in") found.push_back(fs::absolute(entry.path()).lexically_normal());
  }
  std::sort(found.begin(), found.end());
  package->broken_inputs.insert(package->broken_inputs.end(), found.begin(), found.end());
}

}  // namespace

void ReadKattisPackage(Package* package) {
  const fs::path directory = package->directory;
  const std::string path = directory / "problem.yaml";
  const bool has_file = fs::exists(path);
  const bool has_data = fs::exists(directory / "data" / "secret");
  if (!has_file && !has_data) return;
  Problem problem;
  if (has_file) {
    problem = ReadProblem(path, package);
    package->settings.push_back("problem.yaml");
  }
  if (package->time || package->memory || package->output) package->limits_from = "problem.yaml";
  if (!has_data) return;  // a folder of tests with a file of Kattis' for its limits
  ReadKattisTimes(package);
  for (const char* name : {"output_validators", "output_validator"}) {
    if (fs::is_directory(directory / name) && !fs::is_empty(directory / name)) ReadValidator(directory / name, package);
  }
  if (problem.is_custom && !package->checker) {
    throw UserError(fmt::format("{}: validation: custom, and there is no program in output_validators/", path));
  }
  if (package->passes > 1 && !package->checker) throw UserError(fmt::format("{}: the problem is multi-pass, and there is no program in output_validators/", path));
  if (problem.is_interactive) {
    if (!package->checker) throw UserError(fmt::format("{}: the problem is interactive, and there is no program in output_validators/", path));
    package->interactor = InteractorProgram{*package->checker, package->checker_sources, CheckerProtocol::kKattis};
    package->checker.reset();
  }
  const fs::path data = fs::absolute(directory / "data").lexically_normal();
  std::map<fs::path, Flags> known, known_of_inputs;
  for (PackageTest& test : package->tests) {
    const fs::path group = fs::path(test.input).parent_path();
    Flags flags = FlagsOf(group, data, problem.flags, kOutputFlags, &known), flags_of_inputs = FlagsOf(group, data, {}, kInputFlags, &known_of_inputs);
    ReadTestFile(test.input, &flags, &flags_of_inputs, package);
    test.validator_arguments = flags_of_inputs.words;
    if (package->checker || package->interactor) {
      test.checker_arguments = flags.words;
    } else {
      test.compare = CompareRules{CompareRules::Kind::kTolerant, RulesIn(flags)};
    }
  }
  if (problem.has_points) ReadKattisGroups(package, data);
  else CheckKattisGroups(package, data);
  ReadKattisSubmissions(package);
  for (const char* name : {"input_validators", "input_format_validators"}) ReadInputValidators(directory / name, package);
  if (fs::exists(directory / "data" / "invalid_output")) package->warnings.push_back((directory / "data" / "invalid_output").string() + ": outputs that are to be refused are not tried");
  for (const char* name : {"invalid_input", "invalid_inputs"}) ReadBrokenInputs(directory / "data" / name, package);
}

}  // namespace tally
