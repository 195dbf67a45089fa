#include "supervisor/translator/emit/emitter.h"

#include <array>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

// Addresses that a sign-extended 32-bit immediate can hold.
bool IsLow(GuestPc pc) { return pc < 0x80000000; }

std::uint32_t next_counter = 0;

// As ModRM.reg has them; of r11 REX.R is the rest.
constexpr std::uint8_t kRax = 0, kRcx = 1, kRdx = 2, kR11 = 3;

}  // namespace

void Emitter::WithControl(std::initializer_list<std::uint8_t> opcode, std::uint8_t reg, std::uint32_t offset, std::uint32_t immediate_size) {
  std::array<std::uint8_t, 8> code;
  std::size_t n = 0;
  if (style_.by_eip) code[n++] = 0x67;
  code[n++] = 0x65;
  for (const std::uint8_t byte : opcode) code[n++] = byte;
  code[n++] = static_cast<std::uint8_t>((style_.by_eip ? 5 : 4) | reg << 3);
  if (!style_.by_eip) code[n++] = 0x25;
  Bytes(std::span(code).first(n));
  if (style_.by_eip) {
    if (journal_ != nullptr) journal_->NoteControl(here());
    offset -= static_cast<std::uint32_t>(here() + 4 + immediate_size);
  }
  Word32(offset);
}

void Emitter::StoreR11(std::uint32_t offset) { WithControl({0x4c, 0x89}, kR11, offset); }  // mov gs:[offset], r11
void Emitter::LoadR11(std::uint32_t offset) { WithControl({0x4c, 0x8b}, kR11, offset); }   // mov r11, gs:[offset]
void Emitter::StoreRcx(std::uint32_t offset) { WithControl({0x48, 0x89}, kRcx, offset); }  // mov gs:[offset], rcx
void Emitter::LoadRcx(std::uint32_t offset) { WithControl({0x48, 0x8b}, kRcx, offset); }   // mov rcx, gs:[offset]
void Emitter::StoreEax(std::uint32_t offset) { WithControl({0x89}, kRax, offset); }        // mov gs:[offset], eax

std::uint32_t Emitter::NextCounter() {
  return control::kCounters + 8 * (next_counter++ % control::kCounterSlots);
}

void Emitter::AddTo(std::uint32_t counter, int n) {
  const bool small = n >= -128 && n < 128;
  WithControl({0x48, static_cast<std::uint8_t>(small ? 0x83 : 0x81)}, 0, counter, small ? 1 : 4);  // add qword gs:[counter], n
  if (small) {
    Byte(static_cast<std::uint8_t>(n));
  } else {
    Word32(static_cast<std::uint32_t>(n));
  }
}

void Emitter::AddKeepingFlagsTo(std::uint32_t counter, int n, bool lent) {
  if (!lent) StoreR11(control::kSpillForCount);
  LoadR11(counter);
  Bytes({0x4d, 0x8d, 0x9b});  // lea r11, [r11 + n]
  Word32(static_cast<std::uint32_t>(n));
  StoreR11(counter);
  if (!lent) LoadR11(control::kSpillForCount);
}

void Emitter::AddToCounter(int n) {
  if (n != 0) style_.by_turns ? AddTo(control::kTurnBudget, -n) : AddTo(NextCounter(), n);
}

void Emitter::AddToCounterKeepingFlags(int n, bool lent) {
  if (n != 0) style_.by_turns ? AddKeepingFlagsTo(control::kTurnBudget, -n, lent) : AddKeepingFlagsTo(NextCounter(), n, lent);
}

// The budget is far from 2^47, so its upper 16 bits are all 0 or all 1.
HostPc Emitter::IfBudgetIsOverKeepingFlags() {
  StoreRcx(control::kSpillRcx);
  WithControl({0x0f, 0xb7}, kRcx, control::kTurnBudget + 6);  // movzx ecx, word gs:[kTurnBudget + 6]
  Bytes({0xe3, 5});  // jrcxz over the next
  const HostPc over = JumpForGood();
  LoadRcx(control::kSpillRcx);
  return over;
}

void Emitter::CountSystemCall() { AddTo(control::kSystemCalls, 1); }
void Emitter::CountSystemCallKeepingFlags(bool lent) { AddKeepingFlagsTo(control::kSystemCalls, 1, lent); }

void Emitter::NoteUnusualFlags() {
  WithControl({0xc7}, 0, control::kClockUnusual, 4);  // mov dword gs:[kClockUnusual], 1
  Word32(1);
}

HostPc Emitter::NoteBlock(std::uint32_t number, bool lent) {
  if (!lent) StoreR11(control::kSpillForCount);
  LoadR11(control::kLogEnd);
  Bytes({0x41, 0xc7, 0x03});  // mov dword [r11], number
  Word32(number);
  Bytes({0x4d, 0x8d, 0x5b, 0x04});  // lea r11, [r11 + 4]
  StoreR11(control::kLogEnd);
  const HostPc noted = here();
  if (!lent) LoadR11(control::kSpillForCount);
  return noted;
}

// Offsets are those of ObservedCall (call_observer.h).
void Emitter::NoteCall() {
  LoadRcx(control::kLogEnd);
  Bytes({0x48, 0x89, 0x01});        // mov [rcx], rax
  Bytes({0x48, 0x89, 0x79, 0x08});  // mov [rcx + 8], rdi
  Bytes({0x48, 0x89, 0x71, 0x10});  // mov [rcx + 16], rsi
  Bytes({0x48, 0x89, 0x51, 0x18});  // mov [rcx + 24], rdx
  Bytes({0x0f, 0x31});              // rdtsc
  Bytes({0x89, 0x41, 0x20});        // mov [rcx + 32], eax
  Bytes({0x89, 0x51, 0x24});        // mov [rcx + 36], edx
  Bytes({0x48, 0x8b, 0x01});        // mov rax, [rcx]
  Bytes({0x48, 0x8b, 0x51, 0x18});  // mov rdx, [rcx + 24]
}

void Emitter::NoteCallEnd() {
  LoadRcx(control::kLogEnd);
  Bytes({0x48, 0x89, 0x41, 0x28});        // mov [rcx + 40], rax
  WithControl({0x48, 0x89}, kRdx, control::kSpillRcx);  // mov gs:[kSpillRcx], rdx
  Bytes({0x0f, 0x31});              // rdtsc
  Bytes({0x89, 0x41, 0x30});        // mov [rcx + 48], eax
  Bytes({0x89, 0x51, 0x34});        // mov [rcx + 52], edx
  Bytes({0x48, 0x8b, 0x41, 0x28});  // mov rax, [rcx + 40]
  WithControl({0x48, 0x8b}, kRdx, control::kSpillRcx);  // mov rdx, gs:[kSpillRcx]
  Bytes({0x48, 0x8d, 0x49, 0x40});  // lea rcx, [rcx + 64]
  StoreRcx(control::kLogEnd);
}

void Emitter::CorrectDisplacement(HostPc end, HostPc displacement_at, GuestPc guest_target) {
  const auto distance = static_cast<std::int64_t>(guest_target - end);
  const auto displacement = static_cast<std::int32_t>(distance);
  if (displacement != distance) throw SystemError("translator: data out of reach of the code cache", 0);
  std::memcpy(Ours(displacement_at), &displacement, sizeof displacement);
  if (journal_ != nullptr) journal_->Note(displacement_at, Journal::Site::Kind::kData);
}

void Emitter::Copy(const Instruction& i) {
  const HostPc start = here();
  std::memcpy(Claim(i.length), i.bytes.data(), i.bytes.size());  // of the longest length, which is faster
  if (i.rip_displacement_at != 0) CorrectDisplacement(here(), start + i.rip_displacement_at, i.RipTarget());
}

// By `mov` of an immediate, with the operand's own base and index and a displacement of 32 bits.
void Emitter::ZeroX87Pointers(const Instruction& i) {
  const std::uint8_t modrm = i.bytes[i.modrm_at], mod = modrm >> 6;
  const bool has_sib = (modrm & 7) == 4;
  const std::uint8_t* const at = &i.bytes[i.modrm_at + (has_sib ? 2U : 1U)];
  std::int32_t displacement = 0;
  if (mod == 1) displacement = static_cast<std::int8_t>(*at);
  if (mod == 2) std::memcpy(&displacement, at, sizeof displacement);
  const auto operand = [&](std::uint32_t offset) {
    Byte(static_cast<std::uint8_t>(0x80 | (modrm & 7)));
    if (has_sib) Byte(i.bytes[i.modrm_at + 1U]);
    Word32(static_cast<std::uint32_t>(displacement) + offset);
  };
  const auto rex = static_cast<std::uint8_t>(0x40 | (i.rex & 3));
  Bytes({0x66, rex, 0xc7});  // mov word [operand + 6], 0: the opcode
  operand(6);
  Bytes({0, 0});
  for (const std::uint32_t offset : {8U, 16U}) {  // mov qword, 0: where it stood, and its operand
    Bytes({static_cast<std::uint8_t>(rex | 8), 0xc7});
    operand(offset);
    Word32(0);
  }
}

void Emitter::LoadTarget(const Instruction& i) {
  if (i.fs) Byte(0x64);
  if (i.address32) Byte(0x67);
  Byte(static_cast<std::uint8_t>(0x4c | (i.rex & 3)));  // REX.W and R for r11; X and B as the operand has them
  Byte(0x8b);                                           // mov r11, operand
  const std::uint8_t modrm = i.bytes[i.modrm_at];
  Byte(static_cast<std::uint8_t>((modrm & 0xc7) | 3 << 3));
  for (std::size_t k = i.modrm_at + 1U; k < i.length; ++k) Byte(i.bytes[k]);
  if (i.rip_displacement_at != 0) CorrectDisplacement(here(), here() - 4, i.RipTarget());
}

void Emitter::PushReturnAddress(GuestPc pc) {
  if (IsLow(pc)) {
    Byte(0x68);  // push imm32
    Word32(static_cast<std::uint32_t>(pc));
    return;
  }
  WithLiteral({0xff, 0x35}, pc);  // push [rip + literal]
}

void Emitter::WithLiteral(std::initializer_list<std::uint8_t> opcode, std::uint64_t value) {
  HostPc literal;
  {
    const Cold cold(this);
    literal = here();
    Word64(value);
  }
  Bytes(opcode);
  if (journal_ != nullptr) journal_->Note(here(), Journal::Site::Kind::kCode, literal);
  Word32(static_cast<std::uint32_t>(literal - (here() + 4)));
}

void Emitter::SetEax(std::uint32_t value) {
  Byte(0xb8);  // mov eax, imm32
  Word32(value);
}

void Emitter::SetRcx(std::uint64_t value) {
  if (IsLow(value)) {
    Byte(0xb9);  // mov ecx, imm32
    Word32(static_cast<std::uint32_t>(value));
  } else {
    Bytes({0x48, 0xb9});  // mov rcx, imm64
    Word64(value);
  }
}

HostPc Emitter::UnlessRaxIs(std::int8_t value) {
  Bytes({0x48, 0x8d, 0x48, static_cast<std::uint8_t>(-value)});  // lea rcx, [rax - value]
  Bytes({0xe3, 2});                                              // jrcxz over the next
  return ShortJump();
}

void Emitter::PassIfCallIs(std::uint32_t number, std::uint8_t bytes) {
  Bytes({0x48, 0x8d, 0x88});  // lea rcx, [rax - number]
  Word32(-number);
  Bytes({0xe3, bytes});  // jrcxz
}

HostPc Emitter::ShortJump() {
  Bytes({0xeb, 0});  // jmp rel8
  return here() - 1;
}

void Emitter::EndShortJump(HostPc displacement_at) {
  *Ours(displacement_at) = static_cast<std::uint8_t>(here() - (displacement_at + 1));
}

void Emitter::DispatchThrough(Table table) {
  if (table == Table::kReturn) {
    Bytes({0x45, 0x0f, 0xb7, 0xdb});  // movzx r11d, r11w
    Bytes({0x42, 0xff, 0x24, 0xdd});  // jmp [r11*8 + table]
    Word32(control::kReturnTable);
  } else {
    Bytes({0x41, 0x0f, 0xb7, 0xcb});  // movzx ecx, r11w
    Bytes({0xff, 0x24, 0xcd});        // jmp [rcx*8 + table]
    Word32(control::kJumpTable);
  }
}

void Emitter::PopIntoR11() { Bytes({0x41, 0x5b}); }  // pop r11

HostPc Emitter::UnlessR11Is(GuestPc pc) {
  if (IsLow(pc)) {
    Bytes({0x49, 0x81, 0xfb});  // cmp r11, imm32
    Word32(static_cast<std::uint32_t>(pc));
  } else {
    WithLiteral({0x4c, 0x3b, 0x1d}, pc);  // cmp r11, [rip + literal]
  }
  return JumpIf(5);  // jne
}

void Emitter::DropFromStack(std::uint16_t bytes) {
  Bytes({0x48, 0x8d, 0xa4, 0x24});  // lea rsp, [rsp + bytes]
  Word32(bytes);
}

void Emitter::AlignForPatch(std::uint64_t opcode, std::uint64_t size) {
  if (!style_.shared) return;
  while ((here() + opcode) / 8 != (here() + opcode + size - 1) / 8) Byte(0x90);  // nop
}

HostPc Emitter::Jump() {
  AlignForPatch(1, 4);
  return JumpForGood();
}

HostPc Emitter::JumpForGood() {
  Byte(0xe9);  // jmp rel32
  Word32(0);
  return here() - 4;
}

HostPc Emitter::JumpIf(std::uint8_t condition) {
  AlignForPatch(2, 4);
  return JumpIfForGood(condition);
}

HostPc Emitter::JumpIfForGood(std::uint8_t condition) {
  Bytes({0x0f, static_cast<std::uint8_t>(0x80 | condition)});  // jcc rel32
  Word32(0);
  return here() - 4;
}

HostPc Emitter::Loop(const Instruction& i) {
  AlignForPatch(i.length + 3U, 4);
  for (std::size_t k = 0; k + 1 < i.length; ++k) Byte(i.bytes[k]);
  Byte(2);             // to the jump behind the next
  Bytes({0xeb, 0x05});  // jmp over it
  return Jump();
}

// What is returned to, less `pc`, is made in rcx without touching the flags. Where tables are wide the low 16 bits are those of the entry already.
HostPc Emitter::UnlessReturnsToKeepingFlags(GuestPc pc) {
  const bool in_r11 = IsLow(pc) || (style_.bmi2 && style_.wide);  // what rcx was; otherwise pc is too long for anything but r11
  in_r11 ? Bytes({0x49, 0x89, 0xcb}) : StoreRcx(control::kSpillRcx);  // mov r11, rcx
  if (IsLow(pc)) {
    Bytes({0x48, 0x8b, 0x4c, 0x24, 0xf8});  // mov rcx, [rsp - 8]
    Bytes({0x48, 0x8d, 0x89});              // lea rcx, [rcx - pc]
    Word32(-static_cast<std::uint32_t>(pc));
  } else if (in_r11) {
    Byte(0xb9);  // mov ecx, 16
    Word32(16);
    Bytes({0xc4, 0xe2, 0xf3, 0xf7, 0x4c, 0x24, 0xf8});  // shrx rcx, [rsp - 8], rcx
    Bytes({0x48, 0x8d, 0x89});                          // lea rcx, [rcx - (pc >> 16)]
    Word32(-static_cast<std::uint32_t>(pc >> 16));
  } else {
    Bytes({0x48, 0x8b, 0x4c, 0x24, 0xf8});  // mov rcx, [rsp - 8]
    Bytes({0x49, 0xbb});                    // mov r11, -pc
    Word64(-pc);
    Bytes({0x4a, 0x8d, 0x0c, 0x19});  // lea rcx, [rcx + r11]
  }
  const std::uint8_t restores = in_r11 ? 3 : 9;  // bytes
  const auto restore = [&] { in_r11 ? Bytes({0x4c, 0x89, 0xd9}) : LoadRcx(control::kSpillRcx); };  // mov rcx, r11
  AlignForPatch(restores + 3U, 4);
  Bytes({0xe3, static_cast<std::uint8_t>(restores + 5)});  // jrcxz over the next two, `restores` and five bytes
  restore();
  const HostPc otherwise = Jump();
  restore();
  return otherwise;
}

HostPc Emitter::UnlessJumpsToKeepingFlags(GuestPc pc) {
  if (IsLow(pc)) {
    Bytes({0x49, 0x8d, 0x8b});  // lea rcx, [r11 - pc]
    Word32(static_cast<std::uint32_t>(-static_cast<std::int64_t>(pc)));
  } else {
    Bytes({0x48, 0xb9});  // mov rcx, -pc
    Word64(-pc);
    Bytes({0x4a, 0x8d, 0x0c, 0x19});  // lea rcx, [rcx + r11]
  }
  AlignForPatch(3, 4);
  Bytes({0xe3, 5});  // jrcxz over the next, five bytes
  return Jump();
}

HostPc Emitter::UnlessReturnsTo(GuestPc pc) {
  if (IsLow(pc)) {
    Bytes({0x48, 0x81, 0x7c, 0x24, 0xf8});  // cmp qword [rsp - 8], imm32
    Word32(static_cast<std::uint32_t>(pc));
  } else {
    Bytes({0x49, 0xbb});  // mov r11, imm64
    Word64(pc);
    Bytes({0x4c, 0x39, 0x5c, 0x24, 0xf8});  // cmp [rsp - 8], r11
  }
  return JumpIf(5);  // jne
}

}  // namespace tally
