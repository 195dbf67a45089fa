#include "base/executable_path.h"

#include <filesystem>

#include "base/error.h"

namespace tally {
namespace {

std::string Read() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error && error != std::errc::no_such_file_or_directory) throw SystemError("readlink /proc/self/exe", error.value());
  return self;
}

}  // namespace

const std::string& ExecutablePath() {
  static const std::string path = Read();
  return path;
}

}  // namespace tally
