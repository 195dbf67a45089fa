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

namespace {

// Brings in the pages of [at, at + size) at once, which is cheaper than one by one. A kernel that cannot (before 5.14) does
// so later.
void PrepareToWrite(void* at, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(at) & ~(kPage - 1);
  ::madvise(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(at) + size - begin, kPopulateWrite);
}

void WriteAt(const Fd& file, std::size_t at, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n <= 0) throw SystemError("pwrite to a memfd", errno);
    at += static_cast<std::size_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace

void SharedMemory::Fill(std::size_t at, std::size_t size, std::uint64_t word) const {
  if (!file_.valid()) {
    std::fill_n(reinterpret_cast<std::uint64_t*>(data() + at), size / sizeof word, word);
    return;
  }
  std::array<std::uint64_t, 4096> words;
  words.fill(word);
  for (std::size_t done = 0; done < size; done += sizeof words) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words.data());
    WriteAt(file_, at + done, {bytes, std::min(size - done, sizeof words)});
  }
}

void SharedMemory::Write(std::size_t at, std::span<const std::uint8_t> bytes) const {
  if (!file_.valid()) {
    PrepareToWrite(data() + at, bytes.size());
    std::copy(bytes.begin(), bytes.end(), data() + at);
    return;
  }
  WriteAt(file_, at, bytes);
  // A page that is there is mapped, writable too, with its neighbours where it is read (the kernel's fault_around_bytes).
  constexpr std::size_t kMappedAtOnce = 64 << 10;
  for (std::size_t touched = at; touched < at + bytes.size(); touched = (touched / kMappedAtOnce + 1) * kMappedAtOnce) {
    static_cast<void>(*const_cast<const volatile std::uint8_t*>(data() + touched));
  }
}

}  // namespace tally
