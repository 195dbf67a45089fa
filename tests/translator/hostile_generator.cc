// Theory of operation. A program is a row of pieces. Before each stands an instruction that notes where the piece ends;
// at that place registers, stack and the states of the floating-point fragments are put right. A handler for all faults
// writes down what it was given, signal, code, address and registers, puts the end of the piece into its context and
// returns; now and then it jumps there instead. So a piece may do whatever it likes, and the next one begins all the
// same. At its end the program writes what was noted down and its memory.
//
// A task has an area of its own: control words, an alternate stack, a stack, and memory to play with. The handler finds
// it by its stack pointer.
#include "tests/translator/hostile_generator.h"

#include <asm/prctl.h>
#include <elf.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <iterator>
#include <random>
#include <vector>

#include "tests/support/this_machine.h"
#include "tests/translator/machine_code.h"

namespace tally {
namespace {

constexpr std::uint64_t kAreas = 0x2000000;
constexpr std::uint64_t kAreaSize = 0x20000;
constexpr std::uint32_t kMostTasks = 4;
constexpr std::uint64_t kAlternate = 0x100;   // in an area
constexpr std::uint64_t kAlternateSize = 0x7f00;
constexpr std::uint64_t kStack = 0xc000;
constexpr std::uint64_t kScratch = 0x10000;
constexpr std::uint64_t kScratchSize = 0x4000;
constexpr std::uint64_t kShared = kAreas + kMostTasks * kAreaSize;
constexpr std::uint64_t kCursor = kShared;       // of the log: bytes
constexpr std::uint64_t kAlarms = kShared + 8;
constexpr std::uint64_t kMxcsr = kShared + 16;
constexpr std::uint64_t kPipe = kShared + 24;
constexpr std::uint64_t kStructs = kShared + 0x100;  // arguments of system calls
constexpr std::uint64_t kLog = kShared + 0x10000;
constexpr std::uint64_t kLogSize = 0x8000;
constexpr std::uint64_t kRecord = 22 * 8;
constexpr std::uint64_t kMemoryEnd = kLog + kLogSize + 0x1000;

constexpr std::uint64_t kPages = 0x4000000;  // of each task, for code that it maps
constexpr std::uint64_t kPagesSize = 0x100000;
constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t kSaOnStack = 0x08000000, kSaSiginfo = 4, kSaNoDefer = 0x40000000, kSaRestorer = 0x04000000,
                        kSaRestart = 0x10000000;
constexpr std::uint64_t kContextRegisters = 40;  // in a ucontext
enum ContextWord : std::uint8_t { kContextRsp = 15, kContextRip = 16, kContextFlags = 17, kContextSegments = 18, kContextWords = 23 };
constexpr std::uint64_t kUsualSegments = 0x002b'0000'0000'0033;

class Generator : private MachineCode {
 public:
  explicit Generator(std::uint64_t seed) : MachineCode(TinyProgram::kCode), seed_(seed), random_(seed) {}

  HostileProgram Make(std::optional<int> only) {
    HostileProgram out;
    const bool with_threads = Below(5) == 0;
    const bool with_timer = Below(4) == 0;
    out.is_timed = with_threads || with_timer;
    out.tasks = with_threads ? 2 + static_cast<std::uint32_t>(Below(kMostTasks - 1)) : 1;
    const int style = Below(4);
    jumps_out_ = style == 0;
    writable_ = Below(4) == 0;
      is_compared_ = !out.is_timed;

    Begin();
    if (with_timer) StartTimer();
    std::vector<std::size_t> threads;
    for (std::uint32_t task = 1; task < out.tasks; ++task) threads.push_back(StartThread(task));
    int number = 0;
    out.pieces = Pieces(0, with_threads ? 8 : 10, only, &number);
    if (with_threads) WaitAWhile();
    End();
    for (std::uint32_t task = 1; task < out.tasks; ++task) {
      PatchNear(threads[task - 1]);
      BeginTask(task);
      out.pieces += " |" + Pieces(task, 6, only, &number);
      SystemCall(SYS_exit, {0});
    }
    out.program = {.code = code(), .code_rights = PF_R | PF_X | (writable_ ? PF_W : 0U), .memory = kAreas,
                   .memory_size = kMemoryEnd - kAreas};
    return out;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  template <typename T, std::size_t kCount>
  T OneOf(const T (&values)[kCount]) { return values[static_cast<std::size_t>(Below(kCount))]; }

  [[nodiscard]] std::uint64_t Area() const { return kAreas + task_ * kAreaSize; }
  [[nodiscard]] std::uint64_t Scratch() const { return Area() + kScratch; }
  [[nodiscard]] std::uint64_t Pages() const { return kPages + task_ * kPagesSize; }
  // A place for a call's arguments.
  [[nodiscard]] std::uint64_t Structs() const { return kStructs + task_ * 0x800; }

  // The frame of a program ---------------------------------------------------------------------------------

  void Begin() {
    const std::size_t over = JumpNear();
    EmitHandlers();
    PatchNear(over);
    StoreNumber(kMxcsr, 0x1f80);
    BeginTask(0);
    constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    for (const int signal : kFaults) SetHandler(signal, handler_, kSaSiginfo | kSaOnStack | kSaNoDefer);
    for (const int signal : {SIGALRM, SIGVTALRM, SIGPROF}) {
      SetHandler(signal, alarm_handler_, kSaOnStack | (Below(2) == 0 ? kSaRestart : 0));
    }
    SystemCall(SYS_pipe, {kPipe});
  }

  void BeginTask(std::uint32_t task) {
    task_ = task;
    MoveNumber(kRsp, Area() + kStack);
    StoreNumber(Structs(), static_cast<std::uint32_t>(Area() + kAlternate));
    StoreNumber(Structs() + 8, 0);
    StoreNumber(Structs() + 16, kAlternateSize);
    SystemCall(SYS_sigaltstack, {Structs(), 0});
  }

  void SetHandler(int signal, std::uint64_t handler, std::uint64_t flags) {
    StoreNumber(Structs(), static_cast<std::uint32_t>(handler));
    StoreNumber(Structs() + 8, static_cast<std::uint32_t>(flags | kSaRestorer));
    StoreNumber(Structs() + 16, static_cast<std::uint32_t>(restorer_));
    StoreNumber(Structs() + 24, 0);
    SystemCall(SYS_rt_sigaction, {static_cast<std::uint64_t>(signal), Structs(), 0, 8});
  }

  void EmitHandlers() {
    restorer_ = here();
    MoveNumber(kRax, SYS_rt_sigreturn);
    Bytes({0x0f, 0x05});

    alarm_handler_ = here();
    Bytes({0xf0, 0x48, 0xff, 0x04, 0x25});  // lock incq kAlarms
    Number(kAlarms, 4);
    Byte(0xc3);

    handler_ = here();
    MoveNumber(kR8, kRecord);
    Bytes({0xf0, 0x4c, 0x0f, 0xc1, 0x04, 0x25});  // lock xadd %r8, kCursor
    Number(kCursor, 4);
    Bytes({0x49, 0x81, 0xf8});  // cmp $the last record, %r8
    Number(kLogSize - kRecord, 4);
    Bytes({0x0f, 0x86, 0, 0, 0, 0});  // jbe
    const std::size_t has_room = code_.size();
    SystemCall(SYS_exit_group, {3});
    PatchNear(has_room);
    Bytes({0x49, 0x81, 0xc0});  // add $kLog, %r8
    Number(kLog, 4);
    Bytes({0x49, 0x89, 0x38});        // mov %rdi, (%r8)
    Bytes({0x48, 0x63, 0x46, 0x08});  // movslq 8(%rsi), %rax: si_code
    Bytes({0x49, 0x89, 0x40, 0x08});  // mov %rax, 8(%r8)
    Bytes({0x48, 0x8b, 0x46, 0x10});  // mov 16(%rsi), %rax: si_addr
    Bytes({0x49, 0x89, 0x40, 0x10});  // mov %rax, 16(%r8)
    Bytes({0x49, 0x8d, 0x78, 0x18});  // lea 24(%r8), %rdi
    Bytes({0x48, 0x8d, 0x72, kContextRegisters});
    MoveNumber(kRcx, kContextSegments + 1);
    Bytes({0xf3, 0x48, 0xa5});  // rep movsq
    // Status flags are not all the program's to see, and single steps leave their trap flag there behind a popf.
    Bytes({0x49, 0x81, 0xa0});  // andq $..., flags(%r8)
    Number(24 + 8 * kContextFlags, 4);
    Number(0x00244600, 4);
    Bytes({0x48, 0x89, 0xe0, 0x48, 0x25});  // mov %rsp, %rax; and $the area, %rax
    Number(~(kAreaSize - 1), 4);
    Bytes({0x48, 0x8b, 0x08});  // mov (%rax), %rcx: where the piece ends
    if (jumps_out_) {
      Bytes({0xff, 0xe1});  // jmp *%rcx
      return;
    }
    Bytes({0x48, 0x89, 0x8a});  // mov %rcx, rip(%rdx)
    Number(kContextRegisters + 8 * kContextRip, 4);
    Bytes({0x48, 0x05});
    Number(kStack, 4);
    Bytes({0x48, 0x89, 0x82});  // mov %rax, rsp(%rdx)
    Number(kContextRegisters + 8 * kContextRsp, 4);
    Bytes({0x48, 0xc7, 0x82});
    Number(kContextRegisters + 8 * kContextFlags, 4);
    Number(0x202, 4);
    MoveNumber(kRax, kUsualSegments);
    Bytes({0x48, 0x89, 0x82});
    Number(kContextRegisters + 8 * kContextSegments, 4);
    Byte(0xc3);
  }

  void StartTimer() {
    static constexpr int kWhich[] = {ITIMER_REAL, ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    static constexpr std::uint32_t kMicroseconds[] = {20, 50, 100, 300, 1000};
    const std::uint32_t interval = OneOf(kMicroseconds);
    for (int word = 0; word < 4; ++word) StoreNumber(Structs() + 8 * static_cast<std::uint64_t>(word), word % 2 == 0 ? 0 : interval);
    SystemCall(SYS_setitimer, {static_cast<std::uint64_t>(OneOf(kWhich)), Structs(), 0});
  }

  // The jump of the new thread, to be patched.
  std::size_t StartThread(std::uint32_t task) {
    constexpr std::uint64_t kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    SystemCall(SYS_clone, {kFlags, kAreas + task * kAreaSize + kStack, 0, 0, 0});
    Bytes({0x48, 0x85, 0xc0, 0x0f, 0x84, 0, 0, 0, 0});  // test %rax, %rax; jz
    return code_.size();
  }

  void WaitAWhile() {
    StoreNumber(Structs(), 0);
    StoreNumber(Structs() + 8, 5'000'000);
    SystemCall(SYS_nanosleep, {Structs(), 0});
  }

  void End() {
    if (is_compared_) {
      SystemCall(SYS_write, {1, kLog, kLogSize});
      SystemCall(SYS_write, {1, kAreas + kScratch, kScratchSize});
    }
    SystemCall(SYS_exit_group, {0});
  }

  // Pieces -------------------------------------------------------------------------------------------------

  struct Kind {
    const char* name;
    void (Generator::*make)();
  };

  std::string Pieces(std::uint32_t task, int most, std::optional<int> only, int* number) {
    static constexpr Kind kKinds[] = {
        {"line", &Generator::StraightLine},       {"bytes", &Generator::RandomBytes},
        {"bytes", &Generator::RandomBytes},       {"prefixes", &Generator::Prefixed},
        {"prefixes", &Generator::Prefixed},       {"vectors", &Generator::Vectors},
        {"length", &Generator::LongInstruction},  {"lock", &Generator::Locked},
        {"overlap", &Generator::Overlapping},     {"edge", &Generator::AtAnEdge},
        {"edge", &Generator::AtAnEdge},           {"rewrites", &Generator::WritesNext},
        {"rewrites", &Generator::WritesInLoop},   {"rewrites", &Generator::WritesByRep},
        {"rewrites", &Generator::ReadsCode},      {"rewrites", &Generator::StackInCode},
        {"maps", &Generator::ChangesRights},      {"maps", &Generator::MapsAgain},
        {"maps", &Generator::Advises},            {"selectors", &Generator::Selectors},
        {"far", &Generator::Far},                 {"flags", &Generator::PopsFlags},
        {"context", &Generator::OddContext},      {"targets", &Generator::OddTargets},
        {"stack", &Generator::OddStack},          {"calls", &Generator::ManyCalls}};
    task_ = task;
    std::string names;
    const int count = 1 + Below(most);
    for (int i = 0; i < count; ++i, ++*number) {
      const std::mt19937_64 outer = random_;
      random_.seed(seed_ * 1000 + static_cast<std::uint64_t>(*number));
      const Kind& kind = OneOf(kKinds);
      const bool wanted = !only || *only == *number;
      if (wanted) {
        names += std::string(" ") + kind.name;
        BeginPiece();
        (this->*kind.make)();
        EndPiece();
      }
      random_ = outer;
      random_.discard(1);
    }
    return names;
  }

  std::size_t ends_at_ = 0;  // the number in the instruction that notes where

  void BeginPiece() {
    StoreNumber(Area(), 0);
    ends_at_ = code_.size() - 4;
  }

  void EndPiece() {
    const std::uint64_t end = here();
    for (std::size_t i = 0; i < 4; ++i) code_[ends_at_ + i] = static_cast<char>(end >> (8 * i) & 0xff);
    MoveNumber(kRsp, Area() + kStack);
    Bytes({0x6a, 0x02, 0x9d});             // push $2; popf
    Bytes({0xdb, 0xe3, 0x0f, 0xae, 0x14, 0x25});  // fninit; ldmxcsr
    Number(kMxcsr, 4);
    if (has_other_stack_) BeginTask(task_);
    has_other_stack_ = false;
  }

  // Most registers lead into memory that may be written.
  void SetRegisters() {
    for (int r = 0; r < 16; ++r) {
      if (r == kRsp) continue;
      switch (Below(8)) {
        case 0: MoveNumber(r, random_()); break;
        case 1: MoveNumber(r, static_cast<std::uint64_t>(Below(300))); break;
        case 2: MoveNumber(r, 0); break;
        default: MoveNumber(r, Scratch() + kScratchSize / 2 + static_cast<std::uint64_t>(Below(4096) - 2048));
      }
    }
    if (Below(4) != 0) MoveNumber(kRcx, static_cast<std::uint64_t>(Below(100)));
  }

  int AnyByte() {
    for (;;) {
      const int byte = Below(256);
      // What stores the addresses of x87 or all of the processor's state: it has ours in it.
      if (is_compared_ && (byte == 0xd9 || byte == 0xdd || byte == 0xae || byte == 0xc7)) continue;
      return byte;
    }
  }
  // Of any size; where it is compared none at which the translator's room may lie, which is mapped (docs/translator.md).
  std::uint64_t AnyAddress() {
    const std::uint64_t address = random_() >> Below(64);
    return is_compared_ ? address & 0x3fff'ffff : address;
  }
  void AnyBytes(int n) {
    for (int i = 0; i < n; ++i) Byte(AnyByte());
  }
  int Prefix() {
    static constexpr int kPrefixes[] = {0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x40, 0x48, 0x4f, 0x41, 0x44};
    return OneOf(kPrefixes);
  }
  // Bytes that do no harm where an instruction takes more than it was given.
  void Padding() {
    for (int i = 0; i < 16; ++i) Byte(0x90);
  }

  void StraightLine() {
    static constexpr int kLengths[] = {100, 1000, 4000, 20'000, 50'000};
    int n = OneOf(kLengths);
    const int what = Below(12);
    if (what >= 8) n = std::min(n, 1000);  // those stop one by one
    if (what == 1) n = std::min(n, 4000);
    for (int i = 0; i < n; ++i) {
      switch (what) {
        case 0: Bytes({0x31, 0xc0, 0x0f, 0xa2}); break;                              // xor %eax, %eax; cpuid
        case 1: Bytes({0xb8, SYS_getpid, 0, 0, 0, 0x0f, 0x05}); break;
        case 2: Bytes({0x70 | (i % 16), 0x00}); break;                                 // jcc to the next
        case 3: Bytes({0x0f, 0x80 | (i % 16), 0, 0, 0, 0}); break;
        case 4: Bytes({0xe8, 0, 0, 0, 0, 0x58}); break;                              // call the next; pop %rax
        case 5: {                                                                    // nops of every length
          for (int k = i % 9; k > 0; --k) Byte(k % 2 == 0 ? 0x66 : 0x2e);
          Bytes({0x0f, 0x1f, 0x80, 0, 0, 0, 0});
          break;
        }
        case 6: Bytes({0x66, 0x2e, 0x67, 0x48, 0x8d, 0x3f}); break;
        case 7: Bytes({0xeb, 0x00}); break;                                          // jmp to the next
        case 8: Bytes({0x0f, 0x31}); break;                                          // rdtsc
        case 9: Bytes({0x65, 0x90}); break;                                          // a nop through gs
        case 10: Bytes({0x8c, 0xe8}); break;                                         // mov %gs, %eax
        default: Bytes({0x48, 0x8d, 0x05, 0x03, 0, 0, 0, 0xff, 0xe0, 0x90}); break;  // lea 3(%rip), %rax; jmp *%rax
      }
    }
  }

  void RandomBytes() {
    SetRegisters();
    AnyBytes(1 + Below(60));
    Padding();
  }

  void Prefixed() {
    for (int i = 1 + Below(4); i > 0; --i) {
      SetRegisters();
      for (int k = Below(5); k > 0; --k) Byte(Prefix());
      const int map = Below(4);
      if (map > 0) Byte(0x0f);
      if (map > 1) Byte(map == 2 ? 0x38 : 0x3a);
      Byte(AnyByte());
      AnyBytes(Below(8));
      Padding();
    }
  }

  void Vectors() {
    for (int i = 1 + Below(4); i > 0; --i) {
      SetRegisters();
      if (Below(6) == 0) Byte(Prefix());
      static constexpr int kEscapes[] = {0xc4, 0xc5, 0x62, 0x62, 0x8f, 0xd5};
      const int escape = OneOf(kEscapes);
      Byte(escape);
      if (escape == 0xc4 || escape == 0x8f) Byte((AnyByte() & 0xe0) | Below(12));
      if (escape == 0x62) Byte((AnyByte() & 0xf8) | Below(8));
      AnyBytes(4 + Below(8));
      Padding();
    }
  }

  void LongInstruction() {
    for (int i = 1 + Below(3); i > 0; --i) {
      SetRegisters();
      const int length = 13 + Below(4);
      static constexpr int kSame[] = {0x66, 0x2e, 0x3e, 0x48, 0xf3, 0x64};
      const int same = OneOf(kSame);
      const bool mixed = Below(2) == 0;
      const int what = Below(5);
      static constexpr int kSizes[] = {1, 2, 5, 7, 2};
      for (int k = length - kSizes[what]; k > 0; --k) {
        const int prefix = mixed ? Prefix() : same;
        Byte(what == 2 && prefix == 0x66 ? 0x3e : prefix);  // a call of 16 bits has two bytes less on some processors
      }
      switch (what) {
        case 0: Byte(0x90); break;
        case 1: Bytes({0x0f, 0xa2}); break;
        case 2: Bytes({0xe8, 0, 0, 0, 0}); break;
        case 3: Bytes({0x48, 0x8d, 0x05, 0, 0, 0, 0}); break;
        default: Bytes({0x74, 0x00}); break;
      }
      Padding();
    }
  }

  void Locked() {
    SetRegisters();
    for (int i = 1 + Below(4); i > 0; --i) {
      Byte(0xf0);
      if (Below(2) == 0) Byte(0x48);
      if (Below(2) == 0) Byte(0x0f);
      AnyBytes(2 + Below(6));
    }
    Padding();
  }

  // Jumps into an instruction that holds others.
  void Overlapping() {
    SetRegisters();
    Bytes({0x31, 0xdb});  // xor %ebx, %ebx
    for (int i = 1 + Below(6); i > 0; --i) {
      const int into = Below(9);
      if (Below(2) == 0) Bytes({0x70 | Below(16), 2 + into});
      else Bytes({0xeb, 2 + into});
      Bytes({0x48, 0xb8});  // mov $..., %rax
      if (Below(2) == 0) {
        Bytes({0xff, 0xc3, 0x83, 0xc3, 0x05, 0xeb, 0x01, 0x90});  // inc %ebx; add $5, %ebx; jmp 1; nop
        Byte(0x90);
      } else {
        AnyBytes(8);
      }
    }
    Padding();
    Store(kRbx, Scratch());
  }

  // Code elsewhere -----------------------------------------------------------------------------------------

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
    MoveNumber(kRdx, to);
    Bytes({0xff, 0xd2});
    // What it left in eax is noted down.
    Bytes({0x01, 0x04, 0x25});
    Number(Scratch() + 8 * static_cast<std::uint64_t>(Below(64)), 4);
  }

  // Beside a border of what the translator reads at once, of a page, or anywhere.
  std::uint64_t Place(int before) {
    switch (Below(3)) {
      case 0: return Pages() + 0x4000 - static_cast<std::uint64_t>(before);
      case 1: return Pages() + 0x1000 * static_cast<std::uint64_t>(1 + Below(8)) - static_cast<std::uint64_t>(before);
      default: return Pages() + static_cast<std::uint64_t>(Below(0x8000));
    }
  }

  static constexpr std::uint64_t kAll = PROT_READ | PROT_WRITE | PROT_EXEC;

  void AtAnEdge() {
    static constexpr std::uint64_t kRights[] = {PROT_EXEC, PROT_READ | PROT_EXEC, kAll, PROT_READ, PROT_NONE};
    const std::uint64_t edge = Pages() + 0x4000;
    Map(Pages(), 0x8000, PROT_READ | PROT_WRITE);
    MachineCode there(0);
    for (int i = Below(12); i > 0; --i) there.Bytes({0xff, 0xc3});  // inc %ebx
    switch (Below(6)) {
      case 0: there.Bytes({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}); break;
      case 1: there.Bytes({0x0f, 0x05}); break;
      case 2: there.Bytes({0x66, 0x66, 0x66, 0x66}); break;
      case 3: there.Bytes({0x74, 0x00}); break;
      case 4: there.Bytes({0xe8, 0, 0, 0, 0, 0x58}); break;
      default: break;
    }
    const auto rest = static_cast<std::size_t>(Below(4));  // beyond the edge
    const std::uint64_t begin = edge - (there.size() > rest ? there.size() - rest : 0);
    there.Byte(0xc3);
    CopyTo(begin, there.code());
    SystemCall(SYS_mprotect, {Pages(), 0x4000, OneOf<std::uint64_t>({PROT_EXEC, PROT_READ | PROT_EXEC, kAll})});
    if (Below(3) == 0) {
      SystemCall(SYS_munmap, {edge, 0x4000});
    } else {
      SystemCall(SYS_mprotect, {edge, 0x4000, OneOf(kRights)});
    }
    MoveNumber(kRax, SYS_getpid);
    Call(begin);
  }

  void WritesNext() {
    const std::uint64_t at = Place(Below(30));
    Map(Pages(), 0x10000, kAll);
    MachineCode there(at);
    for (int i = Below(6); i > 0; --i) there.Byte(0x90);
    const int size = OneOf({1, 2, 4, 8});
    const int far = Below(12);
    // mov %al, %ax, %eax or %rax into the operand of the instruction behind it, or beside it
    if (size == 2) there.Byte(0x66);
    if (size == 8) there.Byte(0x48);
    there.Byte(size == 1 ? 0x88 : 0x89);
    there.Byte(0x05);
    there.Number(static_cast<std::uint64_t>(far + (size == 8 ? 2 : 1)), 4);
    for (int i = far; i > 0; --i) there.Byte(0x90);
    if (size == 8) there.Byte(0x48);
    there.Byte(0xb8);
    there.Number(42, size == 8 ? 8 : 4);
    there.Byte(0xc3);
    CopyTo(at, there.code());
    MoveNumber(kRax, random_());
    Call(at);
    if (Below(2) == 0) Call(at);
  }

  void WritesInLoop() {
    const std::uint64_t at = Place(Below(30));
    Map(Pages(), 0x10000, kAll);
    MachineCode there(at);
    there.Bytes({0xb9});
    there.Number(static_cast<std::uint64_t>(1 + Below(30)), 4);
    const std::size_t top = there.size();
    for (int i = Below(6); i > 0; --i) there.Byte(0x90);
    const bool behind = Below(2) == 0;
    if (!behind) there.Bytes({0x83, 0xc0, 0x01});  // add $1, %eax
    there.Bytes({0xfe, 0x05});                     // incb
    there.Number(static_cast<std::uint64_t>(behind ? 2 : -7), 4);
    if (behind) there.Bytes({0x83, 0xc0, 0x01});
    there.Bytes({0xff, 0xc9, 0x0f, 0x85});  // dec %ecx; jnz
    there.NearTo(top);
    there.Byte(0xc3);
    CopyTo(at, there.code());
    MoveNumber(kRax, 0);
    Call(at);
  }

  void WritesByRep() {
    const int n = 1 + Below(60);
    const std::uint64_t at = Place(Below(40));
    Map(Pages(), 0x10000, kAll);
    MachineCode there(at);
    there.Bytes({0xf3, 0xa4});
    for (int i = 0; i < n; ++i) there.Byte(0x90);
    there.Byte(0xc3);
    MachineCode other(0);
    while (other.size() + 2 <= static_cast<std::size_t>(n)) other.Bytes({0xff, 0xc0});
    CopyTo(at, there.code());
    CopyTo(Pages() + 0xc000, other.code());
    MoveNumber(kRax, 0);
    MoveNumber(kRsi, Pages() + 0xc000);
    // Single steps see what a repeated instruction writes over itself; natively it goes on.
    MoveNumber(kRdi, at + (!is_compared_ && Below(3) == 0 ? 0 : 2));
    MoveNumber(kRcx, other.size());
    if (Below(4) == 0) Call(Pages() + 0xc000);
    Call(at);
  }

  // read(2) from a pipe into code that was executed, now and then by the code that is overwritten.
  void ReadsCode() {
    const std::uint64_t at = Place(Below(30));
    Map(Pages(), 0x10000, kAll);
    MachineCode other(at);
    for (int i = 1 + Below(20); i > 0; --i) other.Bytes({0xff, 0xc0});
    other.Byte(0xc3);
    MachineCode there(at);
    const bool by_itself = Below(2) == 0;
    if (by_itself) there.Bytes({0x0f, 0x05});
    there.Bytes({0xff, 0xc0, 0xff, 0xc0, 0xc3});
    CopyTo(Scratch(), other.code());
    CopyTo(at, there.code());
    if (!by_itself) Call(at);
    Load(kRdi, kPipe);
    Bytes({0x48, 0xc1, 0xef, 0x20});  // shr $32, %rdi
    MoveNumber(kRsi, Scratch());
    MoveNumber(kRdx, other.size());
    MoveNumber(kRax, SYS_write);
    Bytes({0x0f, 0x05});
    Load(kRdi, kPipe);
    Bytes({0x89, 0xff});  // mov %edi, %edi
    MoveNumber(kRsi, at);
    MoveNumber(kRdx, other.size());
    MoveNumber(kRax, SYS_read);
    if (by_itself) {
      MoveNumber(kRbx, at);
      Bytes({0xff, 0xd3});
    } else {
      Bytes({0x0f, 0x05});
    }
    Call(at);
  }

  // Pushes, calls and handlers' frames beside code.
  void StackInCode() {
    const std::uint64_t at = Place(Below(30));
    Map(Pages(), 0x10000, kAll);
    MachineCode there(at);
    for (int i = Below(5); i > 0; --i) there.Bytes({0x50, 0xff, 0xc0});  // push %rax; inc %eax
    const bool faults = Below(2) == 0;
    if (faults) there.Bytes({0x0f, 0x0b});
    there.Bytes({0xe8, 0, 0, 0, 0, 0x59});  // call the next; pop %rcx
    there.Bytes({0xff, 0x24, 0x25});  // jmp *kArea
    there.Number(Area(), 4);
    CopyTo(at, there.code());
    if (Below(3) == 0) {  // the alternate stack, too
      const std::uint64_t stack = Pages() + 0x8000;
      StoreNumber(Structs(), static_cast<std::uint32_t>(stack));
      StoreNumber(Structs() + 8, 0);
      StoreNumber(Structs() + 16, 0x8000);
      // Its handler looks for the area there.
      Load(kRax, Area());
      Store(kRax, stack & ~(kAreaSize - 1));
      SystemCall(SYS_sigaltstack, {Structs(), 0});
      has_other_stack_ = true;
    }
    MoveNumber(kRsp, at + there.size() + static_cast<std::uint64_t>(Below(200)) * 8);
    MoveNumber(kRdx, at);
    Bytes({0xff, 0xe2});
  }

  void ChangesRights() {
    const std::uint64_t at = Place(Below(20));
    Map(Pages(), 0x10000, OneOf<std::uint64_t>({PROT_READ | PROT_WRITE, kAll}));
    MachineCode there(at);
    for (int i = 1 + Below(9); i > 0; --i) there.Bytes({0xff, 0xc0});
    there.Byte(0xc3);
    CopyTo(at, there.code());
    MoveNumber(kRax, 0);
    for (int i = 1 + Below(4); i > 0; --i) {
      static constexpr std::uint64_t kRights[] = {kAll, PROT_READ | PROT_EXEC, PROT_EXEC, PROT_READ | PROT_WRITE};
      std::uint64_t rights = OneOf(kRights);
      // By single steps the kernel makes such memory unreadable where the real processor has protection keys; the virtual one has none.
      if (rights == PROT_EXEC && HasProtectionKeys()) rights |= PROT_READ;
      const std::uint64_t begin = Below(2) == 0 ? Pages() : at & ~(kPage - 1);
      SystemCall(SYS_mprotect, {begin, Below(2) == 0 ? kPage : 0x8000, rights});
      MoveNumber(kRax, 0);
      Call(at);
      if (Below(2) == 0) {
        MoveNumber(kRdx, at);
        Bytes({0xfe, 0x42, 0x01});  // incb 1(%rdx)
      }
    }
  }

  void MapsAgain() {
    const std::uint64_t at = Pages() + static_cast<std::uint64_t>(Below(0x3000));
    for (int i = 1 + Below(3); i > 0; --i) {
      Map(Pages(), 0x4000, kAll);
      MachineCode there(at);
      for (int k = 1 + Below(9); k > 0; --k) there.Bytes({0x83, 0xc0, Below(100)});
      there.Byte(0xc3);
      CopyTo(at, there.code());
      MoveNumber(kRax, 0);
      Call(at);
      switch (Below(4)) {
        case 0: SystemCall(SYS_munmap, {Pages(), 0x4000}); break;
        case 1: SystemCall(SYS_munmap, {Pages() + 0x1000, 0x1000}); break;
        case 2: SystemCall(SYS_mremap, {Pages(), 0x4000, 0x8000, MREMAP_MAYMOVE | MREMAP_FIXED, Pages() + 0x20000}); break;
        default: break;
      }
      if (Below(2) == 0) Call(at);
    }
  }

  // What MADV_DONTNEED takes away stays translated (docs/translator.md).
  void Advises() {
    const std::uint64_t at = Pages() + static_cast<std::uint64_t>(Below(0x3000));
    Map(Pages(), 0x4000, kAll);
    MachineCode there(at);
    there.Bytes({0xff, 0xc0, 0xc3});
    CopyTo(at, there.code());
    Call(at);
    SystemCall(SYS_madvise, {Pages(), 0x4000, static_cast<std::uint64_t>(is_compared_ ? MADV_WILLNEED : MADV_DONTNEED)});
    MoveNumber(kRax, Scratch());
    Call(at);
  }

  // What the processor is asked to be ------------------------------------------------------------------------

  void Selectors() {
    static constexpr int kValues[] = {0, 0x2b, 0x33, 0x23, 3, 0x7b, 0x53, 0x5b, 0x63, 0x10, 0x18, 7, 0xffff};
    for (int i = 1 + Below(6); i > 0; --i) {
      MoveNumber(kRax, static_cast<std::uint64_t>(Below(4) == 0 ? Below(65536) : OneOf(kValues)));
      switch (Below(8)) {
        case 0: case 1: Bytes({0x8e, 0xc0 | (Below(8) << 3)}); break;  // mov %eax, a segment register
        case 2: Bytes({0x50, 0x0f, 0xa1}); break;                    // push; pop %fs
        case 3: Bytes({0x50, 0x0f, 0xa9}); break;                    // push; pop %gs
        case 4:
          Store(kRax, Scratch() + 8);
          Bytes({0x0f, OneOf({0xb2, 0xb4, 0xb5}), 0x1c, 0x25});  // lss, lfs, lgs
          Number(Scratch() + 4, 4);
          break;
        case 5: SystemCall(SYS_arch_prctl, {static_cast<std::uint64_t>(OneOf({ARCH_SET_GS, ARCH_SET_FS})), Below(3) == 0 ? random_() : Scratch()}); break;
        case 6:
          MoveNumber(kRax, Below(3) == 0 ? random_() : Scratch());
          Bytes({0xf3, 0x48, 0x0f, 0xae, 0xc0 | (Below(4) << 3)});  // rdfsbase, rdgsbase, wrfsbase, wrgsbase, which the model lacks
          break;
        default: Bytes({0x8c, 0xc0 | (Below(8) << 3)}); break;
      }
      static constexpr int kOverrides[] = {0x64, 0x65, 0x26, 0x3e, 0x36};
      if (Below(2) == 0) Bytes({OneOf(kOverrides), 0x48, 0x8b, 0x1c, 0x25, 0x10, 0, 0, 0});  // mov ...:16, %rbx
    }
  }

  void Far() {
    static constexpr int kSelectors[] = {0x33, 0x33, 0x33, 0x2b, 0x23, 0, 0x10, 0x53, 7};
    const std::size_t over = JumpNear();
    const std::uint64_t target = here();
    Bytes({0x48, 0xff, 0xc3, 0xff, 0x24, 0x25});  // inc %rbx; jmp *where the piece ends
    Number(Area(), 4);
    PatchNear(over);
    const auto selector = static_cast<std::uint32_t>(OneOf(kSelectors));
    const std::uint64_t to = Below(4) == 0 ? AnyAddress() : target;
    const auto push = [&](std::uint64_t value) {
      MoveNumber(kRax, value);
      Byte(0x50);
    };
    switch (Below(5)) {
      case 0: case 1: {
        const bool wide = Below(2) == 0;
        MoveNumber(kRax, to);
        Store(kRax, Scratch());
        StoreNumber(Scratch() + (wide ? 8 : 4), selector);
        if (wide) Byte(0x48);
        Bytes({0xff, Below(2) == 0 ? 0x1c : 0x2c, 0x25});
        Number(Scratch(), 4);
        break;
      }
      case 2:
        push(selector);
        push(to);
        Bytes({0x48, 0xcb});
        break;
      default:
        push(OneOf({0x2b, 0x2b, 0x2b, 0, 0x33, 3, 0x53}));
        push(Below(4) == 0 ? random_() : Area() + kStack - 0x100);
        push(Below(2) == 0 ? 0x202 : OddFlags());
        push(selector);
        push(to);
        if (Below(4) != 0) Byte(0x48);
        Byte(0xcf);
    }
  }

  std::uint64_t OddFlags() {
    static constexpr std::uint64_t kFlags[] = {0x100, 0x400, 0x4000, 0x40000, 0x200000, 0x3000, 0x10000, 0x20000, 0x80000, 0x100000};
    std::uint64_t flags = 2 | (random_() & 0x8d5);
    for (int i = 1 + Below(3); i > 0; --i) flags |= OneOf(kFlags);
    // Under single steps the trap flag is another where calls are, and NT gets lost.
    if (is_compared_) flags &= ~std::uint64_t{0x4100};
    return flags;
  }

  void PopsFlags() {
    for (int i = 1 + Below(3); i > 0; --i) {
      Byte(0x68);
      Number(OddFlags(), 4);
      Byte(0x9d);
      switch (Below(6)) {
        case 0: Bytes({0x31, 0xc0, 0x0f, 0xa2}); break;
        case 1: Bytes({0xb8, SYS_getpid, 0, 0, 0, 0x0f, 0x05}); break;
        case 2:  // a load that is not aligned
          Load(kRbx, Scratch() + 1);
          break;
        case 3: Bytes({0xe8, 0, 0, 0, 0, 0x58}); break;
        case 4: SetRegisters(); Bytes({0xf3, 0xa4}); break;
        default: Bytes({0x48, 0x8d, 0x05, 0x03, 0, 0, 0, 0xff, 0xe0, 0x90}); break;
      }
      Bytes({0x9c, 0x58, 0x48, 0x25});  // pushf; pop %rax; and
      Number(0x00244700, 4);
      Store(kRax, Scratch() + 8 * static_cast<std::uint64_t>(Below(16)));
    }
  }

  void OddContext() {
    const std::uint64_t frame = Area() + kStack - 0x2000;
    MoveNumber(kRdi, frame);
    MoveNumber(kRcx, 0x200 / 8);
    Bytes({0x31, 0xc0, 0xf3, 0x48, 0xab});  // rep stosq
    StoreNumber(frame, static_cast<std::uint32_t>(Below(8)));
    const auto word = [&](int which, std::uint64_t value) {
      MoveNumber(kRax, value);
      Store(kRax, frame + kContextRegisters + 8 * static_cast<std::uint64_t>(which));
    };
    for (int r = 0; r < kContextRsp; ++r) {
      if (Below(3) == 0) word(r, random_());
    }
    word(kContextRsp, Below(3) == 0 ? AnyAddress() : Area() + kStack);
    const std::size_t over = JumpNear();
    const std::uint64_t inside = here();
    Bytes({0x48, 0xff, 0xc3, 0xff, 0x24, 0x25});
    Number(Area(), 4);
    PatchNear(over);
    word(kContextRip, Below(4) == 0 ? AnyAddress() : inside);
    word(kContextFlags, Below(2) == 0 ? 0x202 : OddFlags());
    static constexpr std::uint64_t kSegments[] = {kUsualSegments, kUsualSegments, 0x33, 0x0023'0000'0000'0033, 0x0003'0000'0000'002b,
                                                  0x002b'0000'0000'0023, 0xffff'ffff'ffff'ffff, 0};
    word(kContextSegments, OneOf(kSegments));
    if (Below(4) == 0) word(kContextWords, Below(2) == 0 ? random_() : Scratch() + 8);  // the place of the floating-point state
    MoveNumber(kRsp, frame);
    MoveNumber(kRax, SYS_rt_sigreturn);
    Bytes({0x0f, 0x05});
  }

  void OddTargets() {
    static constexpr std::uint64_t kTargets[] = {0, 0x1000, 0x7fff'ffff'f000, 0x8000'0000'0000, 0xffff'ffff'ff60'0000, 0xffff'ffff'ff60'0400,
                                                 0xffff'ffff'ff60'0001, 0xffff'8000'0000'0000, ~0ULL};
    std::uint64_t to = Below(3) == 0 ? AnyAddress() : Below(4) == 0 ? Scratch() : OneOf(kTargets);
    // A handler finds a target that can be no address in the place of the jump's (docs/translator.md).
    if (is_compared_) to &= 0x7fff'ffff'ffff;
    MoveNumber(kRax, to);
    switch (Below(5)) {
      case 0: Bytes({0xff, 0xe0}); break;
      case 1: Bytes({0xff, 0xd0}); break;
      case 2: Bytes({0x50, 0xc3}); break;
      case 3: Bytes({0x50, 0xc2, Below(256), 0x00}); break;
      default:
        Store(kRax, Scratch());
        Bytes({0xff, Below(2) == 0 ? 0x14 : 0x24, 0x25});
        Number(Scratch(), 4);
    }
  }

  void OddStack() {
    MoveNumber(kRbx, here());
    const std::uint64_t stack = Below(2) == 0 ? AnyAddress() : Below(2) == 0 ? 0 : Scratch() + 8 + static_cast<std::uint64_t>(Below(8));
    MoveNumber(kRsp, stack);
    switch (Below(7)) {
      case 0: Byte(0x50); break;
      case 1: Bytes({0xe8, 0, 0, 0, 0}); break;
      case 2: Byte(0xc3); break;
      case 3: Bytes({0xff, 0xd3}); break;
      case 4: Byte(0x9d); break;
      case 5: Bytes({0xc8, Below(256), 0, Below(33)}); break;  // enter
      default: Bytes({0x48, 0xcf}); break;
    }
  }

  // Those that stop, again and again: what a timer interrupts.
  void ManyCalls() {
    const int n = is_compared_ ? 10 : 300;
    Byte(0xbb);  // mov $n, %ebx
    Number(static_cast<std::uint64_t>(n), 4);
    const std::size_t top = code_.size();
    switch (Below(5)) {
      case 0: Map(Pages(), 0x1000, PROT_READ | PROT_EXEC); break;
      case 1: SystemCall(SYS_munmap, {Pages(), 0x1000}); break;
      case 2: SystemCall(SYS_rt_sigprocmask, {SIG_BLOCK, 0, Scratch(), 8}); break;
      case 3: SystemCall(SYS_mprotect, {Pages(), 0x1000, PROT_READ}); break;
      default: SystemCall(SYS_clock_gettime, {1, Scratch()}); break;
    }
    Bytes({0xff, 0xcb, 0x0f, 0x85});  // dec %ebx; jnz
    NearTo(top);
  }

  template <typename T>
  T OneOf(std::initializer_list<T> values) { return values.begin()[Below(static_cast<int>(values.size()))]; }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::uint32_t task_ = 0;
  bool has_other_stack_ = false;  // for signals, as the piece has it
  bool jumps_out_ = false;
  bool writable_ = false;
  bool is_compared_ = true;
  std::uint64_t restorer_ = 0;
  std::uint64_t handler_ = 0;
  std::uint64_t alarm_handler_ = 0;
};

}  // namespace

HostileProgram MakeHostileProgram(std::uint64_t seed, std::optional<int> only) { return Generator(seed).Make(only); }

bool ReachedTheCodeCache(const std::string& output) {
  constexpr std::uint64_t kRegion = 0x70000000, kRegionSize = 64 << 20;  // code_cache.cc
  for (std::size_t at = 0; at + kRecord <= std::min<std::size_t>(output.size(), kLogSize); at += kRecord) {
    std::uint64_t words[3];  // signal, code, address
    std::memcpy(words, output.data() + at, sizeof words);
    if (words[0] == SIGSEGV && words[2] - kRegion < kRegionSize) return true;
  }
  return false;
}

}  // namespace tally
