#include "verify/checker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/mapping.h"
#include "base/sys.h"
#include "base/units.h"
#include "checkers/byte_class.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestMutated = 4 << 20;

// An answer made wrong. Where several answers are right a changed one may be, too; nothing, and more than was asked for, never is.
struct Mutation {
  const char* what = "";
  bool is_surely_wrong = false;
  std::string text;
};

// How many outputs of one kind passed.
struct Passed {
  bool is_surely_wrong = false;
  std::size_t accepted = 0, tried = 0;
  std::string first;  // the test
};

std::vector<Mutation> MutationsOf(const std::string& answer) {
  const auto is_word = [](char c) { return !IsSpace(c); };
  const auto last = std::find_if(answer.rbegin(), answer.rend(), is_word).base();
  if (last == answer.begin()) return {};
  const auto begin = std::find_if(std::make_reverse_iterator(last), answer.rend(), IsSpace).base();
  const std::string before(answer.begin(), begin), word(begin, last);
  std::string changed = word;
  char& c = changed.back();
  c = c >= '0' && c <= '8' ? static_cast<char>(c + 1) : c == '9' ? '0' : c == 'x' ? 'y' : 'x';
  std::vector<Mutation> out;
  const auto add = [&out](const char* what, bool is_surely_wrong, const std::string& text) {
    Mutation& mutation = out.emplace_back();
    mutation.what = what;
    mutation.is_surely_wrong = is_surely_wrong;
    mutation.text = text;
  };
  add("an empty output", true, "");
  add("an output of other words", true, "tally-mutation is no answer\n");
  add("the answer without its last word", false, before + "\n");
  add("the answer with its last word changed", false, before + changed + "\n");
  return out;
}

}  // namespace

Section VerifyChecker(const Package& package, const Judging& judging, const VerifyProgress& progress) {
  Section section{.name = "checker"};
  if (!package.checker) {
    section.summary = package.interactor ? "not looked at: the interactor says what is right" : "the comparison is built in";
    return section;
  }
  if (package.passes > 1) {
    section.summary = "not looked at: an answer is no output where there are several passes";
    return section;
  }
  const TemporaryDirectory directory;
  const std::string output = directory.File("output");
  const std::string name = NameIn(package, *package.checker);
  std::size_t accepted = 0, refused = 0, made = 0;
  std::map<std::string, Passed> by_kind;
  for (const PackageTest& test : package.tests) {
    progress("checker: " + test.name);
    try {
      const CheckerVerdict own = judging.Check(test, test.answer);
      if (own.outcome == CheckerVerdict::Outcome::kAccepted) ++accepted;
      else section.problems.push_back(fmt::format("{}: {} does not accept the answer of test {}: {}", NameIn(package, test.answer), name, test.name, own.comment));
      if (fs::file_size(test.answer) > kLargestMutated) continue;
      for (const Mutation& mutation : MutationsOf(sys::ReadFile(test.answer))) {
        ::unlink(output.c_str());
        sys::WriteAll(sys::Open(output, O_WRONLY | O_CREAT | O_EXCL, 0600).get(), mutation.text, output);
        const CheckerVerdict verdict = judging.Check(test, output);
        ++made;
        Passed& passed = by_kind[mutation.what];
        passed.is_surely_wrong = mutation.is_surely_wrong;
        ++passed.tried;
        if (verdict.outcome == CheckerVerdict::Outcome::kWrong) ++refused;
        if (verdict.outcome == CheckerVerdict::Outcome::kAccepted && ++passed.accepted == 1) passed.first = test.name;
        if (verdict.outcome == CheckerVerdict::Outcome::kCheckerFailed) {
          section.problems.push_back(fmt::format("{}: it fails on {} for test {}: {}", name, mutation.what, test.name, verdict.comment));
        }
      }
    } catch (const std::exception& error) {
      section.problems.push_back(fmt::format("{}: test {}: {}", name, test.name, error.what()));
    }
  }
  for (const auto& [what, passed] : by_kind) {
    if (passed.accepted == 0) continue;
    const std::string others = passed.accepted == 1 ? "" : fmt::format(" and {} others", passed.accepted - 1);
    if (passed.is_surely_wrong) section.problems.push_back(fmt::format("{}: it accepts {} for test {}{}", name, what, passed.first, others));
    else if (passed.accepted == passed.tried) section.advice.push_back(fmt::format("{} accepts {} on every test", name, what));
  }
  section.summary = fmt::format("{} accepts {} of {} and refuses {} of {}", name, accepted, CountOf(package.tests.size(), "answer"), refused, CountOf(made, "wrong one"));
  return section;
}

}  // namespace tally
