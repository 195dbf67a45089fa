#include "profile/hotspots/elf_functions.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace tally {
namespace {

using File = std::span<const std::uint8_t>;

template <typename T>
std::optional<T> Read(File file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

File Part(File file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return {};
  return file.subspan(offset, size);
}

std::string_view TextAt(File strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const auto* const text = reinterpret_cast<const char*>(strings.data() + offset);
  return {text, ::strnlen(text, strings.size() - offset)};
}

struct Symbol {
  ElfFunction function;
  unsigned rank;  // of names for one address, the lowest is taken
};

constexpr std::size_t kMostSymbols = 4'000'000;

unsigned RankOf(const Elf64_Sym& symbol, std::string_view name) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  const unsigned by_binding = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
  return by_binding * 2 + (name.front() == '_' ? 1 : 0);
}

void ReadSymbols(File file, const Elf64_Shdr& table, const Elf64_Shdr& names, std::vector<Symbol>* out) {
  const File symbols = Part(file, table.sh_offset, table.sh_size);
  const File strings = Part(file, names.sh_offset, names.sh_size);
  std::string_view object;  // whose local symbols follow
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size() && out->size() < kMostSymbols; at += sizeof(Elf64_Sym)) {
    const Elf64_Sym symbol = *Read<Elf64_Sym>(symbols, at);
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_FILE) object = TextAt(strings, symbol.st_name);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) || symbol.st_shndx == SHN_UNDEF ||
        symbol.st_shndx >= SHN_LORESERVE) {
      continue;
    }
    const bool is_local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
    if (type == STT_NOTYPE && symbol.st_size == 0 && is_local) continue;  // a label
    const std::string_view name = TextAt(strings, symbol.st_name);
    if (name.empty() || symbol.st_value + symbol.st_size < symbol.st_value) continue;
    out->push_back({{symbol.st_value, symbol.st_value + symbol.st_size, std::string(name), std::string(is_local ? object : "")}, RankOf(symbol, name)});
  }
}

// Where one without a size ends at the latest.
std::uint64_t PageFrom(std::uint64_t begin) {
  constexpr std::uint64_t kPage = 4096;
  return begin + std::min(kPage, std::numeric_limits<std::uint64_t>::max() - begin);
}

// Sorted, one for each address, none reaching into the next; one without a size reaches to the next.
std::vector<ElfFunction> Disjoint(std::vector<Symbol> symbols) {
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    if (a.function.begin != b.function.begin) return a.function.begin < b.function.begin;
    if ((a.function.end > a.function.begin) != (b.function.end > b.function.begin)) return a.function.end > a.function.begin;
    if (a.rank != b.rank) return a.rank < b.rank;
    return a.function.name < b.function.name;
  });
  std::vector<ElfFunction> out;
  for (Symbol& symbol : symbols) {
    ElfFunction& function = symbol.function;
    if (!out.empty() && out.back().begin == function.begin) continue;
    if (!out.empty() && (out.back().end == out.back().begin || out.back().end > function.begin)) {
      const bool sized = out.back().end != out.back().begin;
      out.back().end = sized ? function.begin : std::min(function.begin, PageFrom(out.back().begin));
    }
    out.push_back(std::move(function));
  }
  if (!out.empty() && out.back().end == out.back().begin) out.back().end = PageFrom(out.back().begin);
  return out;
}

}  // namespace

ElfFunctions::ElfFunctions(File file) {
  const auto header = Read<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return;
  }
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = Read<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_INTERP) has_interpreter_ = true;
    if (segment && segment->p_type == PT_LOAD) segments_.push_back({segment->p_offset, segment->p_vaddr, segment->p_filesz});
  }
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = Read<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) break;
    sections.push_back(*section);
  }
  std::vector<Symbol> symbols;
  for (const Elf64_Shdr& section : sections) {
    const bool is_table = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
    if (is_table && section.sh_link < sections.size()) ReadSymbols(file, section, sections[section.sh_link], &symbols);
  }
  functions_ = Disjoint(std::move(symbols));
}

std::uint64_t ElfFunctions::AddressOf(std::uint64_t offset) const {
  for (const Segment& segment : segments_) {
    // A mapping begins at a whole page, which may hold the end of what comes before.
    if (offset >= segment.offset && offset - segment.offset < segment.size) return segment.address + (offset - segment.offset);
  }
  return 0;
}

const ElfFunction* ElfFunctions::Holding(std::uint64_t address) const {
  auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                [](std::uint64_t value, const ElfFunction& function) { return value < function.begin; });
  if (after == functions_.begin()) return nullptr;
  const ElfFunction& function = *std::prev(after);
  return address < function.end ? &function : nullptr;
}

}  // namespace tally
