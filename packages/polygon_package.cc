// Polygon's package: problem.xml, tests by patterns of names, a testlib checker.
// Source: packages that polygon.codeforces.com makes ("standard" and "windows"); docs/jobs.md has what is read.
//
// What changes a verdict and is not done here is refused with its line: interactors, and files of the task's own in the place of the
// standard streams.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "base/error.h"
#include "base/sys.h"
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
    for (const char* file : {"input-file", "output-file"}) {
      if (judging.attribute(file).value()[0] != '\0') Fail(judging, fmt::format("{}=\"{}\": programs that read and write files of their own are not judged here yet", file, judging.attribute(file).value()));
    }
    const pugi::xml_node assets = problem_.child("assets");
    if (assets.child("interactor")) Fail(assets.child("interactor"), "interactive problems are not judged here yet");
    ReadTests(MainTests(judging));
    if (const pugi::xml_node checker = assets.child("checker")) ReadChecker(checker);
  }

 private:
  [[noreturn]] void Fail(std::ptrdiff_t offset, const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size())), '\n');
    throw UserError(fmt::format("{}:{}: {}", path_, line, what));
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

  void ReadTests(const pugi::xml_node& tests) {
    package_.time = Milliseconds(static_cast<std::int64_t>(Number(tests, "time-limit")));
    package_.memory = Bytes{Number(tests, "memory-limit")};
    package_.limits_from = "problem.xml";
    const pugi::xml_node inputs = Require(tests, "input-path-pattern"), answers = Require(tests, "answer-path-pattern");
    const std::uint64_t count = Number(tests, "test-count");
    if (count > 10'000) Fail(tests.child("test-count"), fmt::format("found {}; expected 10000 at most", count));
    for (std::uint64_t i = 1; i <= count; ++i) {
      const fs::path input = FileOf(inputs, Filled(inputs, i));
      package_.tests.push_back({.name = input.filename(), .input = input, .answer = FileOf(answers, Filled(answers, i))});
    }
  }

  void ReadChecker(const pugi::xml_node& checker) {
    const std::string type = checker.attribute("type").value();
    if (type != "testlib") Fail(checker, fmt::format("type=\"{}\"; expected testlib", type));
    const pugi::xml_node source = Require(checker, "source");
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

bool ReadPolygonPackage(Package* package) {
  const std::string path = package->directory + "/problem.xml";
  if (!fs::exists(path)) return false;
  constexpr std::uintmax_t kMost = 16 << 20;
  if (!fs::is_regular_file(path) || fs::file_size(path) > kMost) throw UserError(path + ": expected a file of 16 MiB at most");
  Problem(package).Read();
  package->settings.push_back("problem.xml");
  return true;
}

}  // namespace tally
