// Where an address of a running program comes from: which file, which function of it, and, for the program itself,
// which functions are inlined there and which lines of its source have it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/hotspots/elf_functions.h"
#include "profile/hotspots/perf_map.h"
#include "profile/hotspots/source_map.h"
#include "profile/hotspots/static_library.h"

namespace tally {

// What costs are of: a function, a line of the source, or a library with all its functions. All are numbered alike.
using CentreNumber = std::uint32_t;
using FunctionNumber = CentreNumber;
inline constexpr CentreNumber kNoCentre = ~CentreNumber{0};

struct CostCentre {
  std::string name;   // of a function: demangled; "[ld.so]" for what has no symbol
  std::string file;   // of the source, or of the library; "" unknown
  unsigned line = 0;  // 0: it is no line
  CentreNumber library = kNoCentre;  // that a function is of
  bool is_library = false;
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
  // The line at an address of CodePlace.
  std::optional<CentreNumber> LineAt(std::uint64_t address);
  // What has the instruction at an address beside its function, each once: functions inlined there, its line, and the lines in
  // which these functions are called.
  std::vector<CentreNumber> CentresAt(std::uint64_t address);

  // The program's runtime is Java's, and leaves a map of the code that it makes (perf_map.h).
  void LeavesPerfMap() { leaves_map_ = true; }
  // After the run; false: there is none.
  bool ReadPerfMap();
  // What the map calls code of CodePlace that is of no file; `function` for any other.
  FunctionNumber MadeAtRunTime(FunctionNumber function, std::uint64_t pc);

  [[nodiscard]] const CostCentre& Centre(CentreNumber number) const { return centres_[number]; }
  [[nodiscard]] std::size_t centres() const { return centres_.size(); }

 private:
  struct File {
    std::string name;
    ElfFunctions functions;
    bool is_program;
    std::string library;  // "libc" where all of it is; else ""
  };
  struct MappedFile {
    std::uint64_t begin, end, offset;
    std::string path;
    const File* file;  // nullptr: of no file
  };
  const MappedFile* MappingOf(pid_t task, std::uint64_t pc);
  void ReadMappings(pid_t task);
  const File* FileAt(pid_t task, const std::string& path);
  FunctionNumber NumberOf(const std::string& name, const std::string& file, const std::string& library = "");
  CentreNumber NumberOfLibrary(const std::string& name);
  // "" for the program's own.
  const std::string& LibraryOf(const File& file, const ElfFunction& function) const;
  CentreNumber NumberOfLine(std::uint32_t file, std::uint32_t line);

  std::string program_;
  SourceMap source_;
  std::unordered_map<std::string, std::unique_ptr<File>> files_;  // by path, as the program has it
  std::vector<MappedFile> mappings_;
  std::vector<StaticLibrary> libraries_;  // that a static program may have in it
  std::map<std::pair<std::string, std::string>, FunctionNumber> functions_;  // by library and name
  std::unordered_map<std::string, CentreNumber> library_numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CentreNumber> lines_;  // by file and line
  std::vector<CostCentre> centres_;
  bool leaves_map_ = false;
  PerfMapFolder map_folder_;
  std::optional<PerfMap> perf_map_;
  FunctionNumber made_at_run_time_ = kNoCentre;
};

// What a symbol is called in the source; a compiler's cold part of a function is that function.
std::string SourceName(const std::string& symbol);

}  // namespace tally
