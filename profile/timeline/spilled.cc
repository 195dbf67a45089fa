#include "profile/timeline/spilled.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::size_t kSmallest = 1 << 16;

// Not every file system has O_TMPFILE.
Fd WithoutName(const std::string& folder) {
  std::string path = folder + "/spilled-XXXXXX";
  Fd file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.valid()) throw SystemError("make a file in " + folder, errno);
  ::unlink(path.c_str());
  return file;
}

}  // namespace

SpilledBytes::SpilledBytes(const std::string& folder) : folder_(folder), file_(WithoutName(folder)) { Reserve(1); }

void SpilledBytes::Reserve(std::size_t size) {
  if (size <= mapping_.size()) return;
  size = std::max({kSmallest, mapping_.size() * 2, (size + kSmallest - 1) / kSmallest * kSmallest});
  // A hole that finds no room when it is written to would be a SIGBUS.
  if (const int error = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(size)); error != 0) throw SystemError("write a file in " + folder_, error);
  mapping_ = Mapping();
  void* const address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (address == MAP_FAILED) throw SystemError("mmap a file in " + folder_, errno);
  mapping_ = Mapping(address, size);
}

}  // namespace tally
