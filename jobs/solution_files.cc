#include "jobs/solution_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/sys.h"
#include "compilers/compiler_store.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1000;

bool IsReadable(const fs::path& path) { return ::access(path.c_str(), R_OK) == 0; }

// What its author did not let us read is no failure of ours.
std::vector<fs::directory_entry> EntriesOf(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator next(folder, error); !error && next != fs::directory_iterator(); next.increment(error)) entries.push_back(*next);
  if (error) throw UserError(fmt::format("{}: {}", folder.string(), error.message()));
  return entries;
}

// Plain files that are not hidden, by name. No links: a solution's author does not choose which of the judge's files are compiled.
// A name that begins with - is an option to many a compiler, but of the file that is renamed anyway.
enum class Dashes : std::uint8_t { kLeftOut, kToo };
std::vector<fs::path> FilesIn(const fs::path& folder, Dashes dashes = Dashes::kLeftOut) {
  std::vector<fs::path> files;
  for (const auto& entry : EntriesOf(folder)) {
    const std::string name = entry.path().filename();
    std::error_code ignored;
    if (!entry.is_symlink(ignored) && entry.is_regular_file(ignored) && !name.starts_with('.') && (dashes == Dashes::kToo || !name.starts_with('-'))) files.push_back(entry.path());
    if (files.size() > kMostFiles) throw UserError(fmt::format("{}: more than {} files; expected those of one program, or solutions", folder.string(), kMostFiles));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> SourcesAmong(const std::vector<fs::path>& files) {
  const CompilerStore compilers;
  std::vector<fs::path> sources;
  std::copy_if(files.begin(), files.end(), std::back_inserter(sources), [&](const fs::path& file) { return compilers.KnowsExtension(file.extension().string()); });
  return sources;
}

bool DefinesMain(const fs::path& source) {
  constexpr std::size_t kMost = 1 << 20;
  if (!IsReadable(source)) return false;
  const Fd file = sys::Open(source, O_RDONLY);
  std::string text(kMost, '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  const auto is_part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  constexpr std::string_view kMain = "main";
  for (std::size_t at = text.find(kMain); at != std::string::npos; at = text.find(kMain, at + 1)) {
    const std::size_t behind = text.find_first_not_of(" \t\r\n", at + kMain.size());
    if ((at == 0 || !is_part_of_name(text[at - 1])) && behind != std::string::npos && text[behind] == '(') return true;
  }
  return false;
}

// The source that begins the program; "" where that is none or several, or where they are of several languages.
fs::path EntryAmong(const std::vector<fs::path>& sources) {
  if (sources.empty()) return {};
  if (sources.size() == 1) return sources.front();
  const fs::path extension = sources.front().extension();
  const auto only = [&](auto is_entry) { return std::count_if(sources.begin(), sources.end(), is_entry) == 1 ? *std::find_if(sources.begin(), sources.end(), is_entry) : fs::path(); };
  if (std::any_of(sources.begin(), sources.end(), [&](const fs::path& source) { return source.extension() != extension; })) return {};
  // In these a program defines main once; in others each source may be a program.
  constexpr std::string_view kWithMain[] = {".c", ".cc", ".cpp", ".cxx", ".java", ".go", ".rs"};
  if (std::find(std::begin(kWithMain), std::end(kWithMain), extension.string()) != std::end(kWithMain)) return only(DefinesMain);
  return only([](const fs::path& source) { return source.stem() == "main" || source.stem() == "__main__"; });
}

bool IsExecutable(const fs::path& file) { return ::access(file.c_str(), X_OK | R_OK) == 0 && !IsSource(file); }

// A folder that may be one solution. So is one whose files cannot be told: its author hears why.
bool MayBeSolution(const fs::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_symlink(ignored) || !entry.is_directory(ignored) || entry.path().filename().string().starts_with('.')) return false;
  try {
    return !SourcesAmong(FilesIn(entry.path())).empty();
  } catch (const UserError&) {
    return true;
  }
}

std::vector<fs::path> SolutionsIn(const fs::path& folder) {
  if (const std::vector<fs::path> sources = SourcesAmong(FilesIn(folder)); sources.size() > 1 && !EntryAmong(sources).empty()) return {folder};
  const std::vector<fs::path> files = FilesIn(folder, Dashes::kToo);
  std::vector<fs::path> solutions = SourcesAmong(files);
  std::copy_if(files.begin(), files.end(), std::back_inserter(solutions), [](const fs::path& file) { return file.extension().empty() && IsExecutable(file); });
  for (const auto& entry : EntriesOf(folder)) {
    if (MayBeSolution(entry)) solutions.push_back(entry.path());
  }
  std::sort(solutions.begin(), solutions.end());
  return solutions;
}

}  // namespace

SolutionFiles FilesOfSolution(const std::string& path) {
  const auto readable = [](const fs::path& file) {
    if (!IsReadable(file)) throw UserError(fmt::format("{}: {}", file.string(), ErrnoText(errno)));
    return file;
  };
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {readable(path), {}, {}};
  const std::vector<fs::path> files = FilesIn(path), sources = SourcesAmong(files);
  for (const fs::path& source : sources) readable(source);
  const fs::path entry = EntryAmong(sources);
  if (sources.empty()) throw UserError(fmt::format("{}: no solution in it; expected sources, executables, or folders with the sources of one program", path));
  if (entry.empty()) throw UserError(fmt::format("{}: cannot tell which of its sources begins the program; expected one that defines main, or is called main", path));
  SolutionFiles solution{entry, {}, {}};
  for (const fs::path& file : files) {
    if (file == entry) continue;
    const bool is_source = file.extension() == entry.extension();
    (is_source ? solution.more_sources : solution.more_files).push_back({path, file.filename(), readable(file)});
  }
  return solution;
}

std::vector<std::string> SolutionsAt(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  try {
    const std::vector<fs::path> solutions = SolutionsIn(path);
    if (!solutions.empty()) return {solutions.begin(), solutions.end()};
  } catch (const UserError&) {  // FilesOfSolution says it again
  }
  return {path};
}

std::vector<std::string> LeftOut(const std::string& path, const std::vector<std::string>& solutions) {
  std::vector<std::string> names;
  std::error_code error;
  if (solutions == std::vector{path}) return names;
  const std::set<std::string> chosen(solutions.begin(), solutions.end());
  for (fs::directory_iterator next(path, error); !error && next != fs::directory_iterator(); next.increment(error)) {
    const std::string name = next->path().filename();
    if (!name.starts_with('.') && !chosen.contains(next->path())) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tally
