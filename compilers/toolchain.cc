#include "compilers/toolchain.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace tally {
namespace {

constexpr const char* kFolders[] = {"/usr/local/bin", "/usr/bin", "/bin"};
constexpr std::string_view kAlternatives = "/etc/alternatives/";

bool IsProgram(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// Debian links many tools through /etc, which a strict sandbox does not have. Other links stay: a tool may
// look at the name it was called by.
std::string PastAlternatives(const std::string& path) {
  std::error_code error;
  const std::string target = std::filesystem::read_symlink(path, error);
  if (error || target.rfind(kAlternatives, 0) != 0) return path;
  const std::string real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

}  // namespace

std::optional<std::string> LocateTool(const std::string& tool) {
  if (tool.front() == '/') return IsProgram(tool) ? std::optional(tool) : std::nullopt;
  for (const char* folder : kFolders) {
    const std::string path = fmt::format("{}/{}", folder, tool);
    if (IsProgram(path)) return PastAlternatives(path);
  }
  return std::nullopt;
}

std::string StampOf(const std::string& path) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(path, error);
  struct stat status {};
  if (error || ::stat(real.c_str(), &status) != 0) return path + " absent\n";
  return fmt::format("{} {} {}.{}\n", real, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Toolchain Probe(const CompilerSpec& spec) {
  Toolchain out;
  std::vector<std::string> found, absent;
  for (const std::string& tool : spec.tools) {
    if (const std::optional<std::string> path = LocateTool(tool)) {
      out.tools.emplace_back(ToolName(tool), *path);
      found.push_back(*path);
    } else {
      absent.push_back(tool);
    }
  }
  out.present = absent.empty();
  if (out.present) {
    out.sentence = fmt::format("{} ({}): {}", spec.name, spec.title, JoinWords(found));
    return out;
  }
  out.sentence =
      fmt::format("compiler {} ({}) is absent: {} {} not on this machine (searched {}); install {}",
                  spec.name, spec.title, JoinWords(absent), absent.size() == 1 ? "is" : "are",
                  fmt::join(kFolders, ", "), spec.package.empty() ? "it" : spec.package);
  return out;
}

Toolchain RequireToolchain(const CompilerSpec& spec) {
  Toolchain toolchain = Probe(spec);
  if (!toolchain.present) throw UserError(toolchain.sentence);
  return toolchain;
}

}  // namespace tally
