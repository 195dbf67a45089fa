// Which function an instruction of an ELF file belongs to, by the file's own symbols. The file is anybody's: a program
// brings it. So it is read here, with every offset checked, and not by a library; a damaged one has no functions.
//
// Sources: elf(5); System V ABI, chapters 4 and 5.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tally {

struct ElfFunction {
  std::uint64_t begin = 0;  // as the file has addresses; the loader moves a PIE or a library as a whole
  std::uint64_t end = 0;
  std::string name;         // as in the file, not demangled
  std::string object;       // of a local one: the source or object that the linker took it from; "" of others
};

class ElfFunctions {
 public:
  ElfFunctions() = default;
  explicit ElfFunctions(std::span<const std::uint8_t> file);

  // The address at which the file wants the byte at `offset`, if it is loaded; 0: it is not.
  [[nodiscard]] std::uint64_t AddressOf(std::uint64_t offset) const;
  // nullptr: no symbol covers it.
  [[nodiscard]] const ElfFunction* Holding(std::uint64_t address) const;
  // It is loaded by a dynamic linker.
  [[nodiscard]] bool has_interpreter() const { return has_interpreter_; }
  [[nodiscard]] const std::vector<ElfFunction>& functions() const { return functions_; }  // by address, disjoint

 private:
  struct Segment {
    std::uint64_t offset, address, size;
  };
  std::vector<Segment> segments_;
  std::vector<ElfFunction> functions_;
  bool has_interpreter_ = false;
};

}  // namespace tally
