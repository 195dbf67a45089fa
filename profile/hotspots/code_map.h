// Where an address of a running program comes from: which file, which function of it, and, for the program itself,
// which functions are inlined there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/hotspots/elf_functions.h"
#include "profile/hotspots/source_map.h"

namespace tally {

using FunctionNumber = std::uint32_t;

struct FunctionName {
  std::string name;  // demangled; "[libc.so.6]" for what has no symbol
  std::string file;  // of the source, or of the library; "" unknown
};

struct CodePlace {
  FunctionNumber function = 0;
  bool is_start = false;      // of the function; where there is no symbol, it may be
  std::uint64_t address = 0;  // as SourceMap has it; 0: not in the program's own file
};

class CodeMap {
 public:
  // `program`: the path of the program's own file, as the program has it, of which `source` is.
  CodeMap(std::string program, SourceMap source) : program_(std::move(program)), source_(std::move(source)) {}

  // `task` is stopped; `pc` is mapped there.
  CodePlace PlaceOf(pid_t task, std::uint64_t pc);
  // The functions inlined at an address of CodePlace, the outermost first.
  std::vector<FunctionNumber> InlinedAt(std::uint64_t address);

  [[nodiscard]] const SourceMap& source() const { return source_; }
  [[nodiscard]] const FunctionName& NameOf(FunctionNumber function) const { return names_[function]; }
  [[nodiscard]] std::size_t functions() const { return names_.size(); }

 private:
  struct File {
    std::string name;
    ElfFunctions functions;
    bool is_program;
  };
  struct MappedFile {
    std::uint64_t begin, end, offset;
    std::string path;
    const File* file;  // nullptr: of no file
  };
  const MappedFile* MappingOf(pid_t task, std::uint64_t pc);
  void ReadMappings(pid_t task);
  const File* FileAt(pid_t task, const std::string& path);
  FunctionNumber NumberOf(const std::string& name, const std::string& file);

  std::string program_;
  SourceMap source_;
  std::unordered_map<std::string, std::unique_ptr<File>> files_;  // by path, as the program has it
  std::vector<MappedFile> mappings_;
  std::unordered_map<std::string, FunctionNumber> numbers_;  // by name
  std::vector<FunctionName> names_;
};

// What a symbol is called in the source; a compiler's cold part of a function is that function.
std::string SourceName(const std::string& symbol);

}  // namespace tally
