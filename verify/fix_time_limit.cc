#include "verify/fix_time_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::int64_t Ms(Nanoseconds limit) { return std::chrono::duration_cast<Milliseconds>(limit).count(); }
// "2", "0.35"
std::string Seconds(Nanoseconds limit) { return fmt::format("{:g}", static_cast<double>(Ms(limit)) / 1000); }

// How a file says it. The first group of the pattern is what stands before the number.
struct Spelling {
  const char* file;
  const char* pattern;
  std::string (*number)(Nanoseconds limit);
  const char* added;  // where it is not there, with {} for the number; "": nowhere
};
const Spelling kSpellings[] = {
    {"tally.yml", "(^|\n)(time_limit:[ \t]*)([^ \t\n#]+)", [](Nanoseconds limit) { return Seconds(limit) + "s"; }, "time_limit: {}\n"},
    {"config.yml", "(^|\n)(time_limit:[ \t]*)([0-9]+)", [](Nanoseconds limit) { return std::to_string(Ms(limit)); }, "time_limit: {}\n"},
    {"task.yaml", "(^|\n)(time_limit:[ \t]*)([0-9.]+)", Seconds, "time_limit: {}\n"},
    {"problem.yaml", "(\n[ \t]+|[{,][ \t]*)(time_limit:[ \t]*)([0-9.]+)", Seconds, ""},
    {"domjudge-problem.ini", "(^|\n)(timelimit[ \t]*=[ \t]*['\"]?)([0-9.]+)", Seconds, ""},
    {".timelimit", "(^)([ \t\n]*)([0-9.]+)", Seconds, ""},
    {"problem.xml", "()(<time-limit>[ \t\n]*)([0-9]+)", [](Nanoseconds limit) { return std::to_string(Ms(limit)); }, ""},
};

const Spelling* SpellingOf(const std::string& file) {
  const auto found = std::find_if(std::begin(kSpellings), std::end(kSpellings), [&](const Spelling& one) { return file == one.file; });
  return found == std::end(kSpellings) ? nullptr : &*found;
}

// The file that has it, or would.
std::string FileOf(const Package& package) {
  if (SpellingOf(package.limits_from) != nullptr) return package.limits_from;
  for (const std::string& file : package.settings) {
    if (const Spelling* spelling = SpellingOf(file); spelling != nullptr && *spelling->added != '\0') return file;
  }
  if (package.settings.empty()) return "tally.yml";
  throw UserError(fmt::format("{}: --fix: {} keeps no time limit", package.directory, package.settings.front()));
}

}  // namespace

std::string WithTimeLimit(const std::string& name, const std::string& text, Nanoseconds limit) {
  const Spelling* spelling = SpellingOf(name);
  if (spelling == nullptr) return "";
  const std::string number = spelling->number(limit);
  const std::regex pattern(spelling->pattern, std::regex::ECMAScript);
  std::smatch match;
  if (std::regex_search(text, match, pattern)) {
    const auto begin = static_cast<std::size_t>(match.position(3)), end = begin + static_cast<std::size_t>(match.length(3));
    return text.substr(0, begin) + number + text.substr(end);
  }
  if (*spelling->added == '\0') return "";
  return text + (text.empty() || text.ends_with('\n') ? "" : "\n") + fmt::format(fmt::runtime(spelling->added), number);
}

std::string FixTimeLimit(const Package& package, Nanoseconds limit) {
  const std::string file = FileOf(package), path = package.directory + "/" + file;
  const std::string before = fs::exists(path) ? sys::ReadFile(path) : "";
  const std::string after = WithTimeLimit(file, before, limit);
  if (after.empty()) throw UserError(fmt::format("{}: --fix: it has no time limit of a kind that is known here", path));
  WriteFileAtomically(path, after, "--fix");
  // What was written is read as it will be: a limit that another file overrides would not be one.
  if (const Package again = ReadPackage(package.directory, package.reading); again.time != limit) {
    if (before.empty()) fs::remove(path);
    else WriteFileAtomically(path, before, "--fix");
    throw UserError(fmt::format("{}: --fix: the limit is also said elsewhere, and stays as it was", path));
  }
  return fmt::format("time limit: {} is now {} in {}", FormatDuration(package.time.value_or(Milliseconds(1000))), FormatDuration(limit), file);
}

}  // namespace tally
