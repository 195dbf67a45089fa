#include "jobs/solution_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/sys.h"
#include "compilers/compiler_store.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1000;

// Plain files that are not hidden, by name. No links: a solution's author does not choose which of the judge's files are compiled.
std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!entry.is_symlink() && entry.is_regular_file() && !name.starts_with('.') && !name.starts_with('-')) files.push_back(entry.path());
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

bool IsExecutable(const fs::path& file) { return ::access(file.c_str(), X_OK) == 0 && !IsSource(file); }

}  // namespace

SolutionFiles FilesOfSolution(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path, {}, {}};
  const std::vector<fs::path> files = FilesIn(path);
  const fs::path entry = EntryAmong(SourcesAmong(files));
  if (entry.empty()) throw UserError(fmt::format("{}: cannot tell which of its sources begins the program; expected one that defines main, or is called main", path));
  SolutionFiles solution{entry, {}, {}};
  for (const fs::path& file : files) {
    if (file == entry) continue;
    const bool is_source = file.extension() == entry.extension();
    (is_source ? solution.more_sources : solution.more_files).push_back({path, file.filename(), file});
  }
  return solution;
}

std::vector<std::string> SolutionsAt(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  const std::vector<fs::path> files = FilesIn(path), sources = SourcesAmong(files);
  if (sources.size() > 1 && !EntryAmong(sources).empty()) return {path};
  std::vector<fs::path> solutions = sources;
  std::copy_if(files.begin(), files.end(), std::back_inserter(solutions), [](const fs::path& file) { return file.extension().empty() && IsExecutable(file); });
  for (const auto& entry : fs::directory_iterator(path)) {
    if (!entry.is_symlink() && entry.is_directory() && !entry.path().filename().string().starts_with('.') && !SourcesAmong(FilesIn(entry.path())).empty()) solutions.push_back(entry.path());
  }
  if (solutions.empty()) throw UserError(fmt::format("{}: no solution in it; expected sources, executables, or folders with the sources of one program", path));
  std::sort(solutions.begin(), solutions.end());
  return {solutions.begin(), solutions.end()};
}

}  // namespace tally
