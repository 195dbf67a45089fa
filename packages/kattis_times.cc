// Times of Kattis' packages as numbers of seconds, and what tools write beside problem.yaml: problemtools' measured limit in .timelimit, and
// DOMjudge's own settings in domjudge-problem.ini. Source of the ini's keys: DOMjudge's documentation, "Problem format".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExpected = "expected a number of seconds, 0.001 at least";
constexpr const char *kTimeFile = ".timelimit", *kIni = "domjudge-problem.ini";

std::optional<Nanoseconds> SecondsIn(std::string_view text) {
  constexpr double kLeast = 1e-3, kMost = 1e6;  // what rounds to nothing is no limit anybody means
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds >= kLeast && seconds <= kMost)) return std::nullopt;
  return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

std::string Trimmed(std::string text) {
  constexpr const char* kBlank = " \t\r'\"";
  text.erase(0, std::min(text.find_first_not_of(kBlank), text.size()));
  text.erase(text.find_last_not_of(kBlank) + 1);
  return text;
}

// What is no regular file may have no end, or nobody who writes it.
std::ifstream Open(const std::string& path) { return fs::is_regular_file(path) ? std::ifstream(path) : std::ifstream(); }

// KEY = 'VALUE' on each line; ; and # begin comments. The time, if it says one.
std::optional<Nanoseconds> ReadIni(Package* package) {
  constexpr std::string_view kJudges[] = {"special_run", "special_compare", "special_compare_args", "combined_run_compare"};
  constexpr std::string_view kKnown[] = {"name", "short-name", "probid", "externalid", "allow_submit", "allow_judge", "points", "color", "lazyeval_results"};
  const std::string path = package->directory + "/" + kIni;
  std::optional<Nanoseconds> time;
  std::ifstream ini = Open(path);
  std::size_t number = 0;
  for (std::string line; std::getline(ini, line);) {
    ++number;
    const std::string key = Trimmed(line.substr(0, line.find('=')));
    if (key.empty() || key[0] == ';' || key[0] == '#' || key[0] == '[') continue;
    const std::size_t equals = line.find('=');
    const std::string value = equals == std::string::npos ? "" : Trimmed(line.substr(equals + 1)), place = fmt::format("{}:{}: {}", path, number, key.substr(0, 100));
    if (key == "timelimit") {
      time = SecondsIn(value);
      if (!time) throw UserError(fmt::format("{}: found \"{}\"; {}", place, value.substr(0, 100), kExpected));
    } else if (std::find(std::begin(kJudges), std::end(kJudges), key) != std::end(kJudges)) {
      if (!value.empty() && value != "0") throw UserError(place + ": programs that the site keeps judge such a problem, which are not here");
    } else if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown)) {
      const std::string unknown = place + ": unknown key; expected timelimit, name, short-name, points, color, externalid or another of DOMjudge's";
      if (!package->reading.lenient) throw UserError(unknown);
      package->warnings.push_back(unknown);
    }
  }
  return time;
}

std::optional<Nanoseconds> ReadTimeFile(const std::string& path) {
  std::ifstream file = Open(path);
  std::string text;
  if (!(file >> text)) return std::nullopt;
  const auto time = SecondsIn(text);
  if (!time) throw UserError(fmt::format("{}: found \"{}\"; {}", path, text.substr(0, 100), kExpected));
  return time;
}

}  // namespace

std::optional<Nanoseconds> OptionalSeconds(YamlMap* yaml, std::string_view key) {
  const std::optional<std::string> text = yaml->OptionalText(key);
  if (!text) return std::nullopt;
  const auto seconds = SecondsIn(*text);
  if (!seconds) yaml->Fail(key, fmt::format("found \"{}\"; {}", text->substr(0, 100), kExpected));
  return seconds;
}

void ReadKattisTimes(Package* package) {
  const std::string time_file = package->directory + "/" + kTimeFile;
  const auto of_ini = ReadIni(package), of_file = ReadTimeFile(time_file);
  if (of_file && (of_ini || package->time)) package->warnings.push_back(fmt::format("{}: not used: {} says it", time_file, package->time ? package->limits_from : kIni));
  if (package->time || (!of_ini && !of_file)) return;
  package->time = of_ini ? of_ini : of_file;
  const std::string from = of_ini ? kIni : kTimeFile;
  package->limits_from = package->limits_from == "defaults" ? from : package->limits_from + ", " + from;
}

}  // namespace tally
