// From an address in a program to the line of its source and to the functions that were inlined there, as its debug
// information says it.
//
// Debug information is read by elfutils' libdw, in a program of its own (`tally-debug-info`): the file is a
// contestant's, libdw is large, and so it works in a sandbox, as any untrusted program does. What it prints is read
// here, line by line:
//
//   tally-debug-info 2
//   file PATH                          the next number, from 0
//   row ADDRESS FILE LINE              from here on; line 0: of no source
//   function ADDRESS FILE NAME         where a function begins, and its whole name
//   inlined BEGIN END DEPTH FILE CALLER LINE NAME
//                                      a function inlined there; depth 1 is within the function itself. It is called in that
//                                      line of the file CALLER; line 0: of no source
//   end
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

class SourceMap {
 public:
  struct Row {
    std::uint64_t address;
    std::uint32_t file;
    std::uint32_t line;  // 0: of no source
  };
  struct Function {
    std::uint64_t address;
    std::uint32_t file;
    std::string name;
  };
  struct Inlined {
    std::uint64_t begin, end;
    std::uint32_t depth, file;
    std::uint32_t caller, line;  // where it is called; line 0: of no source
    std::string name;
  };

  SourceMap() = default;
  // Of what tally-debug-info printed. UserError where that is not the shape above, or ends too early.
  static SourceMap Parse(std::string_view text);

  // nullptr: no source.
  [[nodiscard]] const Row* RowAt(std::uint64_t address) const;
  [[nodiscard]] const std::string& FileName(std::uint32_t file) const { return files_[file]; }
  [[nodiscard]] const Function* FunctionAt(std::uint64_t address) const;  // that begins there
  // The functions inlined at `address`, the outermost first.
  [[nodiscard]] std::vector<const Inlined*> InlinedAt(std::uint64_t address) const;

 private:
  void Sort();

  std::vector<std::string> files_;
  std::vector<Row> rows_;
  std::vector<Function> functions_;
  std::vector<Inlined> inlined_;     // by begin
  std::uint64_t longest_inlined_ = 0;
};

}  // namespace tally
