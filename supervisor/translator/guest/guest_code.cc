#include "supervisor/translator/guest/guest_code.h"

#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

// That we have no room for copies is the program's doing where it has made so much code, and else ours.
constexpr std::size_t kMuch = 256 << 20;
constexpr std::size_t kMany = 4096;
}

const GuestCode::Region* GuestCode::Find(GuestPc pc) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), pc,
                                      [](GuestPc value, const Region& region) { return value < region.begin; });
  if (after == regions_.begin()) return nullptr;
  const Region& region = *std::prev(after);
  return pc < region.end ? &region : nullptr;
}

GuestPc GuestCode::NextChange(GuestPc address) const {
  for (const Region& region : regions_) {
    if (address < region.begin) return region.begin;
    if (address < region.end) return region.end;
  }
  return ~GuestPc{0};
}

bool GuestCode::IsFixedBeside(GuestPc beside, GuestPc pc) const {
  const Region* const region = Find(pc);
  return region != nullptr && !region->writable && !region->made && beside >= region->begin && beside < region->end;
}

std::optional<GuestPc> GuestCode::EndOfFixed(GuestPc begin) const {
  const Region* const region = Find(begin);
  if (region == nullptr || region->writable || region->made || region->begin != begin) return std::nullopt;
  return region->end;
}

bool GuestCode::IsLibrary(GuestPc pc) const {
  return std::any_of(libraries_.begin(), libraries_.end(),
                     [pc](const Range& range) { return pc >= range.begin && pc < range.end; });
}

bool GuestCode::HasWritable() const {
  return std::any_of(regions_.begin(), regions_.end(), [](const Region& region) { return region.writable; });
}

std::vector<GuestCode::Part> GuestCode::PartsIn(GuestPc begin, GuestPc end) const {
  std::vector<Part> out;
  for (const Region& region : regions_) {
    if (region.end <= begin || end <= region.begin) continue;
    out.push_back({std::max(begin, region.begin), std::min(end, region.end), region.writable, region.made});
  }
  return out;
}

bool GuestCode::IsAllMade(GuestPc begin, GuestPc end) const {
  return std::all_of(regions_.begin(), regions_.end(),
                     [&](const Region& region) { return region.end <= begin || end <= region.begin || region.made; });
}

bool GuestCode::Overlaps(GuestPc begin, GuestPc end) const {
  return std::any_of(regions_.begin(), regions_.end(),
                     [&](const Region& region) { return region.begin < end && begin < region.end; });
}

// Neighbours of different rights stay two regions.
//
// What was read of a changed region is read again when it is executed; what was guarded of it stays so.
void GuestCode::Remove(GuestPc begin, GuestPc end) {
  std::vector<Region> kept;
  std::vector<Range> guarded;
  for (Region& region : regions_) {
    if (region.end <= begin || end <= region.begin) {
      kept.push_back(std::move(region));
      continue;
    }
    AppendGuarded(region, &guarded);
    if (region.begin < begin) kept.push_back({region.begin, begin, region.writable, region.made, {}, {}});
    if (end < region.end) kept.push_back({end, region.end, region.writable, region.made, {}, {}});
  }
  regions_ = std::move(kept);
  std::vector<Range> libraries;
  for (const Range& range : libraries_) {
    if (range.begin < begin) libraries.push_back({range.begin, std::min(range.end, begin)});
    if (end < range.end) libraries.push_back({std::max(range.begin, end), range.end});
  }
  libraries_ = std::move(libraries);
  std::erase_if(growing_, [&](GuestPc growing) { return begin <= growing && growing < end; });
  GuardAgain(guarded);
}

void GuestCode::Add(GuestPc begin, GuestPc end, bool writable, bool made) {
  Remove(begin, end);
  std::vector<Range> guarded;
  for (std::size_t i = 0; i < regions_.size();) {
    const GuestPc both_begin = std::min(begin, regions_[i].begin);
    const GuestPc both_end = std::max(end, regions_[i].end);
    if (regions_[i].writable != writable || regions_[i].made != made || both_end - both_begin > kLargest) {
      ++i;
    } else if (regions_[i].end == begin || regions_[i].begin == end) {
      AppendGuarded(regions_[i], &guarded);
      begin = std::min(begin, regions_[i].begin);
      end = std::max(end, regions_[i].end);
      regions_.erase(regions_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  const auto at = std::find_if(regions_.begin(), regions_.end(), [&](const Region& r) { return r.begin > begin; });
  regions_.insert(at, Region{begin, end, writable, made, {}, {}});
  GuardAgain(guarded);
}

std::optional<GuestCode::Part> GuestCode::GrowingAbove(GuestPc pc) const {
  const Region* next = nullptr;
  GuestPc begin = 0;
  for (const GuestPc growing : growing_) {
    if (growing <= pc || (next != nullptr && growing >= begin)) continue;
    begin = growing;
    next = Find(growing);
  }
  return next == nullptr ? std::nullopt : std::optional(Part{begin, next->end, next->writable, next->made});
}

// What was guarded there has grown without the right to be written.
void GuestCode::Grow(const Part& code, GuestPc begin) {
  if (code.writable && !protect_(begin, code.begin, true)) throw NoRoomInProgram("mprotect the program's code", ENOMEM);
  Add(begin, code.begin, code.writable, code.made);
  std::replace(growing_.begin(), growing_.end(), code.begin, begin);
}

void GuestCode::AddMoved(GuestPc begin, GuestPc end) {
  if (!protect_(begin, end, true)) throw NoRoomInProgram("mprotect the program's code", ENOMEM);
  Add(begin, end, true, true);
}

void GuestCode::AppendGuarded(const Region& region, std::vector<Range>* out) {
  bool goes_on = false;
  for (std::size_t chunk = 0; region.writable && chunk < region.read.size(); ++chunk) {
    const Range range = ChunkOf(region, chunk);
    if (region.read[chunk] && goes_on) out->back().end = range.end;
    if (region.read[chunk] && !goes_on) out->push_back(range);
    goes_on = region.read[chunk];
  }
}

std::vector<GuestCode::Range> GuestCode::Guarded() const {
  std::vector<Range> out;
  for (const Region& region : regions_) AppendGuarded(region, &out);
  return out;
}

// The regions have changed since, and so where their chunks begin.
void GuestCode::GuardAgain(const std::vector<Range>& guarded) {
  for (const Range& range : guarded) {
    for (Region& region : regions_) {
      const GuestPc begin = std::max(range.begin, region.begin);
      const GuestPc end = std::min(range.end, region.end);
      if (begin >= end) continue;
      const std::size_t last = (end - 1 - region.begin) / kChunk;
      for (std::size_t chunk = (begin - region.begin) / kChunk; chunk <= last; ++chunk) ReadChunk(&region, chunk);
    }
  }
}

void GuestCode::ReadChunk(Region* region, std::size_t chunk) const {
  if (region->read.empty()) {
    const std::size_t size = region->end - region->begin;
    void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const bool is_much = size > kMuch || regions_.size() > kMany;
    if (at == MAP_FAILED && errno == ENOMEM && is_much) throw NoRoomInProgram("copies of the program's code", ENOMEM);
    if (at == MAP_FAILED) throw SystemError("mmap for copies of the program's code", errno);
    region->bytes = Mapping(at, size);
    region->read.resize((size + kChunk - 1) / kChunk);
  }
  if (region->read[chunk]) return;
  if (region->writable && !unguarded_) Protect(ChunkOf(*region, chunk), false);
  const std::size_t n = region->writable ? 1 : kReadAtOnce;
  const std::size_t first = chunk / n * n;
  const std::size_t at = first * kChunk;
  auto* const copy = static_cast<std::uint8_t*>(region->bytes.data()) + at;
  ReadTracee(process_, region->begin + at, copy, std::min(n * kChunk, region->bytes.size() - at));
  const bool stays = !region->writable || !unguarded_;
  for (std::size_t i = first; i < std::min(first + n, region->read.size()); ++i) region->read[i] = stays;
}

std::optional<bool> GuestCode::WasReadAs(GuestPc pc, std::span<const std::uint8_t> bytes) const {
  const Region* const region = Find(pc);
  if (region == nullptr || bytes.size() > region->end - pc) return false;
  const std::size_t at = pc - region->begin;
  for (std::size_t chunk = at / kChunk; chunk <= (at + bytes.size() - 1) / kChunk; ++chunk) {
    if (region->read.empty() || !region->read[chunk]) return std::nullopt;
  }
  return std::memcmp(static_cast<const std::uint8_t*>(region->bytes.data()) + at, bytes.data(), bytes.size()) == 0;
}

std::span<const std::uint8_t> GuestCode::CopyOfPage(GuestPc page) const {
  const Region* const region = Find(page);
  if (region == nullptr || region->read.empty() || !region->read[(page - region->begin) / kChunk]) return {};
  return {static_cast<const std::uint8_t*>(region->bytes.data()) + (page - region->begin), kPage};
}

bool GuestCode::ReadPages(std::span<const GuestPc> pages, std::uint8_t* to) const {
  constexpr std::size_t kMost = 512;  // the kernel takes no more than 1024 (UIO_MAXIOV)
  std::vector<iovec> theirs;
  for (std::size_t done = 0; done < pages.size(); done += kMost) {
    theirs.clear();
    for (const GuestPc page : pages.subspan(done, std::min(kMost, pages.size() - done))) {
      auto* const at = reinterpret_cast<std::byte*>(page);
      if (!theirs.empty() && static_cast<std::byte*>(theirs.back().iov_base) + theirs.back().iov_len == at) {
        theirs.back().iov_len += kPage;
      } else {
        theirs.push_back({at, kPage});
      }
    }
    const std::size_t size = std::min(kMost, pages.size() - done) * kPage;
    const iovec ours{to + done * kPage, size};
    if (::process_vm_readv(process_, &ours, 1, theirs.data(), theirs.size(), 0) != static_cast<ssize_t>(size)) return false;
  }
  return true;
}

std::uint64_t GuestCode::WordAt(GuestPc address) const {
  std::uint64_t word = 0;
  return ReadTracee(process_, address, &word, sizeof word) == sizeof word ? word : 0;
}

void GuestCode::ReadUnguarded(bool on) { unguarded_ = on; }

GuestCode::Range GuestCode::ChunkOf(const Region& region, std::size_t chunk) {
  const GuestPc begin = region.begin + chunk * kChunk;
  return {begin, std::min(begin + kChunk, region.end)};
}

void GuestCode::Protect(Range range, bool writable) const {
  if (!protect_(range.begin, range.end, writable)) throw NoRoomInProgram("mprotect the program's code", ENOMEM);
}

void GuestCode::CopyRegions(const GuestCode& other) {
  libraries_ = other.libraries_;
  growing_ = other.growing_;
  for (const Region& region : other.regions_) {
    // What another thread has mapped or unmapped since the fork is not so here.
    std::vector<Range> guarded;
    AppendGuarded(region, &guarded);
    const bool is_here = std::all_of(guarded.begin(), guarded.end(), [this](const Range& range) { return protect_(range.begin, range.end, true); });
    if (is_here) regions_.push_back({region.begin, region.end, region.writable, region.made, {}, {}});
  }
}

std::optional<GuestCode::Range> GuestCode::GuardedWith(GuestPc address) const {
  const Region* const region = Find(address);
  if (region == nullptr || !region->writable || region->read.empty()) return std::nullopt;
  const std::size_t chunk = (address - region->begin) / kChunk;
  return region->read[chunk] ? std::optional(ChunkOf(*region, chunk)) : std::nullopt;
}

void GuestCode::Unguard(Range guarded) {
  auto* const region = const_cast<Region*>(Find(guarded.begin));
  for (GuestPc at = guarded.begin; at < guarded.end; at += kChunk) region->read[(at - region->begin) / kChunk] = false;
  Protect(guarded, true);
}

bool GuestCode::UnguardWith(GuestPc address) {
  const std::optional<Range> guarded = GuardedWith(address);
  if (guarded) Unguard(*guarded);
  return guarded.has_value();
}

std::span<const std::uint8_t> GuestCode::BytesAt(GuestPc pc) {
  auto* const region = const_cast<Region*>(Find(pc));
  if (region == nullptr) return {};
  const std::size_t at = pc - region->begin;
  const std::size_t needed = std::min<std::size_t>(kLongestInstruction, region->end - pc);
  const std::size_t last = (at + needed - 1) / kChunk;
  for (std::size_t chunk = at / kChunk; chunk <= last; ++chunk) ReadChunk(region, chunk);
  const std::size_t end = std::min((last + 1) * kChunk, region->bytes.size());
  const std::span<const std::uint8_t> bytes{static_cast<const std::uint8_t*>(region->bytes.data()) + at, end - at};
  const bool goes_on = needed < kLongestInstruction && Find(region->end) != nullptr;
  return goes_on ? AcrossBorder(bytes, region->end) : bytes;
}

std::span<const std::uint8_t> GuestCode::AcrossBorder(std::span<const std::uint8_t> before, GuestPc border) {
  const std::span<const std::uint8_t> behind = BytesAt(border);
  const auto end = std::copy(before.begin(), before.end(), across_.begin());
  const auto more = std::min<std::ptrdiff_t>(across_.end() - end, static_cast<std::ptrdiff_t>(behind.size()));
  std::copy_n(behind.begin(), more, end);
  return {across_.data(), before.size() + static_cast<std::size_t>(more)};
}

}  // namespace tally
