#include "base/shared_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace tally {

SharedMemory::SharedMemory(const Fd& memfd, std::size_t size) {
  if (::ftruncate(memfd.get(), static_cast<off_t>(size)) != 0) throw SystemError("ftruncate of a memfd", errno);
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd.get(), 0);
  if (at == MAP_FAILED) throw SystemError("mmap of a memfd", errno);
  memory_ = Mapping(at, size);
}

void PrepareToWrite(void* at, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(at) & ~(kPage - 1);
  ::madvise(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(at) + size - begin, kPopulateWrite);
}

}  // namespace tally
