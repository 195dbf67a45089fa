// Programs that a package brings in source.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

#include "packages/formats.h"

namespace tally {

namespace fs = std::filesystem;

std::vector<fs::path> SourcesIn(const fs::path& folder) {
  constexpr std::string_view kExtensions[] = {".c", ".cc", ".cpp", ".cxx", ".py", ".java", ".go", ".rs", ".pas", ".sh"};
  std::vector<fs::path> sources;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const bool is_source = std::find(std::begin(kExtensions), std::end(kExtensions), entry.path().extension().string()) != std::end(kExtensions);
    if (is_source && entry.is_regular_file()) sources.push_back(fs::absolute(entry.path()).lexically_normal());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::optional<fs::path> SourceNamed(const fs::path& folder, const std::string& name) {
  for (const fs::path& source : SourcesIn(folder)) {
    if (source.stem() == name) return source;
  }
  return std::nullopt;
}

std::vector<Grader> GradersIn(const fs::path& folder, const std::string& name, const std::string& solution) {
  constexpr std::string_view kHeaders[] = {".h", ".hh", ".hpp"};
  std::vector<Grader> graders;
  std::vector<std::string> headers;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path path = fs::absolute(entry.path());
    if (!entry.is_regular_file() || path.filename().string().starts_with('.')) continue;
    const std::string extension = path.extension();
    if (std::find(std::begin(kHeaders), std::end(kHeaders), extension) != std::end(kHeaders)) headers.push_back(path);
    else if (path.stem() == name && extension.size() > 1) graders.push_back({.extension = extension.substr(1), .path = path, .solution = solution.empty() ? "" : solution + extension});
  }
  std::sort(headers.begin(), headers.end());
  std::sort(graders.begin(), graders.end(), [](const Grader& a, const Grader& b) { return a.extension < b.extension; });
  for (Grader& grader : graders) grader.beside = headers;
  return graders;
}

}  // namespace tally
