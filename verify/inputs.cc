#include "verify/inputs.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>

#include "base/error.h"
#include "base/mapping.h"
#include "base/printable.h"
#include "base/sys.h"
#include "base/units.h"
#include "checkers/comment.h"
#include "jobs/files.h"
#include "jobs/tool.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// What it said, in one line; else how it ended.
std::string Why(const ToolRun& run) {
  for (const std::string* text : {&run.error, &run.output}) {
    if (const std::string_view line = FirstLine(*text); !line.empty()) return Printable(MakeComment(line).substr(0, 200));
  }
  return run.result.exit_code ? fmt::format("exit status {}", *run.result.exit_code) : run.result.sentence;
}

// The validators of a package, compiled; those that do not compile are problems.
class Validators {
 public:
  Validators(const Package& package, Isolation isolation, Section* section) : package_(package) {
    for (const InputValidator& validator : package.input_validators) {
      try {
        tools_.emplace_back(validator, std::make_unique<Tool>("input validator", validator.path, validator.more_sources, isolation));
      } catch (const UserError& mistake) {
        section->problems.push_back(mistake.what());
      }
    }
  }
  [[nodiscard]] bool empty() const { return tools_.empty(); }

  // The first that does not accept, and why; nullopt: all do.
  [[nodiscard]] std::optional<std::string> Refusal(const std::string& input, const std::vector<std::string>& arguments) const {
    for (const auto& [validator, tool] : tools_) {
      const ToolRun run = tool->Run(arguments, input, directory_.File("stdout"));
      const bool is_accepted = run.result.exit_code == validator.accepts && (run.result.code == ResultCode::kOk || run.result.code == ResultCode::kRe);
      if (!is_accepted) return fmt::format("{} refuses it: {}", NameIn(package_, validator.path), Why(run));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string Names() const {
    std::string names;
    for (const auto& [validator, tool] : tools_) names += (names.empty() ? "" : ", ") + NameIn(package_, validator.path);
    return names;
  }

 private:
  const Package& package_;
  TemporaryDirectory directory_;
  std::list<std::pair<InputValidator, std::unique_ptr<Tool>>> tools_;
};

}  // namespace

Section VerifyInputs(const Package& package, Isolation isolation, const VerifyProgress& progress) {
  Section section{.name = "inputs"};
  if (package.input_validators.empty()) {
    section.summary = "not looked at: the package has no input validator";
    return section;
  }
  const Validators validators(package, isolation, &section);
  std::size_t passed = 0;
  for (const PackageTest& test : package.tests) {
    progress("inputs: " + test.name);
    if (validators.empty()) break;
    if (const auto refusal = validators.Refusal(test.input, test.validator_arguments)) section.problems.push_back(fmt::format("{}: {}", NameIn(package, test.input), *refusal));
    else ++passed;
  }
  section.summary = fmt::format("{} of {} pass {}", passed, package.tests.size(), validators.Names());
  return section;
}

Section VerifyBrokenInputs(const Package& package, Isolation isolation, const VerifyProgress& progress) {
  Section section{.name = "broken inputs"};
  if (package.broken_inputs.empty() || package.input_validators.empty()) {
    section.summary = package.broken_inputs.empty() ? "not looked at: the package has none" : "not looked at: the package has no input validator";
    return section;
  }
  const Validators validators(package, isolation, &section);
  std::size_t refused = 0;
  for (const std::string& input : package.broken_inputs) {
    progress("broken inputs: " + NameIn(package, input));
    if (validators.empty()) break;
    if (validators.Refusal(input, {})) ++refused;
    else section.problems.push_back(fmt::format("{}: {} accepts it, though it is broken", NameIn(package, input), validators.Names()));
  }
  section.summary = fmt::format("{} of {} {} refused", refused, package.broken_inputs.size(), package.broken_inputs.size() == 1 ? "is" : "are");
  return section;
}

namespace {

// sinol's: it writes all inputs that are not made by hand into its folder.
Section VerifyIngen(const Package& package, Isolation isolation, const VerifyProgress& progress) {
  Section section{.name = "generators"};
  const std::string name = NameIn(package, *package.ingen);
  progress("generators: " + name);
  const TemporaryDirectory once, again;
  try {
    const Tool tool("generator", *package.ingen, {}, isolation);
    for (const TemporaryDirectory* folder : {&once, &again}) {
      LetProgramsPass(*folder, isolation);
      fs::create_directory(folder->File("in"));
      const ToolRun run = tool.RunIn(folder->File("in"));
      if (run.result.code == ResultCode::kOk) continue;
      section.problems.push_back(fmt::format("{}: it fails: {}", name, Why(run)));
      section.summary = "not looked at: the generator fails";
      return section;
    }
  } catch (const UserError& mistake) {
    section.problems.push_back(mistake.what());
    section.summary = "not looked at: the generator cannot be run";
    return section;
  }
  // Only regular files: what it leaves nobody trusts.
  const auto is_there = [](const std::string& path) { return fs::is_regular_file(fs::symlink_status(path)); };
  const auto text = [](const std::string& path) { return sys::MapFile(sys::Open(path, O_RDONLY | O_NOFOLLOW).get(), path); };
  std::size_t same = 0, by_hand = 0, made = 0;
  for (const PackageTest& test : package.tests) {
    const std::string file = fs::path(test.input).filename(), first = once.File("in/" + file), second = again.File("in/" + file);
    if (!is_there(first)) {
      ++by_hand;
      continue;
    }
    ++made;
    if (!is_there(second) || text(first).text() != text(second).text()) section.problems.push_back(fmt::format("{}: {} writes another input each time", NameIn(package, test.input), name));
    else if (text(first).text() != text(test.input).text()) section.problems.push_back(fmt::format("{}: {} writes another input than this", NameIn(package, test.input), name));
    else ++same;
  }
  for (const auto& entry : fs::directory_iterator(once.File("in"))) {
    const std::string file = entry.path().filename();
    const bool is_test = std::any_of(package.tests.begin(), package.tests.end(), [&](const PackageTest& test) { return fs::path(test.input).filename() == file; });
    if (!is_test) section.advice.push_back(Printable(fmt::format("{} writes {}, which is no test of the package", name, file.substr(0, 100))));
  }
  section.summary = fmt::format("{} of {} {} what {} writes{}", same, CountOf(made, "test"), made == 1 ? "is" : "are", name, by_hand == 0 ? "" : fmt::format("; {} made otherwise", by_hand));
  return section;
}

}  // namespace

Section VerifyGenerators(const Package& package, Isolation isolation, const VerifyProgress& progress) {
  if (package.ingen) return VerifyIngen(package, isolation, progress);
  Section section{.name = "generators"};
  if (package.generated.empty()) {
    section.summary = "not looked at: no test says how it is made";
    return section;
  }
  const TemporaryDirectory directory;
  std::map<std::string, std::unique_ptr<Tool>> tools;
  std::size_t same = 0;
  for (const GeneratedTest& generated : package.generated) {
    const PackageTest& test = package.tests[generated.test];
    progress("generators: " + test.name);
    try {
      std::unique_ptr<Tool>& tool = tools[generated.program];
      if (!tool) tool = std::make_unique<Tool>("generator", generated.program, std::vector<std::string>(), isolation);
      const std::string once = directory.File("once"), again = directory.File("again");
      const std::string name = NameIn(package, generated.program);
      std::optional<std::string> failure;
      for (const std::string& output : {once, again}) {
        const ToolRun run = tool->Run(generated.arguments, "/dev/null", output);
        if (run.result.code != ResultCode::kOk && !failure) failure = fmt::format("{}: {} does not make it: {}", NameIn(package, test.input), name, Why(run));
      }
      const auto text = [](const std::string& path) { return sys::MapFile(sys::Open(path, O_RDONLY).get(), path); };
      if (failure) section.problems.push_back(*failure);
      else if (text(once).text() != text(again).text()) section.problems.push_back(fmt::format("{}: {} prints another input each time", NameIn(package, test.input), name));
      else if (text(once).text() != text(test.input).text()) section.problems.push_back(fmt::format("{}: {} prints another input than this", NameIn(package, test.input), name));
      else ++same;
    } catch (const UserError& mistake) {
      section.problems.push_back(mistake.what());
    }
  }
  section.summary = fmt::format("{} of {} {} what their generators print", same, CountOf(package.generated.size(), "test"), package.generated.size() == 1 ? "is" : "are");
  return section;
}

}  // namespace tally
