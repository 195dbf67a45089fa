// Code that no compiler makes, each case for what once went another way in translation, or by single steps, than natively.
// What hostile_code_test.cc finds becomes a case here.
#include <sys/mman.h>
#include <sys/syscall.h>

#include <csignal>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/translator/machine_code.h"
#include "tests/translator/tiny_program.h"

namespace tally {
namespace {

constexpr std::uint64_t kMemory = 0x600000;
constexpr std::uint64_t kPages = 0x4000000;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kAll = PROT_READ | PROT_WRITE | PROT_EXEC;

// At a fault it writes down which, and where: signal, code, address, rip and the trap flag. At its end, rbx and r11.
class OddProgram : public MachineCode {
 public:
  OddProgram() : MachineCode(TinyProgram::kCode) {
    const std::size_t over = JumpNear();
    const std::uint64_t restorer = here();
    MoveNumber(kRax, SYS_rt_sigreturn);
    Bytes({0x0f, 0x05});
    const std::uint64_t handler = here();
    Store(kRdi, kMemory);
    Bytes({0x48, 0x63, 0x46, 0x08});  // movslq si_code, %rax
    Store(kRax, kMemory + 8);
    Bytes({0x48, 0x8b, 0x46, 0x10});  // mov si_addr, %rax
    Store(kRax, kMemory + 16);
    Bytes({0x48, 0x8b, 0x82, 0xa8, 0, 0, 0});  // mov the context's rip, %rax
    Store(kRax, kMemory + 24);
    Bytes({0x48, 0x8b, 0x82, 0xb0, 0, 0, 0, 0x48, 0x25, 0, 1, 0, 0});  // mov its flags, %rax; and $0x100, %rax
    Store(kRax, kMemory + 32);
    Finish();
    PatchNear(over);
    for (const int signal : {SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE}) {
      StoreNumber(kMemory, static_cast<std::uint32_t>(handler));
      StoreNumber(kMemory + 8, 0x04000004);  // SA_RESTORER | SA_SIGINFO
      StoreNumber(kMemory + 16, static_cast<std::uint32_t>(restorer));
      SystemCall(SYS_rt_sigaction, {static_cast<std::uint64_t>(signal), kMemory, 0, 8});
    }
  }

  void Map(std::uint64_t at, std::uint64_t size, std::uint64_t rights) {
    SystemCall(SYS_mmap, {at, size, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ULL, 0});
  }
  void CopyTo(std::uint64_t to, const std::string& bytes) {
    const std::size_t over = JumpNear();
    const std::uint64_t from = here();
    Append(bytes);
    PatchNear(over);
    MoveNumber(kRsi, from);
    MoveNumber(kRdi, to);
    MoveNumber(kRcx, bytes.size());
    Bytes({0xf3, 0xa4});
  }
  void Call(std::uint64_t to) {
    MoveNumber(kRax, to);
    Bytes({0xff, 0xd0});
  }
  void End() {
    Store(kRbx, kMemory);
    Store(kR11, kMemory + 8);
    Finish();
  }

 private:
  void Finish() {
    SystemCall(SYS_write, {1, kMemory, 64});
    SystemCall(SYS_exit_group, {0});
  }
};

TestResult Under(Counter counter, const std::string& path) {
  TestRun run;
  run.counter = counter;
  return RunTinyProgram(run, path);
}

void CheckSame(const OddProgram& program) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/program";
  WriteTinyProgram(path, {.code = program.code(), .memory = kMemory});
  const TestResult native = Under(Counter::kNone, path);
  const TestResult stepped = Under(Counter::kStep, path);
  const TestResult translated = Under(Counter::kTranslator, path);
  CAPTURE(native.run.sentence, stepped.run.sentence, translated.run.sentence);
  CHECK(native.code() == "OK");
  CHECK(stepped.code() == "OK");
  CHECK(translated.code() == "OK");
  CHECK((stepped.output == native.output));
  CHECK((translated.output == native.output));
  CHECK(translated.run.instructions.value().count == stepped.run.instructions.value().count);
}

TEST_CASE("odd code: what a system call leaves in r11 says nothing of single steps", "[translator][reference]") {
  OddProgram program;
  program.SystemCall(SYS_getpid, {});
  program.End();
  CheckSame(program);
}

TEST_CASE("odd code: the instruction behind a mov to ss counts, whatever it is", "[translator][reference]") {
  OddProgram program;
  const std::initializer_list<int> move{0x8e, 0xd1};  // mov %ecx, %ss
  program.MoveNumber(kRcx, 0x2b);
  program.MoveNumber(kRbx, 0);
  for (int i = 0; i < 3; ++i) {
    program.Bytes(move);
    program.Bytes({0xff, 0xc3});  // inc %ebx
  }
  program.Bytes(move);
  program.Bytes(move);
  program.Bytes({0xff, 0xc3});
  program.MoveNumber(kRax, SYS_getpid);
  program.Bytes(move);
  program.Bytes({0x0f, 0x05, 0xff, 0xc3});
  program.MoveNumber(kRax, 0);
  program.MoveNumber(kRcx, 0x2b);
  program.Bytes(move);
  program.Bytes({0x0f, 0xa2});  // cpuid, of which nothing is looked at
  program.MoveNumber(kRcx, 0x6b);
  program.Bytes(move);  // faults
  program.End();
  CheckSame(program);
}

TEST_CASE("odd code: a read over the very bytes of its system call is one instruction like others", "[translator][reference]") {
  OddProgram program;
  MachineCode reads(kPages);
  reads.Bytes({0x0f, 0x05, 0xff, 0xc3, 0xc3});  // syscall; inc %ebx; ret
  program.Map(kPages, kPage, kAll);
  program.CopyTo(kPages, reads.code());
  program.SystemCall(SYS_pipe, {kMemory});
  program.StoreNumber(kMemory + 8, 0x00c3c3ff);  // inc %ebx; ret
  program.Load(kRdi, kMemory);
  program.Bytes({0x48, 0xc1, 0xef, 0x20});  // shr $32, %rdi
  program.MoveNumber(kRsi, kMemory + 8);
  program.MoveNumber(kRdx, 3);
  program.MoveNumber(kRax, SYS_write);
  program.Bytes({0x0f, 0x05});
  program.MoveNumber(kRbx, 0);
  program.Load(kRdi, kMemory);
  program.Bytes({0x89, 0xff});  // mov %edi, %edi
  program.MoveNumber(kRsi, kPages);
  program.MoveNumber(kRcx, kPages);
  program.MoveNumber(kRax, SYS_read);
  program.Bytes({0xff, 0xd1});  // call *%rcx
  program.Call(kPages);
  program.End();
  CheckSame(program);
}

TEST_CASE("odd code: what the virtual CPU answers it answers behind any prefix", "[translator][reference]") {
  for (const char* const prefix : {"\x2e", "\xf2", "\x67\x3e", "\x65", "\x48\x66"}) {
    OddProgram program;
    program.Bytes({0x31, 0xc0});  // xor %eax, %eax
    program.Append(prefix);
    program.Bytes({0x0f, 0xa2});  // cpuid
    program.Bytes({0x31, 0xdb});  // natively it is another processor
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: what may only be executed is executed", "[translator][reference]") {
  for (const std::uint64_t rights : {std::uint64_t{PROT_EXEC}, std::uint64_t{PROT_WRITE | PROT_EXEC}}) {
    OddProgram program;
    program.Map(kPages, kPage, PROT_READ | PROT_WRITE);
    program.CopyTo(kPages, "\xff\xc3\xc3");  // inc %ebx; ret
    program.SystemCall(SYS_mprotect, {kPages, kPage, rights});
    program.MoveNumber(kRbx, 41);
    program.Call(kPages);
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: a handler finds the address of a fault, or none, as natively", "[translator][reference]") {
  for (const char* const code : {"\xcc", "\xf4", "\x0f\x0b", "\x31\xc9\xf7\xf1"}) {
    OddProgram program;
    program.Append(code);  // int3, hlt, ud2, a division by 0
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: an instruction of which the end is missing faults where that would be", "[translator][reference]") {
  for (const bool mapped : {false, true}) {
    OddProgram program;
    program.Map(kPages, 2 * kPage, PROT_READ | PROT_WRITE);
    program.CopyTo(kPages + kPage - 4, "\xff\xc3\x48\xb8");  // inc %ebx; mov $..., %rax
    program.SystemCall(SYS_mprotect, {kPages, kPage, PROT_READ | PROT_EXEC});
    if (!mapped) program.SystemCall(SYS_munmap, {kPages + kPage, kPage});
    program.Call(kPages + kPage - 4);
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: an instruction goes on in pages with other rights", "[translator][reference]") {
  OddProgram program;
  program.Map(kPages, 2 * kPage, kAll);
  program.CopyTo(kPages + kPage - 3, std::string("\xff\xc3\x81\xc3\x01\x00\x00\x00\xc3", 9));  // inc %ebx; add $1, %ebx; ret
  program.SystemCall(SYS_mprotect, {kPages, kPage, PROT_READ | PROT_EXEC});
  program.MoveNumber(kRbx, 0);
  for (int i = 0; i < 3; ++i) {
    program.Call(kPages + kPage - 3);
    program.MoveNumber(kRdx, kPages + kPage);
    program.Bytes({0x80, 0x42, 0x01, 0x10});  // addb $16, 1(%rdx): another number to add
  }
  program.End();
  CheckSame(program);
}

TEST_CASE("odd code: lock in front of what cannot be locked is an invalid opcode", "[translator][reference]") {
  for (const char* const code : {"\xe8\x01\x01\x01\x01", "\x74\x01", "\xeb\x01", "\xc3", "\xff\xe0", "\x0f\xa2", "\x0f\x05", "\xe2\x01", "\x0f\x31"}) {
    OddProgram program;
    program.Byte(0xf0);
    program.Append(code);
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: an instruction of more than 15 bytes is a general protection fault", "[translator][reference]") {
  for (const char* const code : {"\x90", "\xe8\x01\x01\x01\x01", "\x0f\xa2", "\x48\x8d\x05\x01\x01\x01\x01"}) {
    OddProgram program;
    program.Append(std::string(16 - std::string(code).size(), '\x2e'));
    program.Append(code);
    program.End();
    CheckSame(program);
  }
}

TEST_CASE("odd code: a call below address 0 faults at the top of all addresses", "[translator][reference]") {
  OddProgram program;
  program.Byte(0xe8);
  program.NearToAddress(0xffff'ffff'9000'0000);
  program.End();
  CheckSame(program);
}

TEST_CASE("odd code: what processors take for a return of 16 bits or of 64 is refused", "[translator]") {
  for (const char* const code : {"\x66\xc3", "\x66\xc2\x01\x01", "\x66\xe2\x01", "\x66\xe3\x01"}) {
    OddProgram program;
    program.Append(code);
    program.End();
    const ScratchFolder folder;
    const std::string path = folder.path() + "/program";
    WriteTinyProgram(path, {.code = program.code(), .memory = kMemory});
    const TestResult result = Under(Counter::kTranslator, path);
    CHECK(result.code() == "RV");
    CHECK(result.run.sentence.find("counter=translator does not execute the instruction") != std::string::npos);
  }
}

}  // namespace
}  // namespace tally
