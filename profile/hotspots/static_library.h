// Which symbols and objects a static library of this machine has (ar(5)), so that a function of a program that was linked with it
// can be told to be the library's: a static program has the names of its functions, and of those that are local the name of
// their object, but not where they came from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "profile/hotspots/elf_functions.h"

namespace tally {

class StaticLibrary {
 public:
  // One that is damaged has what could be read of it.
  StaticLibrary(std::string name, std::span<const std::uint8_t> archive);

  [[nodiscard]] const std::string& name() const { return name_; }  // "libc"
  [[nodiscard]] bool Has(const ElfFunction& function) const;

 private:
  void ReadSymbols(std::string_view table);

  std::string name_;
  std::unordered_set<std::string> symbols_;  // global ones
  std::unordered_set<std::string> objects_;  // "malloc.o"
};

// The C library and its mathematical part, as far as this machine has them to link with.
std::vector<StaticLibrary> StaticLibrariesOfThisMachine();

// The same for what a program loads: "libc" for "libc.so.6"; "" for any other file.
std::string LibraryOfFile(std::string_view file_name);

}  // namespace tally
