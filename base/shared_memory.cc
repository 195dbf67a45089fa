#include "base/shared_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"

namespace tally {

SharedMemory::SharedMemory(Fd memfd, std::size_t size) : file_(std::move(memfd)) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) throw SystemError("ftruncate of a memfd", errno);
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) throw SystemError("mmap of a memfd", errno);
  memory_ = Mapping(at, size);
}

void SharedMemory::Fill(std::size_t at, std::size_t size, std::uint64_t word) const {
  if (!file_.valid()) {
    std::fill_n(reinterpret_cast<std::uint64_t*>(data() + at), size / sizeof word, word);
    return;
  }
  std::array<std::uint64_t, 4096> words;
  words.fill(word);
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pwrite(file_.get(), words.data(), std::min(size - done, sizeof words), static_cast<off_t>(at + done));
    if (n <= 0) throw SystemError("pwrite to a memfd", errno);
    done += static_cast<std::size_t>(n);
  }
}

void PrepareToWrite(void* at, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(at) & ~(kPage - 1);
  ::madvise(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(at) + size - begin, kPopulateWrite);
}

}  // namespace tally
