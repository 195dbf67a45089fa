#include "jobs/submitted_outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "jobs/environ.h"
#include "jobs/test_run.h"
#include "supervisor/api/result_code.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

bool HasOutputs(const fs::path& folder, const Package& package) {
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

std::vector<std::string> OutputFoldersAt(const std::string& path, const Package& package) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored) || HasOutputs(path, package)) return {path};
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (!entry.is_symlink() && entry.is_directory() && HasOutputs(entry.path(), package)) folders.push_back(entry.path());
  }
  if (folders.empty()) throw UserError(fmt::format("{}: no outputs in it; expected {} and on, or folders with them", path, package.tests.front().submitted));
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace tally
