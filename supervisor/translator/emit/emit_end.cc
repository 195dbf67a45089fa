// How a fragment ends: what becomes of its block's last instruction, while tasks run freely and near the end of a turn.
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "supervisor/translator/emit/fragment_plan.h"
#include "supervisor/translator/emit/state_access.h"
#include "supervisor/translator/emit/translator.h"
#include "supervisor/translator/guest/cpuid_answers.h"
#include "supervisor/translator/turns/turn_calls.h"
#include "supervisor/x86/flag_makers.h"

namespace tally {
namespace {

constexpr std::uint64_t kSyscallLength = 2;
// Calls that run times make again and again by syscall(3), so that their number is not known before, and that concern nobody else (turn_calls.h).
constexpr std::uint32_t kOwnAffairs[] = {SYS_gettid, SYS_getpid};

// The number of the system call at the end of a block, where the instruction before it sets it.
std::optional<std::uint32_t> CallNumber(const Block& block) {
  const std::size_t n = block.instructions.size();
  if (n < 2) return std::nullopt;
  const Instruction& before = block.instructions[n - 2];
  constexpr std::uint8_t kMovEax = 0xb8;  // mov eax, imm32
  if (before.length != 5 || before.bytes[0] != kMovEax) return std::nullopt;
  std::uint32_t number = 0;
  std::memcpy(&number, &before.bytes[1], sizeof number);
  return number;
}

// Flags made in front of a return, by an instruction that makes nothing else, are made for the caller.
bool ReturnsFlags(const Block& block) {
  for (std::size_t i = block.instructions.size() - 1; i-- > 0;) {
    const Instruction& instruction = block.instructions[i];
    if (instruction.killed != isa::kNoFlags) return OnlyMakesFlags(instruction);
  }
  return false;
}

}  // namespace

// A signal may come in front of the call (guest_signals.cc), and a collector of garbage look at all registers.
bool Translator::SpillsRcxBeforeCall(const Block& block) const {
  if (notes_calls_ || block.end != Flow::kSystemCall) return false;
  const auto number = CallNumber(block);
  return !number || clock_.QuestionOf(*number);
}

Translator::Backs Translator::MissingBacks(const Block& call) const {
  const GuestPc pc = call.next();
  if (!code_->IsExecutable(pc)) return {};
  return {.by_return = !branch_targets_.Has(Table::kReturn, pc), .by_jump = code_->MayChange(call.last().pc) && !branch_targets_.Has(Table::kJump, pc)};
}

void Translator::EmitBacks(const Block& call) {
  const auto [by_return, by_jump] = MissingBacks(call);
  std::optional<HostPc> over;
  if (by_return) branch_targets_.Emit(Table::kReturn, call.next(), &*out_);
  if (by_return && by_jump) over = out_->ShortJump();
  if (by_jump) branch_targets_.Emit(Table::kJump, call.next(), &*out_);
  if (over) out_->EndShortJump(*over);
}

void Translator::EmitReturn(const Block& block) {
  out_->PopIntoR11();
  if (code_->MayChange(block.last().pc) || ReturnsFlags(block)) EmitDispatch();
  else out_->DispatchThrough(Table::kReturn);
}

void Translator::EmitDispatch() {
  out_->StoreRcx(control::kSpillRcx);
  out_->DispatchThrough(Table::kJump);
}

// What a jump or call through a fixed place in memory (a procedure linkage table's) finds there now, it will probably
// find when it comes.
void Translator::EmitInlineCache(const Instruction& instruction) {
  const HostPc trap = inline_caches_.Emit(cache_, &*out_);
  traps_.At(trap) = {Trap::Kind::kInlineCache, {instruction.flow == Flow::kIndirectCall ? instruction.pc : 0}};
  if (instruction.rip_displacement_at == 0 || instruction.fs) return;
  const GuestPc target = code_->WordAt(instruction.RipTarget());
  if (!code_->IsExecutable(target)) return;
  linker_.Link(inline_caches_.Expect(trap, target, cache_), {target, 0, true});
  Want({target, 0, true}, likelihood_);
}

std::optional<Entry> Translator::EmitCall(const Block& block, State state) {
  const GuestPc back = block.next();
  LendR11(std::exchange(state.lent, true));
  if (block.end == Flow::kCall && HandsOnThroughCall(state.pending) && ReturnsSoon(block, block.last().target())) {
    out_->PushReturnAddress(back);
    way_back_ = BeginWayBack(block, block.last().target(), state);
    return std::nullopt;
  }
  if (block.end == Flow::kCall) {
    out_->PushReturnAddress(back);
    const Entry callee = FallTo(block, block.last().target(), state);
    JumpTo(callee);
    Want(callee, likelihood_);
  } else {
    out_->LoadTarget(block.last());
    out_->PushReturnAddress(back);
    EmitInlineCache(block.last());
  }
  const Backs missing = MissingBacks(block);
  return missing.by_return || missing.by_jump ? std::optional(Entry{back, 0, true}) : std::nullopt;
}

std::optional<Entry> Translator::EmitEnd(const Block& block, State state, Fragment* fragment) {
  const bool lent = state.lent;
  if (block.runs_off) {
    EmitTrap(Trap::Kind::kRunsOff, {block.next(), 0, lent});
    return std::nullopt;
  }
  const Instruction& last = block.last();
  switch (block.end) {
    case Flow::kNext: return FallTo(block, block.next(), state);
    case Flow::kJump:
      if (by_turns_) out_->Byte(0x90);  // nop: a place of its own, for GoFurther
      return FallTo(block, last.target(), state);
    case Flow::kConditional:
      EmitTaken(out_->JumpIf(last.condition), block, state);
      return FallTo(block, block.next(), state);
    case Flow::kLoop:
      EmitTaken(out_->Loop(last), block, state);
      return FallTo(block, block.next(), state);
    case Flow::kCall:
    case Flow::kIndirectCall: {
      const std::optional<Entry> next = EmitCall(block, state);
      fragment->end = out_->OffsetFrom(fragment->begin);
      if (next) EmitBacks(block);
      return next;
    }
    case Flow::kIndirectJump:
      LendR11(lent);
      out_->LoadTarget(last);
      if (last.rip_displacement_at != 0) {
        EmitInlineCache(last);
      } else {
        EmitDispatch();
      }
      return std::nullopt;
    case Flow::kReturn:
      LendR11(lent);
      EmitReturn(block);
      return std::nullopt;
    case Flow::kReturnPop:
      LendR11(lent);
      out_->PopIntoR11();
      out_->DropFromStack(last.pop());
      EmitDispatch();
      return std::nullopt;
    case Flow::kSystemCall: {
      const auto number = CallNumber(block);
      const bool stops = by_turns_ ? MayConcernOthers(number) : shared_ && number == SYS_set_tid_address;
      const bool passes = stops && !number;  // those of kOwnAffairs
      constexpr std::uint8_t kTrapSize = 1;
      const auto bytes_for_others = static_cast<std::uint8_t>(kTrapSize + (passes ? std::size(kOwnAffairs) * Emitter::kCallPassSize : 0));
      out_->StoreEax(control::kCallNumber);
      if (SpillsRcxBeforeCall(block)) out_->StoreRcx(control::kCallRcx);
      if (notes_calls_) {
        out_->NoteCall();
      } else {
        clock_.EmitCall(number, stops ? bytes_for_others : 0, &*out_);
      }
      for (std::size_t left = passes ? std::size(kOwnAffairs) : 0; left != 0; --left) {
        out_->PassIfCallIs(kOwnAffairs[left - 1], static_cast<std::uint8_t>((left - 1) * Emitter::kCallPassSize + kTrapSize));
      }
      if (stops) EmitTrap(Trap::Kind::kTurnCall, {last.pc});
      out_->Copy(last);
      fragment->call_end = out_->OffsetFrom(fragment->begin);
      EmitFailureCheck(fragment->begin + fragment->call_end - kSyscallLength, block.next());
      if (notes_calls_) out_->NoteCallEnd();
      status_.EmitBehindCall(number, &*out_);
      out_->SetRcx(block.next());
      return Entry{block.next()};
    }
    case Flow::kEmulated: EmitEmulated(last); return Entry{block.next()};
    case Flow::kFault:
      out_->Copy(last);
      fragment->trap_end = out_->OffsetFrom(fragment->begin);
      out_->Trap();  // belongs to nobody: the next fragment must not begin where a trap stops
      return std::nullopt;
    case Flow::kUndefined:
      out_->Bytes({0x0f, 0x0b});  // ud2
      out_->Trap();
      return std::nullopt;
    case Flow::kPopsFlags:
      out_->Copy(last);
      return FallTo(block, block.next(), state);
    case Flow::kMended:
      EmitMended(block);
      return FallTo(block, block.next(), state);
    case Flow::kSavesX87:
    case Flow::kSingleStep:
      EmitTrap(Trap::Kind::kSingleStep, {last.pc}, &last);
      out_->Copy(last);
      out_->Trap();  // nobody goes on there
      return std::nullopt;
    case Flow::kRefused: EmitTrap(Trap::Kind::kRefused, {last.pc}, &last); return std::nullopt;
  }
  return std::nullopt;
}

// No more is translated than is executed: nobody comes back this way soon.
std::optional<Entry> Translator::EmitEndNearEnd(const Block& block, bool lent, Fragment* fragment) {
  const auto go_on_at = [&](GuestPc pc) {
    if (MayEndTurn(block)) EmitTurnCheck(Trap::Kind::kTurnEnds, {pc, 0, lent}, true);
    return Entry{pc, Entry::kNearEnd, lent};
  };
  const auto lend = [&] { LendR11(std::exchange(lent, true)); };
  if (!block.runs_off) {
    const Instruction& last = block.last();
    switch (block.end) {
      case Flow::kJump: return go_on_at(last.target());
      case Flow::kConditional:
      case Flow::kLoop: {
        const HostPc taken = block.end == Flow::kLoop ? out_->Loop(last) : out_->JumpIf(last.condition);
        {
          const Emitter::Cold cold(&*out_);
          linker_.Patch(taken, out_->here());
          JumpTo(go_on_at(last.target()));
        }
        return go_on_at(block.next());
      }
      case Flow::kCall:
        lend();
        out_->PushReturnAddress(block.next());
        called_near_end_.push_back(block.next());
        return go_on_at(last.target());
      case Flow::kIndirectCall:
      case Flow::kIndirectJump:
        lend();
        out_->LoadTarget(last);
        if (block.end == Flow::kIndirectCall) {
          out_->PushReturnAddress(block.next());
          called_near_end_.push_back(block.next());
        }
        EmitTrap(Trap::Kind::kTurnJump, {});
        return std::nullopt;
      case Flow::kReturn:
      case Flow::kReturnPop:
        lend();
        out_->PopIntoR11();
        if (block.end == Flow::kReturnPop) out_->DropFromStack(last.pop());
        EmitTrap(block.end == Flow::kReturn ? Trap::Kind::kTurnReturn : Trap::Kind::kTurnJump, {});
        return std::nullopt;
      case Flow::kSystemCall:  // counted already
        EmitTrap(Trap::Kind::kTurnEnds, {last.pc, -1, lent});
        return std::nullopt;
      default: break;
    }
  }
  std::optional<Entry> next = EmitEnd(block, State{0, lent}, fragment);
  if (next) next->pending = Entry::kNearEnd;
  return next;
}

// A call may fail because the program may not write its own code at the moment (guest_code.h).
void Translator::EmitFailureCheck(HostPc call, GuestPc next) {
  const HostPc succeeded = out_->UnlessRaxIs(-EFAULT);
  EmitTrap(Trap::Kind::kBadAddress, {next, static_cast<int>(out_->here() - call)});
  out_->EndShortJump(succeeded);
}

void Translator::EmitMended(const Block& block) {
  const Instruction& last = block.last();
  const std::optional<std::uint32_t> mask = VectorMask(block.instructions.first(block.instructions.size() - 1), last);
  if (!mask) {
    out_->Copy(last);
    out_->ZeroX87Pointers(last);
    return;
  }
  const bool narrows = (*mask & ~state_components_) != 0;
  if (narrows) out_->SetEax(*mask & state_components_);
  out_->Copy(last);
  if (narrows) out_->SetEax(*mask);
}

void Translator::EmitEmulated(const Instruction& i) {
  constexpr std::uint8_t kCpuid = 0xa2, kRdtsc = 0x31, kRdtscp = 0xf9;
  const std::uint8_t opcode = i.bytes[i.length - 1U];
  const bool is_rdtscp = i.modrm_at != 0 && i.bytes[i.modrm_at - 1U] == 0x01 && opcode == kRdtscp;
  if (cpu_ != nullptr && i.modrm_at == 0 && opcode == kCpuid) {
    EmitCpuid(i);
    return;
  }
  const bool is_clock = clock_.AnswersRdtsc() && (is_rdtscp || (i.modrm_at == 0 && opcode == kRdtsc));
  if (is_clock) ClockCode::EmitRdtsc(&*out_);
  EmitTrap(Trap::Kind::kEmulate, {i.pc}, &i);
  if (is_clock && is_rdtscp) out_->SetRcx(0);
}

void Translator::EmitCpuid(const Instruction& cpuid) {
  const HostPc away = out_->Jump();
  const HostPc back = out_->here();
  const Emitter::Cold cold(&*out_);
  linker_.Patch(away, out_->here());
  for (const HostPc answered : EmitCpuidAnswers(*cpu_, &*out_)) linker_.Patch(answered, back);
  EmitTrap(Trap::Kind::kEmulate, {cpuid.pc}, &cpuid);
  linker_.Patch(out_->Jump(), back);
}

}  // namespace tally
