// Java wants a file to be called as its public class, and a runtime wants to know which class has main. A
// contestant may choose any names, so both are read from the source. A light reading: a source it
// misunderstands gets javac's own error, which is a CE that names the class.
#pragma once

#include <string>
#include <string_view>

namespace tally {

struct JavaEntry {
  std::string file_stem;   // "Solution": the public class, else the one with main, else "Main"
  std::string main_class;  // "pl.example.Solution": the class with main, else as above; with its package
  bool has_main = false;
};

JavaEntry FindJavaEntry(std::string_view source);

}  // namespace tally
