#include "supervisor/resources/program_size.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

template <typename Record>
std::optional<Record> ReadAt(const Fd& file, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<Record>);
  Record record;
  if (::pread(file.get(), &record, sizeof record, static_cast<off_t>(offset)) !=
      static_cast<ssize_t>(sizeof record))
    return std::nullopt;
  return record;
}

template <typename Header, typename Segment>
std::optional<Bytes> Sum(const Fd& file) {
  const auto header = ReadAt<Header>(file, 0);
  if (!header) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = ReadAt<Segment>(file, header->e_phoff + i * sizeof(Segment));
    if (!segment) return std::nullopt;
    if (segment->p_type == PT_LOAD) sum += std::min<std::uint64_t>(segment->p_memsz, kMost - sum);
  }
  return Bytes{sum};
}

}  // namespace

std::optional<Bytes> SizeOfSegments(pid_t process) {
  const std::optional<Fd> file = sys::TryOpen(fmt::format("/proc/{}/exe", process), O_RDONLY | O_CLOEXEC);
  if (!file) return std::nullopt;
  using Ident = std::array<unsigned char, EI_NIDENT>;
  const auto ident = ReadAt<Ident>(*file, 0);
  if (!ident || std::memcmp(ident->data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
  return (*ident)[EI_CLASS] == ELFCLASS32 ? Sum<Elf32_Ehdr, Elf32_Phdr>(*file)
                                          : Sum<Elf64_Ehdr, Elf64_Phdr>(*file);
}

}  // namespace tally
