// The program in translation: one process, from its execve to its end. The engine (translated_engine.h) tells it of
// stops; it changes the program's registers and memory so that it may go on.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <csignal>
#include <string>

#include "supervisor/tracee.h"
#include "supervisor/translator/code_cache.h"
#include "supervisor/translator/control_area.h"
#include "supervisor/translator/guest_code.h"
#include "supervisor/translator/translator.h"
#include "supervisor/translator/virtual_cpu.h"

namespace tally {

// Every method but the accessors throws TaskIsGone when the program was killed meanwhile (injection.h).
class Guest {
 public:
  [[nodiscard]] const CodeCache& cache() const { return cache_; }
  [[nodiscard]] const ControlArea& control() const { return control_; }
  // What the program did that translation does not allow; "" so far.
  [[nodiscard]] const std::string& violation() const { return violation_; }

  // `tid` stands at the exit of its execve.
  void TakeOver(pid_t tid);
  // A SIGTRAP. True: it was a trap of ours, what it was for is done, and the program may go on.
  bool HandleTrap();
  // A SIGSEGV. True: the program wrote into code of its own, which is forgotten, and may write now.
  bool HandleFault();
  // Before the program goes on with `signal`. Returns what is left to deliver: 0 when it stands in its handler.
  int PrepareSignal(int signal);
  // A system call that our filter or the policy stopped; the program may go on after it.
  void HandleCall(const StoppedCall& call);

 private:
  [[nodiscard]] user_regs_struct Get() const;
  void Set(const user_regs_struct& registers) const;
  void GoTo(user_regs_struct* registers, GuestPc pc);
  [[nodiscard]] bool CacheIsNearlyFull() const;

  void Answer(const Trap& trap, HostPc at, user_regs_struct* registers);
  void ContinueAt(Entry entry, user_regs_struct* registers);
  void Arrive(Table table, GuestPc target, user_regs_struct* registers);
  void Remember(HostPc at, user_regs_struct* registers);
  void Refuse(GuestPc pc);

  user_regs_struct ToGuest(bool fault);
  void Step();
  int EnterHandler(int signal, const siginfo_t& info);

  // Executes the instruction at the guest address the registers hold, though it writes into code.
  bool ExecuteUnguarded();
  user_regs_struct FinishCall();
  void ReturnFromHandler();
  void ChangeRights(const StoppedCall& call);
  void Unmap(const StoppedCall& call);
  void Move(const StoppedCall& call);
  // The call is done; translations of a changed range may exist.
  void ContinueBehindCall(user_regs_struct* registers, bool forget);

  pid_t tid_ = -1;
  GuestCode code_;
  CodeCache cache_;
  ControlArea control_;
  Translator translator_{&code_, &cache_, &control_};
  VirtualCpu cpu_;
  std::string violation_;
  bool forget_ = false;  // translations that must not be gone on with
};

}  // namespace tally
