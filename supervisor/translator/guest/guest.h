// One task of the program in translation, from the moment it begins to the moment it is gone. The engine
// (translated_engine.h) tells it of its stops; it changes the task's registers and memory so that it may go on.
//
//   guest.cc          beginning and end, traps
//   guest_proc.cc     what it would see of us in /proc
//   guest_signals.cc  signals
//   guest_single_step.cc    instructions executed outside of translated code
//   guest_calls.cc    system calls that concern the translation
//   guest_observed.cc which blocks it executed, for whoever observes that
//   guest_stop.cc     standing still while translations are forgotten; waiting in vfork and execve
//   guest_unshare.cc     leaving a code space that other processes share
//   guest_actions.cc      the program's own SIGTRAP and SIGSEGV
//   guest_waits.cc    waiting in the kernel until a moment of the virtual clock
//   guest_turns.cc    one task at a time
//   guest_vsyscall.cc calls into the vsyscall page
//   guest_regions.cc    room for translations of code that is mapped far from all other
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/api/call_observer.h"
#include "supervisor/resources/caught_signals.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/wait_status.h"
#include "supervisor/translator/cache/code_space.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/emit/translator.h"
#include "supervisor/translator/guest/translated_run.h"

namespace tally {

constexpr std::uint64_t kSyscallLength = 2;
constexpr std::uint64_t kCodeSegment = 0x33;  // __USER_CS (arch/x86/include/asm/segment.h)

// As much as the kernel maps for a size.
constexpr std::uint64_t WholePages(std::uint64_t size) { return (size + 4095) & ~std::uint64_t{4095}; }

// Every method but the accessors throws TaskIsGone (injection.h) when the task was killed meanwhile, or may not go on
// because of what TranslatedRun::violation says.
class Guest {
 public:
  Guest(pid_t tid, TranslatedRun* run) : tid_(tid), run_(run) {}
  ~Guest() { Leave(); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  [[nodiscard]] CounterPage page() const { return page_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }  // a number that tasks of one memory have in common
  [[nodiscard]] const std::shared_ptr<CodeSpace>& space() const { return space_; }

  // The task stands at the exit of its execve.
  void BeginProgram();
  // The task is new, stands where it was made and was made by a call in front of `pc`.
  void BeginThread(const Guest& parent, GuestPc pc, bool shares_handlers);
  void BeginFork(const Guest& parent, GuestPc pc);
  void ActAsYourself() { space_->ActAs(tid_); }  // before each of the following
  // It executes nothing any more, here at least: its count is final.
  void Leave();

  // A SIGTRAP. True: it was a trap of ours, what it was for is done, and the program may go on, unless TakeOtherStop.
  bool HandleTrap();
  // A SIGSEGV or SIGBUS. True: the program wrote into code of its own, whose translations are invalid, and may write now; or
  // our own code did for it (clock_code.h), and the call is made.
  bool HandleFault();
  // The stop it is at now in place of one that was taken: what that was for led to a fault of the program's.
  std::optional<WaitStatus> TakeOtherStop() { return std::exchange(other_stop_, std::nullopt); }
  // Before the program goes on with `signal`. Returns what is left to deliver: 0 when it stands in its handler.
  int PrepareSignal(int signal);
  // A system call that our filter or the policy stopped; the program may go on after it.
  void HandleCall(const StoppedCall& call);
  // The address behind the system call it is stopped in.
  [[nodiscard]] GuestPc BehindCall() const;

  // It is stopped in a vfork(2) or execve(2), and will wait in the kernel, where nobody can stop it, until its child lets
  // go or the other threads are gone.
  void WaitInKernel(GuestPc behind_call) { kernel_pc_ = behind_call; }
  void PassKernelWait();  // it is to go on: into that wait or, the second time, out of it
  [[nodiscard]] bool waits_in_kernel() const { return kernel_pc_.has_value(); }

  // What it called since it was last asked goes to the observer; the call it has not come back from. nullptr: none.
  void ReportCalls();
  [[nodiscard]] const ObservedCall* UnfinishedCall() const;
  // It has executed another program: that call is done.
  void LeaveByExec();
  // It is stopped in a question about the time, perhaps for its flags.
  void SeeFlagsOfQuestion() const;
  // It is about to make a call that names something.
  void NameCall(const StoppedCall& call);

  // It is one of several, and stopped in a call that may wait until a moment.
  void WaitUntil(const StoppedCall& call);

  // Where tasks take turns (turns.h). What it stopped for, last asked.
  enum class TurnEvent : std::uint8_t {
    kIsOver,  // it has come to the end of its turn
    kCall,    // it stands in front of a system call
  };
  // The only one so far, stopped in the call that made another: from now on they take turns.
  void TakeTurns();
  // The same in front of a call that a filter stopped, and that it makes anew.
  void TakeTurnsAt(const StoppedCall& call);
  std::optional<TurnEvent> TakeTurnEvent() { return std::exchange(turn_event_, std::nullopt); }
  void BeginTurn(std::uint64_t length);
  // It takes of its turn, and of everybody's time, as if it had executed so many instructions.
  void SpendTurn(std::uint64_t instructions) const;
  // No more than so many are left of it.
  void LimitTurn(std::uint64_t instructions) const;
  // Is its budget used up where it stands?
  [[nodiscard]] bool IsTurnUsedUp() const;
  // So many instructions beyond the end of its turn, or to where it stops for something else.
  void GoFurther(std::uint64_t later);
  void EndTurnHere();
  // The call it stands in front of, and its answer.
  [[nodiscard]] StoppedCall CallAhead() const;
  void AnswerCallAhead(std::int64_t result);
  // The result of a call that it is made to make; -errno.
  [[nodiscard]] std::int64_t Make(long number, const CallArguments& arguments) const;
  // In the program: room for four words of arguments of such calls.
  [[nodiscard]] std::uint64_t scratch() const { return page_.address() + control::kScratch; }
  void SetScratch(unsigned word, std::uint64_t value) const { page_.SetWord(control::kScratch + 8 * word, value); }
  [[nodiscard]] std::uint64_t Scratch(unsigned word) const { return page_.Word(control::kScratch + 8 * word); }
  [[nodiscard]] pid_t tid() const { return tid_; }
  [[nodiscard]] pid_t process() const;
  // It stands still, and nobody waits for its stop, until its turn comes.
  void Stand(bool stands) { stands_ = stands; }
  // It may have been brought out of translated code while it stood. Before it goes on, or is asked where it stands.
  void ComeBack();
  // What the kernel clears and wakes at its end (set_tid_address(2)).
  std::uint64_t clears_at_end = 0;

  // Stops the task, wherever it runs, at a guest instruction. False: it is at its end. GoOnAfterStop leaves it
  // stopped, and its stop among the postponed (postponed_stops.h).
  bool Stop();
  void GoOnAfterStop();

 private:
  [[nodiscard]] user_regs_struct Get() const;
  void Set(const user_regs_struct& registers) const;
  [[nodiscard]] siginfo_t SignalInfo() const;
  void GoTo(user_regs_struct* registers, GuestPc pc);
  void EnterTranslation(user_regs_struct* registers, GuestPc pc);
  void Begin(std::shared_ptr<CodeSpace> space, user_regs_struct* registers, GuestPc pc);
  void FaultAt(user_regs_struct* registers, GuestPc pc, std::uint64_t behind = 0);
  [[nodiscard]] bool WasSentTo(std::uint64_t address) const { return faults_at_ && faults_at_->at == address; }
  // False: that is no entry of the vsyscall page, or it faults.
  bool AnswerVsyscall(GuestPc pc, user_regs_struct* registers);
  void Forget();
  void Restart();

  void Answer(const Trap& trap, HostPc at, user_regs_struct* registers);
  void RunOff(GuestPc pc, HostPc at, user_regs_struct* registers);
  void ContinueAt(Entry entry, user_regs_struct* registers);
  void ContinueBehindStale(Entry entry, HostPc at, user_regs_struct* registers);
  // `compared`: the flags are overwritten.
  void Arrive(Table table, GuestPc target, user_regs_struct* registers, bool compared = false);
  void TakeBackJump(Table table, user_regs_struct* registers);
  void Remember(GuestPc call, HostPc at, user_regs_struct* registers);
  void Refuse(const Instruction& instruction);
  void SingleStep(const Instruction& instruction, HostPc copy, user_regs_struct* registers);
  // Nothing: it is repeated, is not done yet, and it is time for Watch to look at the limits.
  std::optional<WaitStatus> StepFrom(HostPc copy);
  void SeeFlags(const user_regs_struct& registers) const;
  void PushedReturnAddress(const Instruction& call, std::uint64_t pushed, GuestPc at);
  void AnswerAboutGs(const StoppedCall& call);

  // Is it the fault of an instruction?
  static bool IsFromTheProcessor(int signal, int code);
  void ReportBlocks() const;
  void CompleteCall(const user_regs_struct& registers) const;
  void ReportNotExecuted(std::size_t instructions) const;
  void LeaveNote() const;
  void EmptyCallLog();
  void MakeRoomInLog();
  bool EmptyFullLog(std::uint64_t fault);
  user_regs_struct ToGuest(bool fault);
  int Step();
  std::optional<WaitStatus> StepUnseen();
  void LetWriteFrame();
  // Of the signals that it blocks: now, and when it goes on behind a handler.
  struct SignalMasks {
    std::uint64_t now = 0, behind = 0;
  };
  [[nodiscard]] SignalMasks Masks(std::uint64_t now) const;
  int EnterHandler(int signal, const siginfo_t& info, const SignalMasks& masks);
  [[nodiscard]] std::optional<int> SignalBetweenInstructions(const WaitStatus& status) const;
  [[nodiscard]] bool HasFaultAhead() const;
  void TakeCallBack();
  void RestartInterruptedCall();

  // The task stands where it returned to, and the flags are not what they were. Goes on to where that is all one, or gives the run up.
  void SettleFlags(GuestPc returned_to);
  bool StepToOverwrittenFlags();
  [[nodiscard]] bool EndsByFault(const WaitStatus& stop) const;
  [[nodiscard]] bool FollowGrowth(GuestPc address);
  [[nodiscard]] bool IsExecutable(GuestPc pc) { return space_->code().IsExecutable(pc) || FollowGrowth(pc); }
  // Makes narrow tables wide (control_area.h). The task is on its way through none of them.
  void WidenTables();
  // Its translations are no longer valid, and then the program may write there.
  void LetWrite(GuestCode::Range guarded);
  // Executes the instruction at the guest address the registers hold, though it writes into code.
  bool ExecuteUnguarded();
  [[nodiscard]] bool ChangesCode(const StoppedCall& call) const;
  void UnshareCodeCache(const StoppedCall& call);
  void MoveTo(const std::shared_ptr<CodeSpace>& space);
  // Makes sure that code there has a code region; false: it cannot have one, and TranslatedRun::violation says why.
  bool ReachCode(GuestPc begin, GuestPc end);
  bool ReachCodeAt(GuestPc pc);
  void EndWait(user_regs_struct* registers);
  void MakeCallAgain(HostPc call, GuestPc next, user_regs_struct* registers);
  user_regs_struct FinishCall();
  bool AnswerFault(const siginfo_t& info);
  void ChangeAction(const StoppedCall& call);
  void SetAction(int signal);
  bool RestoreAction(int signal);  // after one of ours; true: it came while the signal was blocked
  [[nodiscard]] bool HasLostAction(int signal);
  [[nodiscard]] bool Ignores(int signal) const;
  void SeeHandlerEntered(int signal);
  void DropAction(int signal);
  void SendAgain(const siginfo_t& info) const;
  void ReturnFromHandler();
  void HideInProc(const StoppedCall& call);
  void ShowInProc(const StoppedCall& call, const std::string& path);
  // Nothing of `text`: it is refused.
  void OpenInProc(const StoppedCall& call, const std::function<std::optional<std::string>()>& text);
  [[nodiscard]] std::string VisibleMappings() const;
  [[nodiscard]] std::int64_t GiveFile(const std::string& text, bool close_on_exec) const;
  void ChangeRights(const StoppedCall& call);
  void Unmap(const StoppedCall& call);
  void Move(const StoppedCall& call);
  void AddPart(const GuestCode::Part& part);
  // The call is done; translations of a changed range may exist.
  enum class Renewal : std::uint8_t { kNone, kOfChanged, kAll };
  static Renewal RenewalFor(bool code_changed, bool all_made);
  void ContinueBehindCall(user_regs_struct* registers, Renewal renewal, GuestCode::Range changed);
  // In front of a call that a filter stopped, which was not made and is not counted. Where it is.
  GuestPc TakeBackCall(const StoppedCall& call);

  pid_t tid_;
  TranslatedRun* run_;
  std::shared_ptr<CodeSpace> space_;
  std::uint64_t memory_ = 0;
  CounterPage page_;
  TaskLog log_;
  std::size_t calls_reported_ = 0;  // of those in the log
  std::uint64_t last_call_end_ = 0;
  struct Segment {
    std::uint64_t base = 0;
    std::uint16_t selector = 0;
  };
  Segment segment_;  // gs as the program has it
  std::optional<WaitStatus> other_stop_;
  std::optional<TurnEvent> turn_event_;
  bool settles_flags_ = false;
  mutable pid_t process_ = 0;  // 0: not asked for yet
  std::int64_t counted_ = 0;          // between turns, beyond its counters
  std::int64_t counted_between_ = 0;  // the same before its turn began
  bool near_end_ = false;             // of its turn: the margin is given, and it executes translations that look for the end
  void ComeNearEndOfTurn();
  void ComeToEndOfTurn();
  void ArriveNearEnd(Table table, GuestPc target, user_regs_struct* registers);
  [[nodiscard]] std::int64_t BudgetLeft() const;
  [[nodiscard]] bool IsBudgetUsedUp() const { return BudgetLeft() < 0; }
  // Beyond the end of a turn. False: it came to something that waits for its next turn.
  bool StepInTurn();
  std::optional<WaitStatus> StepOverRepeat(std::size_t length);
  [[nodiscard]] bool IsBeforeCall(HostPc at) const;
  void CountInTurn(std::int64_t uncounted);
  void GiveInTurn(std::int64_t instructions) const;
  struct Fault {
    GuestPc pc;
    std::uint64_t at;
  };
  std::optional<Fault> faults_at_;  // it was sent there to fault (FaultAt)
  // What the program asked for, as rt_sigaction(2) has it.
  struct SignalAction {
    std::uint64_t handler = 0, flags = 0, restorer = 0, mask = 0;
  };
  // For the signals of our traps and of what we guard; the same for all threads of a process.
  struct SignalActions {
    SignalAction trap, fault;
    SignalAction& Of(int signal) { return signal == SIGTRAP ? trap : fault; }
  };
  CaughtSignals caught_;
  std::shared_ptr<SignalActions> actions_ = std::make_shared<SignalActions>();
  bool stands_ = false;
  bool is_outside_ = false;  // it stands at an address of the program's
  std::optional<WaitStatus> stopped_at_;
  std::optional<GuestPc> kernel_pc_;
  bool kernel_entered_ = false;
  struct Wait {
    Nanoseconds until;
    std::uint64_t number;
    std::optional<unsigned> argument;
    std::uint64_t before;  // what the argument was
  };
  std::optional<Wait> wait_;
};

}  // namespace tally
