// Sources for the tests of compiling and judging: a sum in each language, and the bombs of
// tests/programs/sources.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compilers/compiler_store.h"
#include "compilers/toolchain.h"
#include "tests/support/run_program.h"

namespace tally {

// Read two numbers, print their sum.
inline constexpr const char* kSumC =
    "#include <stdio.h>\n"
    "int main(void) { int a, b; if (scanf(\"%d %d\", &a, &b) != 2) return 1; printf(\"%d\\n\", a + b); "
    "return 0; }\n";
inline constexpr const char* kSumCpp =
    "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n";
inline constexpr const char* kSumPascal =
    "var a, b: longint;\nbegin\n  read(a, b);\n  writeln(a + b);\nend.\n";
inline constexpr const char* kSumPython = "a, b = map(int, input().split())\nprint(a + b)\n";
inline constexpr const char* kSumJava =
    "import java.util.Scanner;\n"
    "public class Anything {\n"
    "  public static void main(String[] args) {\n"
    "    Scanner in = new Scanner(System.in);\n"
    "    System.out.println(in.nextInt() + in.nextInt());\n"
    "  }\n"
    "}\n";
inline constexpr const char* kSumGo =
    "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }\n";
inline constexpr const char* kSumRust =
    "use std::io::*;\n"
    "fn main() {\n"
    "  let mut text = String::new();\n"
    "  stdin().read_to_string(&mut text).unwrap();\n"
    "  println!(\"{}\", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>());\n"
    "}\n";

// Why this machine cannot compile with it; nullopt where it can.
inline std::optional<std::string> WhyAbsent(const std::string& compiler) {
  const CompilerStore store;
  const Toolchain toolchain = Probe(store.Find(compiler));
  if (toolchain.present) return std::nullopt;
  return toolchain.sentence;
}

// "" where the tests run without the source tree.
inline std::string HostileSource(const std::string& name) {
  const std::string path = SourceFolder() + "/tests/programs/sources/" + name;
  return std::filesystem::exists(path) ? path : "";
}

}  // namespace tally
