#include "jobs/grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// The one name of endings that mean the same language.
std::string Language(const std::string& extension) {
  for (const char* of_cpp : {"cc", "cxx", "c++", "C"}) {
    if (extension == of_cpp) return "cpp";
  }
  return extension == "p" || extension == "pp" ? "pas" : extension;
}

// Where all sources are linked, the one with `main` begins; elsewhere a file does.
bool IsLinked(const std::string& language) {
  constexpr std::string_view kLinked[] = {"c", "cpp", "go", "s", "asm", "d", "f90"};
  return std::find(std::begin(kLinked), std::end(kLinked), language) != std::end(kLinked);
}

std::string NamesOf(const std::vector<Grader>& graders) {
  std::set<std::string> names;
  for (const Grader& grader : graders) names.insert(fs::path(grader.path).filename());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void AddGrader(const Package& package, CompileRequest* request) {
  if (package.graders.empty()) return;
  const std::string extension = fs::path(request->source_name).extension();
  const std::string language = Language(extension.empty() ? "" : extension.substr(1));
  const auto grader = std::find_if(package.graders.begin(), package.graders.end(), [&](const Grader& one) { return Language(one.extension) == language; });
  if (grader == package.graders.end()) {
    if (package.whole_programs_too) return;
    throw UserError(fmt::format("{}: solutions of this problem are compiled with a grader, and the package has none for {} (it has {})", request->source_name,
                                extension.empty() ? "executables" : extension, NamesOf(package.graders)));
  }
  const std::string name = fs::path(grader->path).filename();
  for (const std::string& file : grader->beside) request->more_files.push_back({"grader", fs::path(file).filename(), file});
  request->preamble = grader->preamble;
  if (grader->path.empty()) return;  // headers and modules alone
  if (IsLinked(language) || !grader->has_main) {
    request->more_sources.push_back({"grader", name, grader->path});
    return;
  }
  // The grader begins, and finds the solution by the name that it knows.
  request->more_sources.push_back({"solution", grader->solution.empty() ? fs::path(request->source_name).filename().string() : grader->solution, request->source});
  request->source = grader->path;
  request->source_name = grader->path;
}

}  // namespace tally
