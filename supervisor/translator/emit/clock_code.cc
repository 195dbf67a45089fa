#include "supervisor/translator/emit/clock_code.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

#include "supervisor/translator/emit/emitter.h"

// The code, position-independent; only copies of it are executed.
extern "C" {
extern const std::uint8_t tally_clock_begin[], tally_clock_end[];
extern const std::uint8_t tally_clock_gettime[], tally_gettimeofday[], tally_time[], tally_getrusage[], tally_getcpu[], tally_rdtsc[];
extern const std::uint8_t tally_clock_stores[], tally_clock_stored[], tally_day_stores[], tally_day_stored[], tally_time_stores[];
extern const std::uint8_t tally_time_stored[], tally_usage_stores[], tally_usage_stored[], tally_cpu_stores[], tally_cpu_stored[];
extern const std::uint8_t tally_clock_calls[], tally_day_calls[], tally_time_calls[], tally_usage_calls[], tally_cpu_calls[];

// NOLINTNEXTLINE: the assembler's
[[gnu::naked, gnu::used, gnu::noinline]] void TallyClockCode() {
  asm volatile(R"(
    # What the program's flags were: in gs:status for rest_flags. Changes rax.
    .macro tally_keep_flags
      lahf
      seto %%al
      mov %%eax, %%gs:%c[status]
    .endm
    .macro tally_rest_flags         # changes rax
      mov %%gs:%c[status], %%eax
      add $0x7f, %%al               # overflows if al is 1
      sahf
    .endm
    .macro tally_sum                # rax = instructions executed
      mov %%gs:%c[counters], %%rax
      .irp slot, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        add %%gs:%c[counters] + 8 * \slot, %%rax
      .endr
      add %%gs:%c[others], %%rax
      add %%gs:%c[given], %%rax
      sub %%gs:%c[budget], %%rax
    .endm
    .macro tally_seconds            # rdx = r11 / 10^9, r11 = the rest. Changes rax
      mov %%r11, %%rax
      shr $9, %%rax
      movabs $0x44b82fa09b5a53, %%rdx   # 2^75 / 5^9, rounded up
      mul %%rdx
      shr $11, %%rdx
      imul $1000000000, %%rdx, %%rax
      sub %%rax, %%r11
    .endm
    .macro tally_microseconds       # r11 / 1000, of less than 2^30
      imul $274877907, %%r11, %%r11     # 2^38 / 1000, rounded up
      shr $38, %%r11
    .endm
    # And as the call leaves them, for r11, unless one is set of which nothing is known here: pushf needs a stack, and there is
    # none that the program may not see.
    .macro tally_call_begins
      tally_keep_flags
      mov %%rdx, %%gs:%c[rdx]
      cmpl $0, %%gs:%c[on]
      je 9f
      cmpl $0, %%gs:%c[unusual]
      jne 9f
      movzbl %%ah, %%edx
      movzbl %%al, %%eax
      shl $11, %%eax
      lea 0x200(%%rdx, %%rax), %%edx
      mov %%rdx, %%gs:%c[flags]
      mov %%rsi, %%rdx
      mov $%c[value], %%esi
      lodsb %%gs:(%%rsi), %%al      # forwards?
      cmp $%c[value], %%esi
      mov %%rdx, %%rsi
      jb 9f
    .endm
    .macro tally_call_ends calls    # the result is in rdx; back behind the call
      tally_rest_flags
      mov %%rdx, %%rax
      mov %%gs:%c[rdx], %%rdx
      mov %%gs:%c[flags], %%r11
      lea 2(%%rcx), %%rcx
      jmp *%%rcx
    9:                              # back to it, also if what is stored above faults
    \calls:
      tally_rest_flags
      mov %%gs:%c[rdx], %%rdx
      mov %%gs:%c[number], %%eax
      jmp *%%rcx
    .endm

  .global tally_clock_begin, tally_clock_end, tally_clock_gettime, tally_gettimeofday, tally_time, tally_getrusage, tally_getcpu, tally_rdtsc
  .global tally_clock_stores, tally_clock_stored, tally_day_stores, tally_day_stored, tally_time_stores, tally_time_stored
  .global tally_usage_stores, tally_usage_stored, tally_cpu_stores, tally_cpu_stored
  .global tally_clock_calls, tally_day_calls, tally_time_calls, tally_usage_calls, tally_cpu_calls
  tally_clock_begin:

  tally_clock_gettime:              # edi: the clock, rsi: a timespec
    tally_call_begins
    cmp $11, %%edi
    ja 9f
    xor %%r11d, %%r11d
    mov $0x00c, %%eax               # the CPU's: 2 and 3
    bt %%edi, %%eax
    jc 1f
    mov %%gs:%c[since], %%r11
    mov $0x2d2, %%eax               # since the start: 1, 4, 6, 7, 9
    bt %%edi, %%eax
    jc 1f
    mov %%gs:%c[date], %%r11
    mov $0x921, %%eax               # dates: 0, 5, 8, 11
    bt %%edi, %%eax
    jnc 9f
  1:
    tally_sum
    shr %%rax
    add %%rax, %%r11
    tally_seconds
  tally_clock_stores:
    mov %%rdx, (%%rsi)
    mov %%r11, 8(%%rsi)
  tally_clock_stored:
    xor %%edx, %%edx
    tally_call_ends tally_clock_calls

  tally_gettimeofday:               # rdi: a timeval, rsi: a time region
    tally_call_begins
    test %%rsi, %%rsi
    jnz 9f
    test %%rdi, %%rdi
    jz 9f
    tally_sum
    shr %%rax
    mov %%gs:%c[date], %%r11
    add %%rax, %%r11
    tally_seconds
    tally_microseconds
  tally_day_stores:
    mov %%rdx, (%%rdi)
    mov %%r11, 8(%%rdi)
  tally_day_stored:
    xor %%edx, %%edx
    tally_call_ends tally_day_calls

  tally_time:                       # rdi: 0, or where the result goes, too
    tally_call_begins
    tally_sum
    shr %%rax
    mov %%gs:%c[date], %%r11
    add %%rax, %%r11
    tally_seconds
    test %%rdi, %%rdi
    jz 1f
  tally_time_stores:
    mov %%rdx, (%%rdi)
  tally_time_stored:
  1:
    tally_call_ends tally_time_calls

  tally_getrusage:                  # edi: whose, rsi: a rusage, in which all but the user time is 0
    tally_call_begins
    lea 1(%%rdi), %%eax             # children -1, self 0, thread 1
    cmp $2, %%eax
    ja 9f
    tally_sum
    shr %%rax
    mov %%rax, %%r11
    tally_seconds
    tally_microseconds
    cmp $-1, %%edi
    jne 1f
    xor %%edx, %%edx
    xor %%r11d, %%r11d
  1:
  tally_usage_stores:
    mov %%rdx, (%%rsi)
    mov %%r11, 8(%%rsi)
    .irp word, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
      movq $0, 8 * \word(%%rsi)
    .endr
  tally_usage_stored:
    xor %%edx, %%edx
    tally_call_ends tally_usage_calls

  tally_getcpu:                     # rdi, rsi: 0, or where the processor's and the node's number go
    tally_call_begins
    xor %%edx, %%edx
    test %%rdi, %%rdi
    jz 1f
  tally_cpu_stores:
    mov %%edx, (%%rdi)
  1:
    test %%rsi, %%rsi
    jz 1f
    mov %%edx, (%%rsi)
  tally_cpu_stored:
  1:
    tally_call_ends tally_cpu_calls

  tally_rdtsc:                      # rax: where the site's trap is. Changes rdx, which the instruction does, too
    mov %%rax, %%rdx
    tally_keep_flags
    cmpl $0, %%gs:%c[on]
    je 9f
    tally_sum
    add %%gs:%c[ticks], %%rax
    mov %%rax, %%gs:%c[value]
    inc %%rdx
    mov %%rdx, %%gs:%c[back]
    tally_rest_flags
    mov %%gs:%c[value], %%eax
    mov %%gs:%c[value] + 4, %%edx
    jmp *%%gs:%c[back]
  9:
    tally_rest_flags
    jmp *%%rdx
  tally_clock_end:

  .purgem tally_keep_flags
  .purgem tally_rest_flags
  .purgem tally_sum
  .purgem tally_seconds
  .purgem tally_microseconds
  .purgem tally_call_begins
  .purgem tally_call_ends
  )"
               :
               : [unusual] "i"(tally::control::kClockUnusual), [status] "i"(tally::control::kClockStatus),
                 [flags] "i"(tally::control::kClockFlags), [rdx] "i"(tally::control::kClockRdx), [on] "i"(tally::control::kClockOn),
                 [counters] "i"(tally::control::kCounters), [others] "i"(tally::control::kClockOthers), [given] "i"(tally::control::kTurnGiven), [budget] "i"(tally::control::kTurnBudget), [since] "i"(tally::control::kClockSince),
                 [date] "i"(tally::control::kClockDate), [ticks] "i"(tally::control::kClockTicks), [number] "i"(tally::control::kCallNumber),
                 [value] "i"(tally::control::kClockValue), [back] "i"(tally::control::kClockBack));
}
}

namespace tally {
namespace {

static_assert(control::kCounterSlots == 16);
static_assert(sizeof(rusage) == 18 * 8);

// In the order of ClockQuestion.
const std::uint8_t* const kEntries[kClockQuestions] = {tally_clock_gettime, tally_gettimeofday, tally_time, tally_getrusage, tally_getcpu, tally_rdtsc};
// What each stores, and where it goes back to the system call.
struct Stores {
  const std::uint8_t *begin, *end, *calls;
};
const Stores kStores[] = {{tally_clock_stores, tally_clock_stored, tally_clock_calls},
                          {tally_day_stores, tally_day_stored, tally_day_calls},
                          {tally_time_stores, tally_time_stored, tally_time_calls},
                          {tally_usage_stores, tally_usage_stored, tally_usage_calls},
                          {tally_cpu_stores, tally_cpu_stored, tally_cpu_calls}};

constexpr ClockCall kCalls[] = {{SYS_clock_gettime, ClockQuestion::kClockGettime}, {SYS_gettimeofday, ClockQuestion::kGettimeofday},
                                {SYS_time, ClockQuestion::kTime}, {SYS_getrusage, ClockQuestion::kGetrusage}, {SYS_getcpu, ClockQuestion::kGetcpu}};

constexpr std::uint8_t kJumpSize = 7;  // through a slot

void JumpThrough(ClockQuestion question, Emitter* out) {
  out->Bytes({0xff, 0x24, 0x25});  // jmp [slot]
  out->Word32(control::kClockTable + 8 * static_cast<std::uint32_t>(question));
}

}  // namespace

void ClockCode::Emit(Emitter* out, const ControlArea& control) {
  begin_ = out->here();
  for (const std::uint8_t* at = tally_clock_begin; at != tally_clock_end; ++at) out->Byte(*at);
  for (std::size_t i = 0; i < kClockQuestions; ++i) {
    control.SetClockEntry(i, begin_ + static_cast<std::uint64_t>(kEntries[i] - tally_clock_begin));
  }
}

std::optional<ClockQuestion> ClockCode::QuestionOf(std::uint32_t number) const {
  const auto* const found = std::find_if(std::begin(kCalls), std::end(kCalls), [&](const ClockCall& call) { return call.number == number; });
  if (found == std::end(kCalls)) return std::nullopt;
  const VirtualRule rule = found->question == ClockQuestion::kGetcpu ? VirtualRule::kSystem : VirtualRule::kTime;
  if (!rules_.Has(rule)) return std::nullopt;
  return found->question;
}

void ClockCode::EmitCall(std::optional<std::uint32_t> number, std::uint8_t bytes_for_others, Emitter* out) const {
  constexpr std::uint8_t kAnswerSize = 7 + kJumpSize;
  const auto ask = [&](ClockQuestion question, std::uint32_t bytes_to_call) {
    out->Bytes({0x48, 0x8d, 0x0d});  // lea rcx, [rip + call]
    out->Word32(kJumpSize + bytes_to_call);
    JumpThrough(question, out);
  };
  if (number) {
    if (const auto question = QuestionOf(*number)) ask(*question, bytes_for_others);
    return;
  }
  std::array<ClockCall, std::size(kCalls)> calls{};
  std::size_t n = 0;
  for (const ClockCall& call : kCalls) {
    if (QuestionOf(call.number)) calls[n++] = call;
  }
  if (n == 0) return;
  constexpr std::uint8_t kQuestionSize = 9;
  for (std::size_t i = 0; i < n; ++i) {
    out->Bytes({0x48, 0x8d, 0x88});  // lea rcx, [rax - number]
    out->Word32(-calls[i].number);
    // jrcxz over the questions behind this one and the jump, to the i-th answer
    out->Bytes({0xe3, static_cast<std::uint8_t>((n - 1 - i) * kQuestionSize + 2 + i * kAnswerSize)});
  }
  out->Bytes({0xeb, static_cast<std::uint8_t>(n * kAnswerSize)});  // jmp to the call
  for (std::size_t i = 0; i < n; ++i) ask(calls[i].question, static_cast<std::uint32_t>((n - 1 - i) * kAnswerSize) + bytes_for_others);
}

void ClockCode::EmitRdtsc(Emitter* out) {
  out->Bytes({0x48, 0x8d, 0x05});  // lea rax, [rip + trap]
  out->Word32(kJumpSize);
  JumpThrough(ClockQuestion::kRdtsc, out);
}

std::optional<HostPc> ClockCode::AfterFaultAt(HostPc at) const {
  const auto place = [&](const std::uint8_t* code) { return begin_ + static_cast<std::uint64_t>(code - tally_clock_begin); };
  for (const Stores& stores : kStores) {
    if (at >= place(stores.begin) && at < place(stores.end)) return place(stores.calls);
  }
  return std::nullopt;
}

}  // namespace tally
