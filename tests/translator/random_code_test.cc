// Random programs: legal sequences of a few dozen forms of instructions with branches, calls, loops, memory and now and
// then a fault, written as a tiny static executable, run under the reference and under the engine in question. Each
// prints its registers, its flags and its memory at the end; those and the count must agree.
//
// A failure names its seed (tiny_program.h).
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/translator/machine_code.h"
#include "tests/translator/tiny_program.h"

namespace tally {
namespace {

constexpr Counter kReference = Counter::kStep;
constexpr Counter kUnderTest = Counter::kTranslator;

constexpr std::uint64_t kCode = TinyProgram::kCode;
constexpr std::uint64_t kMemory = 0x600000;     // what the program may read and write: rbp points at its middle
constexpr std::uint64_t kMemorySize = 4096;

// Writes machine code. rsp is the stack, rbp the memory, r15 counts loops: random instructions write the other thirteen. Flags that an instruction leaves undefined are defined again at once, by a test, or else two
// correct engines could differ.
class Generator : private MachineCode {
 public:
  explicit Generator(std::uint64_t seed) : MachineCode(kCode), random_(seed) {}

  std::string Program() {
    MoveNumber(kRbp, kMemory + kMemorySize / 2);
    for (int r = 0; r < 15; ++r) {
      if (Writable(r)) MoveNumber(r, random_());
    }
    const int functions = Below(4);
    const std::size_t over = JumpNear();
    for (int i = 0; i < functions; ++i) {
      const std::size_t start = code_.size();
      Block(2, 6);
      if (Below(4) == 0) {
        Bytes({0xc2, 0x00, 0x00});  // ret $0
      } else {
        Byte(0xc3);
      }
      functions_.push_back(start);
    }
    PatchNear(over);
    const int parts = 10 + Below(30);
    for (int i = 0; i < parts; ++i) Block(3, 10);
    if (Below(8) == 0) Fault();
    Epilogue();
    return code_;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  static bool Writable(int r) { return r != kRsp && r != kRbp && r != kR15; }
  int Target() {
    for (;;) {
      const int r = Below(16);
      if (Writable(r)) return r;
    }
  }
  int Source() { return Below(4) == 0 ? kRbp : Target(); }

  // Opcode with a register and a register.
  void TwoRegisters(std::initializer_list<int> opcode, int reg, int rm, bool wide) {
    Rex(wide, reg, rm);
    Bytes(opcode);
    Byte(0xc0 | (reg & 7) << 3 | (rm & 7));
  }
  // Opcode with a register and memory: disp8 or disp32 from rbp, with an index, or relative to rip. Behind it come
  // `immediate` bytes.
  void RegisterMemory(std::initializer_list<int> opcode, int reg, bool wide, int immediate = 0) {
    switch (Below(3)) {
      case 0:
        Rex(wide, reg, kRbp);
        Bytes(opcode);
        Byte(0x45 | (reg & 7) << 3);
        Byte(Below(240) - 120);
        break;
      case 1:
        Rex(wide, reg, kRbp);
        Bytes(opcode);
        Byte(0x85 | (reg & 7) << 3);
        Number(static_cast<std::uint64_t>(Below(3800) - 1900), 4);
        break;
      default:
        Rex(wide, reg, 0);
        Bytes(opcode);
        Byte(0x05 | (reg & 7) << 3);
        const std::uint64_t next = kCode + code_.size() + 4 + static_cast<std::uint64_t>(immediate);
        Number(kMemory + static_cast<std::uint64_t>(Below(4000)) - next, 4);
    }
  }

  void Instruction() {
    const bool wide = Below(2) == 0;
    const int operation = Below(8) * 8;  // add or adc sbb and sub xor cmp
    switch (Below(22)) {
      case 0: case 1: TwoRegisters({operation | 1}, Source(), Target(), wide); break;
      case 2: RegisterMemory({operation | 3}, Target(), wide); break;
      case 3: RegisterMemory({operation | 1}, Source(), wide); break;
      case 4:  // byte operands, without ah to dh
        TwoRegisters({operation}, Source(), Target(), wide);
        break;
      case 5: {  // an immediate of 8 or of 32 bits
        const int r = Target();
        const bool small = Below(2) == 0;
        Rex(wide, 0, r);
        Bytes({small ? 0x83 : 0x81, 0xc0 | operation | (r & 7)});
        Number(random_(), small ? 1 : 4);
        break;
      }
      case 6: {  // to memory
        const bool small = Below(2) == 0;
        RegisterMemory({small ? 0x83 : 0x81}, operation >> 3, wide, small ? 1 : 4);
        Number(random_(), small ? 1 : 4);
        break;
      }
      case 7: TwoRegisters({0x89}, Source(), Target(), wide); break;
      case 8: RegisterMemory({0x8b}, Target(), wide); break;
      case 9: RegisterMemory({0x89}, Source(), wide); break;
      case 10: RegisterMemory({0x8d}, Target(), wide); break;
      case 11: TwoRegisters({0x0f, 0x40 | Below(16)}, Target(), Source(), wide); break;  // cmov
      case 12: {                                                                          // setcc
        const int r = Target();
        Rex(false, 0, r);
        Bytes({0x0f, 0x90 | Below(16), 0xc0 | (r & 7)});
        break;
      }
      case 13: {  // inc, dec; neg, not
        const int r = Target(), which = Below(2) << 3;
        Rex(wide, 0, r);
        if (Below(2) == 0) Bytes({0xff, 0xc0 | which | (r & 7)});
        else Bytes({0xf7, 0xd0 | which | (r & 7)});
        break;
      }
      case 14: {  // rol, ror, rcl, rcr, shl, shr, sar by 1: all their flags but AF are defined
        const int r = Target();
        static constexpr int kKinds[] = {0, 1, 2, 3, 4, 5, 7};
        const int kind = kKinds[Below(7)];
        Rex(wide, 0, r);
        Bytes({0xd1, 0xc0 | kind << 3 | (r & 7)});
        break;
      }
      case 15: {  // by more: OF is not
        const int r = Target();
        Rex(wide, 0, r);
        Bytes({0xc1, 0xe0 | (r & 7), 1 + Below(31)});
        DefineFlags();
        break;
      }
      case 16:  // imul
        TwoRegisters({0x0f, 0xaf}, Target(), Source(), wide);
        DefineFlags();
        break;
      case 17: TwoRegisters({0x0f, 0xb6 | Below(2) | Below(2) << 3}, Target(), Source(), wide); break;  // movzx, movsx
      case 18: {  // push and pop, also of memory
        const int r = Source(), to = Target();
        Rex(false, 0, r);
        Byte(0x50 | (r & 7));
        if (Below(2) == 0) Instruction();
        Rex(false, 0, to);
        Byte(0x58 | (to & 7));
        break;
      }
      case 19: TwoRegisters({0x87}, Target(), Target(), wide); break;         // xchg
      case 20: RegisterMemory({0x0f, 0xc1}, Target(), wide); break;           // xadd
      default: Byte(Below(3) == 0 ? 0xf5 : Below(2) == 0 ? 0xf8 : 0xf9);      // cmc, clc, stc
    }
  }
  void DefineFlags() { TwoRegisters({0x39}, Source(), Source(), true); }

  // Straight code, then perhaps something that changes its course.
  void Block(int depth, int length) {
    for (int i = Below(length); i >= 0; --i) Instruction();
    if (depth == 0) return;
    switch (Below(9)) {
      case 0: case 1: case 2: {  // a condition, near or short, over some code
        const int condition = Below(16);
        const bool is_short = Below(2) == 0;
        if (is_short) Bytes({0x70 | condition, 0});
        else Bytes({0x0f, 0x80 | condition, 0, 0, 0, 0});
        const std::size_t behind = code_.size();
        Block(is_short ? 0 : depth - 1, is_short ? 3 : 6);
        if (is_short) code_[behind - 1] = static_cast<char>(code_.size() - behind);
        else PatchNear(behind);
        break;
      }
      case 3: {  // a loop on r15, whose old value is on the stack
        Bytes({0x41, 0x57, 0x41, 0xbf});
        Number(static_cast<std::uint64_t>(1 + Below(9)), 4);
        const std::size_t top = code_.size();
        Block(depth - 1, 4);
        Bytes({0x41, 0xff, 0xcf, 0x0f, 0x85});  // dec %r15d; jnz
        NearTo(top);
        Bytes({0x41, 0x5f});
        break;
      }
      case 4: case 5: {  // a call of a function before here, direct or through a register or memory
        if (functions_.empty()) break;
        const std::size_t to = functions_[static_cast<std::size_t>(Below(static_cast<int>(functions_.size())))];
        const int r = Target();
        switch (Below(3)) {
          case 0:
            Byte(0xe8);
            NearTo(to);
            break;
          case 1:
            MoveNumber(r, kCode + to);
            Rex(false, 0, r);
            Bytes({0xff, 0xd0 | (r & 7)});
            break;
          default:
            Byte(0x68);  // push $address
            Number(kCode + to, 4);
            Bytes({0xff, 0x14, 0x24, 0x48, 0x8d, 0x64, 0x24, 0x08});  // call *(%rsp); lea 8(%rsp), %rsp
        }
        break;
      }
      case 6: {  // a jump through a register or as a return, over bytes that are no code
        const int gap = Below(20), r = Target();
        const bool returns = Below(2) == 0;
        MoveNumber(r, 0);
        const std::size_t number = code_.size() - 8;
        Rex(false, 0, r);
        if (returns) {
          Bytes({0x50 | (r & 7), 0xc3});
        } else {
          Bytes({0xff, 0xe0 | (r & 7)});
        }
        for (int i = 0; i < gap; ++i) Byte(0x06);
        const std::uint64_t address = kCode + code_.size();
        PatchNumber(number, address);
        break;
      }
      case 7: {  // rep stosq or movsb within the memory, loop
        MoveNumber(kRcx, static_cast<std::uint64_t>(Below(40)));
        MoveNumber(kRdi, kMemory + static_cast<std::uint64_t>(Below(2000)));
        MoveNumber(kRsi, kMemory + static_cast<std::uint64_t>(2000 + Below(1000)));
        if (Below(2) == 0) Bytes({0xf3, 0x48, 0xab});
        else Bytes({0xf3, 0xa4});
        break;
      }
      default: {
        MoveNumber(kRcx, static_cast<std::uint64_t>(1 + Below(9)));
        const std::size_t top = code_.size();
        Bytes({0x48, 0x83, 0xd0, 0x03});  // adc $3, %rax
        Byte(0xe2 - Below(3));            // loop, loope, loopne
        Byte(static_cast<int>(top) - static_cast<int>(code_.size() + 1));
      }
    }
  }

  void Fault() {
    switch (Below(5)) {
      case 0: Bytes({0x0f, 0x0b}); break;                                // ud2
      case 1: Bytes({0x48, 0x8b, 0x04, 0x25, 16, 0, 0, 0}); break;       // mov 16, %rax
      case 2: Bytes({0xcc}); break;                                      // int3
      case 3: Bytes({0x31, 0xc9, 0xf7, 0xf1}); break;                    // xor %ecx, %ecx; div %ecx
      default: Bytes({0x31, 0xc0, 0xff, 0xe0}); break;                   // xor %eax, %eax; jmp *%rax
    }
  }

  // The flags, the registers and the memory lie behind each other then, and are written at once.
  void Epilogue() {
    for (int r = 15; r >= 0; --r) {
      if (r == kRsp) continue;  // 15 registers to the memory's end
      Rex(true, r, 0);
      Bytes({0x89, 0x04 | (r & 7) << 3, 0x25});
      Number(kMemory + kMemorySize + static_cast<std::uint64_t>(8 * r), 4);
    }
    Bytes({0x9f, 0x0f, 0x90, 0xc0});              // lahf; seto %al
    Bytes({0x80, 0xe4, 0xc5});                    // and $0xc5, %ah: AF may be undefined
    Bytes({0x66, 0x89, 0x04, 0x25});              // mov %ax, ...
    Number(kMemory + kMemorySize + 8 * kRsp, 4);
    MoveNumber(kRax, 1);                          // write(1, memory, size); exit_group(0)
    MoveNumber(kRdi, 1);
    MoveNumber(kRsi, kMemory);
    MoveNumber(kRdx, kMemorySize + 128);
    Bytes({0x0f, 0x05});
    MoveNumber(kRax, 231);
    MoveNumber(kRdi, 0);
    Bytes({0x0f, 0x05});
  }

  std::mt19937_64 random_;
  std::vector<std::size_t> functions_;
};

TestResult RunUnder(Counter counter, const std::string& path, std::uint64_t turn = 0, std::uint64_t schedule_seed = 0) {
  TestRun run;
  run.counter = counter;
  run.translation.turn = turn;
  run.translation.turn_margin = turn == 50 ? 64 : 0;
  run.virtual_cpu.schedule_seed = schedule_seed;
  return RunTinyProgram(run, path);
}

TEST_CASE("random code: registers, flags, memory, end and count are those of the reference", "[translator][reference]") {
  const ScratchFolder folder;
  int ended = 0;
  ForSeeds([&](std::uint64_t seed) {
    const std::string path = folder.path() + "/program-" + std::to_string(seed);
    // Two segments: the code, and zeroed memory with room for the dump behind it.
    WriteTinyProgram(path, {.code = Generator(seed).Program(), .memory = kMemory, .memory_size = kMemorySize + 4096});
    const TestResult native = RunUnder(Counter::kNone, path);
    const TestResult expected = RunUnder(kReference, path);
    const TestResult got = RunUnder(kUnderTest, path);
    // A turn ends behind the first jump back or return, or anywhere, or after some dozen blocks and a margin.
    const TestResult in_turns = RunUnder(kUnderTest, path, seed % 2 == 0 ? 1 : 50, seed % 3);
    CAPTURE(seed, native.run.sentence, expected.run.sentence, got.run.sentence);
    for (const TestResult& other : {native, got, in_turns}) {
      CHECK(other.code() == expected.code());
      CHECK(other.run.exit_code == expected.run.exit_code);
      CHECK(other.run.signal == expected.run.signal);
      CHECK((other.output == expected.output));  // not printed: it is binary
    }
    CHECK(got.run.instructions.value().count == expected.run.instructions.value().count);
    CHECK(in_turns.run.instructions.value().count == expected.run.instructions.value().count);
    if (expected.code() == "OK") ++ended;
    std::filesystem::remove(path);
  });
  CHECK(ended > 0);
}

}  // namespace
}  // namespace tally
