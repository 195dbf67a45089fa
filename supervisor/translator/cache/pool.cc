#include "supervisor/translator/cache/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::size_t kHugePage = 2U << 20;
constexpr std::size_t kRegion = 16U << 20;
constexpr std::size_t kAlignment = 64;

constexpr std::size_t RoundUp(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

std::byte* Aligned(const Mapping& region) {
  void* at = region.data();
  std::size_t space = region.size();
  return static_cast<std::byte*>(std::align(kHugePage, kAlignment, at, space));
}

}  // namespace

void* Pool::Take(std::size_t size) {
  size = RoundUp(size, kAlignment);
  if (size > left_) AddRegion(size);
  std::byte* const taken = next_;
  next_ += size;
  // A page that is first read is faulted in twice.
  *taken = std::byte{0};
  for (std::byte* page = taken + kHugePage - reinterpret_cast<std::uintptr_t>(taken) % kHugePage; page < next_; page += kHugePage) *page = std::byte{0};
  left_ -= size;
  taken_ += size;
  return taken;
}

void Pool::AddRegion(std::size_t at_least) {
  const std::size_t size = std::max(kRegion, RoundUp(at_least, kHugePage)) + kHugePage;  // room to align
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw SystemError("mmap", errno);
  regions_.emplace_back(at, size);
  next_ = Aligned(regions_.back());
  left_ = size - static_cast<std::size_t>(next_ - static_cast<std::byte*>(at));
  ::madvise(next_, left_, MADV_HUGEPAGE);  // where there are none, small ones do
}

// The last region is kept: a program that changes its own code comes here again and again.
void Pool::Clear() {
  taken_ = 0;
  if (regions_.empty()) return;
  regions_.erase(regions_.begin(), regions_.end() - 1);
  std::byte* const first = Aligned(regions_.back());
  std::memset(first, 0, static_cast<std::size_t>(next_ - first));
  left_ += static_cast<std::size_t>(next_ - first);
  next_ = first;
}

}  // namespace tally
