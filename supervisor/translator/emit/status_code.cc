#include "supervisor/translator/emit/status_code.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include <cstddef>

#include "supervisor/translator/emit/clock_code.h"
#include "supervisor/translator/emit/emitter.h"

// The code, position-independent; only copies of it are executed. What it does MakeVirtual does in C++.
extern "C" {
extern const std::uint8_t tally_status_begin[], tally_status_end[], tally_status_stores[], tally_status_stored[];

// NOLINTNEXTLINE: the assembler's
[[gnu::naked, gnu::used, gnu::noinline]] void TallyStatusCode() {
  asm volatile(R"(
  .global tally_status_begin, tally_status_end, tally_status_stores, tally_status_stored
  # Of struct stat and struct statx.
  .set tally_stat_dev, 0
  .set tally_stat_ino, 8
  .set tally_stat_nlink, 16
  .set tally_stat_mode, 24
  .set tally_stat_size, 48
  .set tally_stat_blksize, 56
  .set tally_stat_blocks, 64
  .set tally_stat_atime, 72
  .set tally_stat_mtime, 88
  .set tally_stat_ctime, 104
  .set tally_statx_attributes, 8
  .set tally_statx_nlink, 16
  .set tally_statx_mode, 28
  .set tally_statx_ino, 32
  .set tally_statx_size, 40
  .set tally_statx_blocks, 48
  .set tally_statx_known, 56
  .set tally_statx_times, 64
  .set tally_statx_mtime, 112
  .set tally_statx_dev, 136
  .set tally_statx_rest, 144
  tally_status_begin:               # rcx: where to go on
    mov %%r11, %%gs:%c[flags]
    mov %%rax, %%gs:%c[value]
    mov %%rcx, %%gs:%c[back]
    mov %%rax, %%r11
    lahf
    seto %%al
    mov %%eax, %%gs:%c[status]
    test %%r11, %%r11               # failed
    jnz tally_status_out
    mov %%gs:%c[number], %%eax
    mov %%rdx, %%r11
    cmp $%c[newfstatat], %%eax
    je 1f
    mov %%r8, %%r11
    cmp $%c[statx], %%eax
    je 5f
    mov %%rsi, %%r11
    sub $%c[stat], %%eax            # stat, fstat, lstat
    cmp $2, %%eax
    ja tally_status_out

  tally_status_stores:
  1:                                # r11: a struct stat
    movq $%c[block], tally_stat_blksize(%%r11)
    mov tally_stat_mode(%%r11), %%eax
    and $%c[type], %%eax
    cmp $%c[regular], %%eax
    je 2f
    cmp $%c[folder], %%eax
    mov $%c[first_day], %%eax
    jne 4f
    movq $1, tally_stat_nlink(%%r11)
    movq $%c[block], tally_stat_size(%%r11)
    movq $%c[block] / 512, tally_stat_blocks(%%r11)
    jmp 4f
  2:
    mov tally_stat_size(%%r11), %%rax
    add $%c[block] - 1, %%rax
    sar $12, %%rax
    shl $3, %%rax
    mov %%rax, tally_stat_blocks(%%r11)
    mov tally_stat_dev(%%r11), %%rax
    cmp %%gs:%c[box], %%rax
    je 3f
    mov tally_stat_ino(%%r11), %%rcx
    .irp file, 0, 1, 2, 3, 4, 5, 6, 7
      cmp %%rcx, %%gs:%c[placed] + 24 * \file + 16
      jne 7f
      cmp %%rax, %%gs:%c[placed] + 24 * \file
      je 6f
    7:
    .endr
    mov tally_stat_mtime(%%r11), %%rax
    cmp %%gs:%c[began], %%rax
    jl 4f
    jmp 3f
  6:                                # it lies in the box, so it is of the box's device
    mov %%gs:%c[box], %%rax
    test %%rax, %%rax
    jz 3f
    mov %%rax, tally_stat_dev(%%r11)
    btsq $%c[placed_bit], tally_stat_ino(%%r11)
  3:
    mov $%c[first_day], %%eax
  4:
    mov %%rax, tally_stat_atime(%%r11)
    mov %%rax, tally_stat_mtime(%%r11)
    mov %%rax, tally_stat_ctime(%%r11)
    xor %%eax, %%eax
    mov %%rax, tally_stat_atime + 8(%%r11)
    mov %%rax, tally_stat_mtime + 8(%%r11)
    mov %%rax, tally_stat_ctime + 8(%%r11)
    jmp tally_status_out

  5:                                # r11: a struct statx
    movl $%c[mask], (%%r11)
    movl $%c[block], 4(%%r11)
    xor %%ecx, %%ecx
    mov %%rcx, tally_statx_attributes(%%r11)
    mov %%rcx, tally_statx_known(%%r11)
    .irp word, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
      mov %%rcx, tally_statx_rest + 8 * \word(%%r11)
    .endr
    movzwl tally_statx_mode(%%r11), %%eax
    and $%c[type], %%eax
    cmp $%c[regular], %%eax
    je 6f
    cmp $%c[folder], %%eax
    mov $%c[first_day], %%eax
    jne 8f
    movl $1, tally_statx_nlink(%%r11)
    movq $%c[block], tally_statx_size(%%r11)
    movq $%c[block] / 512, tally_statx_blocks(%%r11)
    jmp 8f
  6:
    mov tally_statx_size(%%r11), %%rax
    add $%c[block] - 1, %%rax
    sar $12, %%rax
    shl $3, %%rax
    mov %%rax, tally_statx_blocks(%%r11)
    mov tally_statx_dev(%%r11), %%rax
    cmp %%gs:%c[box_parts], %%rax
    je 7f
    mov tally_statx_ino(%%r11), %%rcx
    .irp file, 0, 1, 2, 3, 4, 5, 6, 7
      cmp %%rcx, %%gs:%c[placed] + 24 * \file + 16
      jne 0f
      cmp %%rax, %%gs:%c[placed] + 24 * \file + 8
      je 9f
    0:
    .endr
    test $%c[written], %%r10d       # asked for?
    jz 7f
    mov tally_statx_mtime(%%r11), %%rax
    cmp %%gs:%c[began], %%rax
    jl 8f
    jmp 7f
  9:
    mov %%gs:%c[box_parts], %%rax
    test %%rax, %%rax
    jz 7f
    mov %%rax, tally_statx_dev(%%r11)
    btsq $%c[placed_bit], tally_statx_ino(%%r11)
  7:
    mov $%c[first_day], %%eax
  8:
    xor %%ecx, %%ecx
    .irp at, 0, 1, 2, 3
      mov %%rax, tally_statx_times + 16 * \at(%%r11)
      mov %%rcx, tally_statx_times + 16 * \at + 8(%%r11)
    .endr
  tally_status_stored:
  tally_status_out:
    mov %%gs:%c[back], %%rcx
    mov %%gs:%c[status], %%eax
    add $0x7f, %%al                 # overflows if al is 1
    sahf
    mov %%gs:%c[value], %%rax
    mov %%gs:%c[flags], %%r11
    jmp *%%rcx
  tally_status_end:
  )"
               :
               : [flags] "i"(tally::control::kClockFlags), [value] "i"(tally::control::kClockValue), [back] "i"(tally::control::kClockBack),
                 [status] "i"(tally::control::kClockStatus), [number] "i"(tally::control::kCallNumber), [began] "i"(tally::control::kStatusBegan),
                 [box] "i"(tally::control::kStatusBox), [box_parts] "i"(tally::control::kStatusBoxParts), [placed] "i"(tally::control::kStatusPlaced), [placed_bit] "i"(tally::kPlacedBit), [written] "i"(STATX_MTIME | STATX_CTIME), [newfstatat] "i"(SYS_newfstatat),
                 [statx] "i"(SYS_statx), [stat] "i"(SYS_stat), [block] "i"(tally::kFileBlock), [type] "i"(S_IFMT), [regular] "i"(S_IFREG),
                 [folder] "i"(S_IFDIR), [first_day] "i"(tally::kFirstDay), [mask] "i"(STATX_BASIC_STATS | STATX_BTIME));
}
}

namespace tally {
namespace {

static_assert(SYS_fstat == SYS_stat + 1 && SYS_lstat == SYS_stat + 2);
static_assert(kFileBlock == 1 << 12 && kFileBlock / kStatusBlock == 1 << 3);
// Where the code above finds them.
static_assert(offsetof(struct stat, st_ino) == 8 && offsetof(struct statx, stx_ino) == 32);
static_assert(FilesOfRun::kMostPlaced == 8 && control::kStatusPlacedSize == 24);
static_assert(offsetof(struct stat, st_dev) == 0 && offsetof(struct stat, st_nlink) == 16 &&
              offsetof(struct stat, st_mode) == 24 && offsetof(struct stat, st_size) == 48 &&
              offsetof(struct stat, st_blksize) == 56 && offsetof(struct stat, st_blocks) == 64 &&
              offsetof(struct stat, st_atim) == 72 && offsetof(struct stat, st_mtim) == 88 &&
              offsetof(struct stat, st_ctim) == 104);
static_assert(offsetof(struct statx, stx_attributes) == 8 && offsetof(struct statx, stx_nlink) == 16 &&
              offsetof(struct statx, stx_mode) == 28 && offsetof(struct statx, stx_size) == 40 &&
              offsetof(struct statx, stx_blocks) == 48 && offsetof(struct statx, stx_attributes_mask) == 56 &&
              offsetof(struct statx, stx_atime) == 64 && offsetof(struct statx, stx_mtime) == 112 &&
              offsetof(struct statx, stx_dev_major) == 136);
static_assert(sizeof(struct statx) == 256 && offsetof(struct statx, stx_dev_minor) == 140);

std::uint64_t PartsOf(dev_t device) { return std::uint64_t{minor(device)} << 32 | major(device); }

constexpr std::size_t kSlot = kClockQuestions;  // behind those
constexpr std::uint32_t kJumpSize = 7;          // through it

}  // namespace

void StatusCode::Emit(Emitter* out, const ControlArea& control) {
  begin_ = out->here();
  for (const std::uint8_t* at = tally_status_begin; at != tally_status_end; ++at) out->Byte(*at);
  control.SetClockEntry(kSlot, begin_);
}

void StatusCode::Tell(const FilesOfRun& files, const CounterPage& page) {
  page.SetWord(control::kStatusBegan, static_cast<std::uint64_t>(files.began));
  page.SetWord(control::kStatusBox, files.box);
  page.SetWord(control::kStatusBoxParts, PartsOf(files.box));
  std::uint32_t at = control::kStatusPlaced;
  for (const FilesOfRun::Number& number : files.placed) {
    page.SetWord(at, number.device);
    page.SetWord(at + 8, PartsOf(number.device));
    page.SetWord(at + 16, number.file);
    at += control::kStatusPlacedSize;
  }
}

void StatusCode::EmitBehindCall(std::optional<std::uint32_t> number, Emitter* out) const {
  if (!is_on_ || (number && !TellsStatus(*number))) return;
  out->Bytes({0x48, 0x8d, 0x0d});  // lea rcx, [rip + back]
  out->Word32(kJumpSize);
  out->Bytes({0xff, 0x24, 0x25});  // jmp [slot]
  out->Word32(control::kClockTable + 8 * static_cast<std::uint32_t>(kSlot));
}

std::optional<HostPc> StatusCode::AfterFaultAt(HostPc at) const {
  const auto place = [&](const std::uint8_t* code) { return begin_ + static_cast<std::uint64_t>(code - tally_status_begin); };
  if (at >= place(tally_status_stores) && at < place(tally_status_stored)) return place(tally_status_stored);
  return std::nullopt;
}

}  // namespace tally
