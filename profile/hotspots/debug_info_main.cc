// tally-debug-info: prints the line table and the inlined functions of the ELF file on stdin, for profile/hotspots/
// source_map.h, where the shape is told. Runs in a sandbox, so its faults are nobody's; without debug information it
// prints an empty map.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace tally {
namespace {

constexpr int kDeepest = 64;  // of functions inlined in one another

class Printer {
 public:
  explicit Printer(Dwarf* dwarf) : dwarf_(dwarf) {}

  void Print() {
    std::printf("tally-debug-info 2\n");
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      sources_ = nullptr;
      source_count_ = 0;
      dwarf_getsrcfiles(&die, &sources_, &source_count_);
      PrintRows(&die);
      PrintChildren(&die, 0, 0);
    }
    std::printf("end\n");
  }

 private:
  unsigned FileNumber(const char* name) {
    const auto [at, is_new] = files_.emplace(name == nullptr ? "" : name, files_.size());
    if (is_new) std::printf("file %s\n", at->first.c_str());
    return static_cast<unsigned>(at->second);
  }

  void PrintRows(Dwarf_Die* unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      int number = 0;
      bool ends = false;
      dwarf_lineaddr(line, &address);
      dwarf_lineno(line, &number);
      dwarf_lineendsequence(line, &ends);
      const unsigned file = FileNumber(dwarf_linesrc(line, nullptr, nullptr));
      std::printf("row %lx %u %d\n", address, file, ends ? 0 : number);
    }
  }

  static const char* NameOf(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
      if (dwarf_attr_integrate(die, kind, &attribute) != nullptr) return dwarf_formstring(&attribute);
    }
    return nullptr;
  }

  // Where it begins, and where its cold part does, if it has one.
  void PrintFunction(Dwarf_Die* die) {
    const char* const name = NameOf(die);
    if (name == nullptr) return;
    const unsigned file = FileNumber(dwarf_decl_file(die));
    ForEachRange(die, [&](Dwarf_Addr begin, Dwarf_Addr) { std::printf("function %lx %u %s\n", begin, file, name); });
  }

  void PrintInlined(Dwarf_Die* die, int depth) {
    const char* const name = NameOf(die);
    if (name == nullptr) return;
    const unsigned file = FileNumber(dwarf_decl_file(die));
    const Dwarf_Word call_file = NumberIn(die, DW_AT_call_file);
    const unsigned caller = FileNumber(call_file < source_count_ ? dwarf_filesrc(sources_, call_file, nullptr, nullptr) : nullptr);
    const auto line = static_cast<unsigned>(NumberIn(die, DW_AT_call_line));
    ForEachRange(die, [&](Dwarf_Addr begin, Dwarf_Addr end) {
      std::printf("inlined %lx %lx %d %u %u %u %s\n", begin, end, depth, file, caller, line, name);
    });
  }

  // 0: it has none.
  static Dwarf_Word NumberIn(Dwarf_Die* die, unsigned kind) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_attr(die, kind, &attribute) == nullptr || dwarf_formudata(&attribute, &number) != 0) return 0;
    return number;
  }

  template <typename Action>
  static void ForEachRange(Dwarf_Die* die, Action action) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) {
      if (begin < end) action(begin, end);
    }
  }

  void PrintChildren(Dwarf_Die* parent, int depth, int level) {
    Dwarf_Die die;
    if (level > kDeepest || dwarf_child(parent, &die) != 0) return;
    do {
      switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
          PrintFunction(&die);
          PrintChildren(&die, 0, level + 1);
          break;
        case DW_TAG_inlined_subroutine:
          PrintInlined(&die, depth + 1);
          PrintChildren(&die, depth + 1, level + 1);
          break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type: PrintChildren(&die, depth, level + 1); break;
        default: break;
      }
    } while (dwarf_siblingof(&die, &die) == 0);
  }

  Dwarf* dwarf_;
  Dwarf_Files* sources_ = nullptr;  // of the unit that is being printed
  std::size_t source_count_ = 0;
  std::map<std::string, std::size_t> files_;
};

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool asks = std::strcmp(argv[1], "--help") == 0;
    std::fputs("usage: tally-debug-info < FILE; `tally profile --debug` starts it (man tally-profile)\n", asks ? stdout : stderr);
    return asks ? 0 : 1;
  }
  Dwarf* const dwarf = dwarf_begin(STDIN_FILENO, DWARF_C_READ);
  tally::Printer(dwarf).Print();
  const bool written = std::fflush(stdout) == 0;
  dwarf_end(dwarf);
  return written ? 0 : 2;
}
