// Solutions of Kattis' packages, and the verdicts that they promise: by the folder, by submissions.yaml, and DOMjudge's @EXPECTED_RESULTS@
// in a source. Sources: the problem package format, "Submissions" (legacy and 2023-07); DOMjudge's manual, "Judging consistency".
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using enum ResultCode;

// Memory is a matter of run_time_error there, and so are limits on output: those formats know no verdicts of their own for them.
const std::vector<ResultCode> kRunTimeError{kRe, kMle, kOle, kRv};

std::vector<ResultCode> With(std::vector<ResultCode> codes, const std::vector<ResultCode>& more) {
  codes.insert(codes.end(), more.begin(), more.end());
  return codes;
}

std::optional<Promise> ByFolder(const std::string& folder) {
  if (folder == "accepted") return ExpectRight(folder);
  if (folder == "wrong_answer") return ExpectOneOf(folder, {kWa});
  if (folder == "time_limit_exceeded") return ExpectOneOf(folder, {kTle});
  if (folder == "run_time_error") return ExpectOneOf(folder, kRunTimeError);
  if (folder == "memory_limit_exceeded") return ExpectOneOf(folder, {kMle});
  if (folder == "output_limit_exceeded") return ExpectOneOf(folder, {kOle});
  if (folder == "compiler_error") return ExpectOneOf(folder, {kCe});
  if (folder == "rejected") return ExpectFailure(folder);
  if (folder == "brute_force") return ExpectOneOf(folder, With(kRunTimeError, {kTle}));
  return std::nullopt;  // partially_accepted, mixed: points or the source say more
}

// DOMjudge's words. nullopt: another one.
std::optional<std::vector<ResultCode>> ByResult(const std::string& word) {
  if (word == "CORRECT" || word == "ACCEPTED") return std::vector{kOk};
  if (word == "WRONG-ANSWER" || word == "WRONG_ANSWER" || word == "NO-OUTPUT") return std::vector{kWa};
  if (word == "TIMELIMIT" || word == "TIME_LIMIT_EXCEEDED") return std::vector{kTle};
  if (word == "RUN-ERROR" || word == "RUN_TIME_ERROR" || word == "MEMORY-LIMIT") return kRunTimeError;
  if (word == "OUTPUT-LIMIT") return std::vector{kOle};
  if (word == "COMPILER-ERROR") return std::vector{kCe};
  if (word == "CHECK-MANUALLY") return std::vector<ResultCode>{};
  return std::nullopt;
}

// In a source's first 64 KiB: "@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT".
std::optional<Promise> BySource(const fs::path& source) {
  constexpr std::string_view kMark = "@EXPECTED_RESULTS@:";
  if (!fs::is_regular_file(source)) return std::nullopt;
  std::ifstream file(source);
  std::string text(64 << 10, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t mark = text.find(kMark);
  if (mark == std::string::npos) return std::nullopt;
  std::string line = text.substr(mark + kMark.size(), text.find('\n', mark) - mark - kMark.size());
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream words(line);
  std::vector<ResultCode> codes;
  for (std::string word; words >> word;) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto more = ByResult(word);
    if (!more && codes.empty()) throw UserError(fmt::format("{}: {} {}: such a result is not known here", source.string(), kMark, word));
    if (!more) break;  // the end of a comment
    codes = With(std::move(codes), *more);
  }
  if (codes.empty()) return std::nullopt;
  return ExpectOneOf("@EXPECTED_RESULTS@", codes);
}

std::vector<ResultCode> CodesAt(YamlMap* yaml, const char* key) {
  std::vector<ResultCode> codes;
  for (const std::string& word : yaml->IsList(key) ? yaml->TextList(key) : std::vector<std::string>{}) {
    if (word == "AC") codes.push_back(kOk);
    else if (word == "WA") codes.push_back(kWa);
    else if (word == "TLE") codes.push_back(kTle);
    else if (word == "RTE") codes = With(std::move(codes), kRunTimeError);
    else yaml->Fail(key, fmt::format("found {}; expected AC, WA, TLE or RTE", word));
  }
  return codes;
}

// submissions.yaml: keys are names below submissions/, with * and ? for any; the last that fits goes over those before.
void ReadList(const fs::path& path, Package* package) {
  if (!fs::is_regular_file(path)) return;
  YamlMap yaml = YamlMap::FromFile(path);
  for (auto& [pattern, told] : yaml.Maps("")) {
    const std::vector<ResultCode> permitted = CodesAt(&told, "permitted"), required = CodesAt(&told, "required");
    const auto points = told.OptionalNumber("score", 0, 1e6);
    const bool is_model = told.Bool("model_solution", false);
    for (Submission& submission : package->submissions) {
      const std::string name = fs::path(submission.name).lexically_relative("submissions");
      if (::fnmatch(pattern.c_str(), name.c_str(), 0) != 0) continue;
      submission.is_model = submission.is_model || is_model;
      if (permitted.empty() && required.empty() && !points) continue;
      if (!submission.expected) submission.expected.emplace();
      submission.expected->word = "submissions.yaml";
      if (!permitted.empty()) submission.expected->permitted = permitted;
      if (!required.empty()) submission.expected->required = required;
      if (points) submission.expected->points = points;
    }
  }
  package->settings.emplace_back("submissions/submissions.yaml");
}

}  // namespace

void ReadKattisSubmissions(Package* package) {
  const fs::path folder = fs::path(package->directory) / "submissions";
  std::error_code ignored;
  std::vector<fs::path> kinds;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory() && !entry.path().filename().string().starts_with('.')) kinds.push_back(entry.path());
  }
  std::sort(kinds.begin(), kinds.end());
  for (const fs::path& kind : kinds) {
    std::vector<fs::path> paths = SourcesIn(kind);
    for (const auto& entry : fs::directory_iterator(kind)) {
      if (entry.is_directory() && !SourcesIn(entry.path()).empty()) paths.push_back(fs::absolute(entry.path()).lexically_normal());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      const std::string name = fs::path("submissions") / kind.filename() / path.filename();
      std::optional<Promise> expected = BySource(path);
      if (!expected) expected = ByFolder(kind.filename());
      package->submissions.push_back({.name = name, .path = path, .expected = std::move(expected), .is_model = false});
    }
  }
  ReadList(folder / "submissions.yaml", package);
  const auto is_right = [](const Submission& one) { return one.name.starts_with("submissions/accepted/"); };
  const bool has_model = std::any_of(package->submissions.begin(), package->submissions.end(), [](const Submission& one) { return one.is_model; });
  const auto first = std::find_if(package->submissions.begin(), package->submissions.end(), is_right);
  if (!has_model && first != package->submissions.end()) first->is_model = true;
}

}  // namespace tally
