// Every shipped language that is on this machine: a program that adds two numbers is OK, one that is no program of the language is CE.
#include "compilers/compiler_store.h"
#include "compilers/toolchain.h"
#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

struct Language {
  const char* compiler;
  const char* source;  // its name
  const char* sum;
  const char* broken;
};

constexpr const char* kSumC = "#include <stdio.h>\nint main(void) { int a, b; if (scanf(\"%d %d\", &a, &b) != 2) return 1; printf(\"%d\\n\", a + b); return 0; }\n";
constexpr const char* kSumGas = ".globl main\nmain:\n sub $24, %rsp\n lea f(%rip), %rdi\n lea 8(%rsp), %rsi\n lea 12(%rsp), %rdx\n xor %eax, %eax\n call scanf\n mov 8(%rsp), %esi\n"
                                " add 12(%rsp), %esi\n lea g(%rip), %rdi\n xor %eax, %eax\n call printf\n xor %eax, %eax\n add $24, %rsp\n ret\nf: .asciz \"%d %d\"\ng: .asciz \"%d\\n\"\n"
                                ".section .note.GNU-stack,\"\",@progbits\n";
constexpr const char* kSumNasm = "global main\nextern scanf, printf\nsection .text\nmain:\n sub rsp, 24\n mov rdi, f\n lea rsi, [rsp+8]\n lea rdx, [rsp+12]\n xor eax, eax\n call scanf\n mov esi, [rsp+8]\n"
                                 " add esi, [rsp+12]\n mov rdi, g\n xor eax, eax\n call printf\n xor eax, eax\n add rsp, 24\n ret\nsection .data\nf: db \"%d %d\",0\ng: db \"%d\",10,0\n"
                                 "section .note.GNU-stack noalloc noexec nowrite progbits\n";

const Language kLanguages[] = {
    {"c11", "sum.c", kSumC, "int main(\n"},
    {"c17", "sum.c", kSumC, "int main(\n"},
    {"cpp11", "sum.cpp", "#include <cstdio>\nint main() { auto a = 0, b = 0; if (scanf(\"%d %d\", &a, &b) != 2) return 1; printf(\"%d\\n\", a + b); }\n", "int main() { auto f = [](auto x) { return x; }; return f(0); }\n"},
    {"cpp14", "sum.cpp", "#include <cstdio>\nint main() { int a, b; auto sum = [](auto x, auto y) { return x + y; }; if (scanf(\"%d %d\", &a, &b) == 2) printf(\"%d\\n\", sum(a, b)); }\n", "int main(\n"},
    {"cpp23", "sum.cpp", "#include <cstdio>\nint main() { int a, b; if consteval { return 1; } if (scanf(\"%d %d\", &a, &b) == 2) printf(\"%d\\n\", a + b); }\n", "int main(\n"},
    {"pascal", "sum.p", "var a, b: integer; begin read(a, b); writeln(a + b) end.\n", "begin end\n"},
    {"javascript", "sum.js", "const [a, b] = require('fs').readFileSync(0, 'utf8').split(/\\s+/).map(Number);\nconsole.log(a + b);\n", "const = ;\n"},
    {"ruby", "sum.rb", "puts gets.split.map(&:to_i).sum\n", "puts (\n"},
    {"php", "sum.php", "<?php fscanf(STDIN, '%d %d', $a, $b); echo $a + $b, \"\\n\";\n", "<?php echo (\n"},
    {"perl", "sum.pl", "my ($a, $b) = split ' ', <STDIN>;\nprint $a + $b, \"\\n\";\n", "my ($a = ;\n"},
    {"lua", "sum.lua", "local a, b = io.read('n', 'n')\nprint(a + b)\n", "local = 1\n"},
    {"bash", "sum.sh", "read a b\necho $((a + b)) | cat\n", "if true; then\n"},
    {"scheme", "sum.scm", "(display (+ (read) (read)))\n(newline)\n", "(display (+ 1\n"},
    {"pypy3", "sum.py", "print(sum(map(int, input().split())))\n", "print((\n"},
    {"ocaml", "sum.ml", "let () = Scanf.scanf \" %d %d\" (fun a b -> Printf.printf \"%d\\n\" (a + b))\n", "let () = 1 +\n"},
    {"haskell", "sum.hs", "main = interact (\\s -> show (sum (map read (words s) :: [Int])) ++ \"\\n\")\n", "main = (\n"},
    {"d", "sum.d", "import std.stdio;\nvoid main() { int a, b; readf(\" %d %d\", &a, &b); writeln(a + b); }\n", "void main( {\n"},
    {"ada", "sum.adb", "with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;\nprocedure Sum is\n  A, B : Integer;\nbegin\n  Get (A); Get (B); Put (A + B, Width => 0);\nend Sum;\n", "procedure Sum is\n"},
    {"csharp", "sum.cs", "using System;\nclass Sum { static void Main() { var w = Console.ReadLine().Split(' '); Console.WriteLine(int.Parse(w[0]) + int.Parse(w[1])); } }\n", "class Sum {\n"},
    {"gas", "sum.s", kSumGas, "main: no_such_instruction\n"},
    {"nasm", "sum.asm", kSumNasm, "main: no_such instruction\n"},
};

TEST_CASE("languages: each that is here adds two numbers, and refuses what is no program", "[judging][languages]") {
  const ScratchFolder folder;
  folder.Write("t/1.in", "3 4\n");
  folder.Write("t/1.out", "7\n");
  const Package package = ReadPackage(folder.path() + "/t");
  std::string absent;
  for (const Language& language : kLanguages) {
    CAPTURE(language.compiler);
    if (WhyAbsent(language.compiler)) {
      absent += std::string(" ") + language.compiler;
      continue;
    }
    const JudgeOptions options{.time = Milliseconds(5000), .memory = Bytes::MiB(512), .compiler = language.compiler};
    const auto judge = [&](const char* source) { return Judging(package, options).Judge(folder.Write(language.source, source), [](std::size_t, const std::string&) {}); };
    const SolutionReport right = judge(language.sum);
    INFO(right.compilation.output);
    CHECK(right.Worst() == ResultCode::kOk);
    const SolutionReport broken = judge(language.broken);
    CHECK(broken.Worst() == ResultCode::kCe);
    CHECK_FALSE(broken.compilation.output.empty());
  }
  if (!absent.empty()) TALLY_SKIP("not on this machine:" + absent);
}

TEST_CASE("languages: what compiles and is no program is CE", "[judging][languages]") {
  if (const auto why = WhyAbsent("go")) TALLY_SKIP(*why);
  const ScratchFolder folder;
  folder.Write("t/1.in", "");
  folder.Write("t/1.out", "");
  const Package package = ReadPackage(folder.path() + "/t");
  const SolutionReport report = Judging(package, {}).Judge(folder.Write("lib.go", "package notmain\nfunc F() {}\n"), [](std::size_t, const std::string&) {});
  CHECK(report.Worst() == ResultCode::kCe);
  CHECK(report.compilation.sentence == "compilation failed: what the compiler made is no program (is there a main?)");
}

TEST_CASE("languages: Java collects garbage before the limit, and a full heap is MLE", "[judging][languages]") {
  if (const auto why = WhyAbsent("java")) TALLY_SKIP(*why);
  const ScratchFolder folder;
  folder.Write("t/1.in", "");
  folder.Write("t/1.out", "done\n");
  const Package package = ReadPackage(folder.path() + "/t");
  const auto judge = [&](const char* source, Bytes memory) {
    return Judging(package, {.time = Milliseconds(10'000), .memory = memory}).Judge(folder.Write("G.java", source), [](std::size_t, const std::string&) {}).tests.at(0);
  };
  constexpr const char* kGarbage = "public class G { public static void main(String[] a) { byte[][] x = new byte[10][]; for (int r = 0; r < 300; r++) { x[r % 10] = new byte[1 << 20];"
                                   " java.util.Arrays.fill(x[r % 10], (byte) 1); } System.out.println(\"done\"); } }\n";
  constexpr const char* kFull = "public class G { public static void main(String[] a) { java.util.List<byte[]> x = new java.util.ArrayList<>(); while (true) { byte[] b = new byte[1 << 20];"
                                " java.util.Arrays.fill(b, (byte) 1); x.add(b); } } }\n";
  constexpr const char* kThree = "public class G { public static void main(String[] a) { System.exit(3); } }\n";
  for (const Bytes memory : {Bytes::MiB(64), Bytes::MiB(128)}) {
    CHECK(judge(kGarbage, memory).code == ResultCode::kOk);
    CHECK(judge(kFull, memory).code == ResultCode::kMle);
  }
  CHECK(judge(kThree, Bytes::MiB(256)).code == ResultCode::kRe);
  const SolutionReport none = Judging(package, {}).Judge(folder.Write("N.java", "public class N { void f() {} }\n"), [](std::size_t, const std::string&) {});
  CHECK(none.Worst() == ResultCode::kCe);
  CHECK(none.compilation.sentence == "compilation failed: no class has a main method");
}

}  // namespace
}  // namespace tally
