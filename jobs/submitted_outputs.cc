#include "jobs/submitted_outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "jobs/environ.h"
#include "jobs/test_run.h"
#include "supervisor/api/result_code.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// nullopt: it cannot be told, for no name in the folder may be looked at.
std::optional<bool> HasOutputs(const fs::path& folder, const Package& package) {
  if (::access(folder.c_str(), X_OK) != 0) return std::nullopt;
  return std::any_of(package.tests.begin(), package.tests.end(), [&](const PackageTest& test) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(folder / test.submitted, ignored));
  });
}

void Fail(ResultCode code, const std::string& sentence, Environ* environ) {
  environ->Set("result_code", Name(code));
  environ->Set("result_string", sentence);
  environ->Set("result_percentage", std::uint64_t{0});
}

}  // namespace

std::string CheckSubmitted(const PackageTest& test, const CheckOptions& check, const std::string& folder, Bytes most) {
  Environ environ;
  const std::string path = folder + "/" + test.submitted;
  struct stat status {};
  try {
    if (::lstat(path.c_str(), &status) != 0) {
      if (errno != ENOENT) throw SystemError("lstat " + path, errno);
      Fail(ResultCode::kWa, test.submitted + " was not handed in", &environ);
    } else if (!S_ISREG(status.st_mode)) {
      Fail(ResultCode::kWa, test.submitted + " is no regular file", &environ);
    } else if (static_cast<std::uint64_t>(status.st_size) > most.count) {
      Fail(ResultCode::kOle, fmt::format("{} is larger than {}", test.submitted, FormatBytes(most)), &environ);
    } else {
      environ.Set("result_code", Name(ResultCode::kOk));
      environ.Set("result_string", "ok");
      WriteCheckResult(CheckFor(test, check, path), &environ);
    }
  } catch (const std::exception& error) {
    Fail(ResultCode::kSe, error.what(), &environ);
  }
  return environ.Dump();
}

void CheckReadable(const std::string& folder, const Package& package) {
  const std::string& first = package.tests.front().submitted;
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(fmt::format("{}: the outputs of this problem are handed in; expected a folder with {} and on", folder, first));
  const std::optional<bool> has_some = HasOutputs(folder, package);
  if (!has_some) throw UserError(fmt::format("{}: {}", folder, ErrnoText(errno)));
  if (!*has_some) throw UserError(fmt::format("{}: no outputs in it; expected {} and on, or folders with them", folder, first));
  for (const PackageTest& test : package.tests) {
    const std::string path = folder + "/" + test.submitted;
    if (fs::is_regular_file(fs::symlink_status(path, error)) && ::access(path.c_str(), R_OK) != 0) throw UserError(fmt::format("{}: {}", path, ErrnoText(errno)));
  }
}

std::vector<std::string> OutputFoldersAt(const std::string& path, const Package& package) {
  std::error_code error;
  if (!fs::is_directory(path, error) || HasOutputs(path, package).value_or(true)) return {path};
  std::vector<std::string> folders;
  for (fs::directory_iterator next(path, error); !error && next != fs::directory_iterator(); next.increment(error)) {
    std::error_code ignored;
    if (!next->is_symlink(ignored) && next->is_directory(ignored) && HasOutputs(next->path(), package).value_or(true)) folders.push_back(next->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders.empty() ? std::vector{path} : folders;
}

}  // namespace tally
