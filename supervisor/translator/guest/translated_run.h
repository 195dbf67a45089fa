// What all tasks of a run in translation share.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/file_cache.h"
#include "supervisor/api/run_request.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/tracing/postponed_stops.h"
#include "supervisor/translator/guest/call_filter.h"
#include "supervisor/translator/guest/run_counts.h"

namespace tally {

class CodeSpace;

struct TranslatedRun {
  TranslatedRun(const RunRequest& request, PostponedStops* postponed_stops)
      // Twice the limit: as many again may be at their ends.
      : most_tasks(request.limits.processes > 1 ? 2 * std::size_t{request.limits.processes} : 1),
        options(OptionsFor(request)),
        machine(HeldHere(request), request.limits, false),
        may_take_turns(machine.Has(VirtualRule::kSchedule)),
        // At other addresses nothing would be found again; and what is kept tells no observer what it executes.
        store(machine.Has(VirtualRule::kAddresses) && !IsObserved(request) ? request.translation_folder : ""),
        observer(request.observer),
        call_observer(request.call_observer),
        postponed(postponed_stops) {}

  static bool IsObserved(const RunRequest& request) {
    return request.observer != nullptr || request.call_observer != nullptr;
  }
  static constexpr int kTurnMargin = 64;
  // By a seed turns are short, and what is done at their ends costs more than loops do.
  static TranslationOptions OptionsFor(const RunRequest& request) {
    TranslationOptions options = request.translation;
    const bool are_short = options.turn != 0 || request.virtual_cpu.schedule_seed != 0;
    if (options.by_eip < 0) options.by_eip = __builtin_cpu_is("amd") != 0 ? 1 : 0;
    options.bmi2 = options.bmi2 && __builtin_cpu_supports("bmi2") != 0;
    if (options.turn_margin < 0) options.turn_margin = are_short ? 0 : kTurnMargin;
    return options;
  }
  // An observer is shown tasks as the kernel lets them run.
  static VirtualCpuOptions HeldHere(const RunRequest& request) {
    VirtualCpuOptions options = request.virtual_cpu;
    if (IsObserved(request)) options.rules.Remove(VirtualRule::kSchedule);
    return options;
  }
  // Of a program that begins now.
  [[nodiscard]] bool KeepsOneMore() const { return store.IsOpen() && begun.size() < kMostKept; }
  static constexpr std::size_t kMostKept = 4;
  [[nodiscard]] bool HasLogs() const { return observer != nullptr || call_observer != nullptr; }

  const std::size_t most_tasks;
  const TranslationOptions options;
  VirtualMachine machine;
  const std::uint64_t proof = MakeProof();  // that a call is ours (call_filter.h)
  const bool may_take_turns;
  bool takes_turns = false;  // since it has several tasks, or a timer: one at a time (turns.h)
  const FileCache store;
  BlockObserver* const observer;  // nullptr: nobody wants to know
  CallObserver* const call_observer;
  std::vector<std::shared_ptr<CodeSpace>> begun;  // by programs, the first few: what they translate is kept
  RunCounts counts;
  bool hides_in_proc = false;  // the program has a /proc (guest_proc.cc)
  std::string saw_in_proc;     // a name for the first file of it, not the virtual machine's, that it opened; "" so far
  std::uint64_t memories = 0;  // so many memories there were: programs and forks
  Nanoseconds return_by{Nanoseconds::max()};  // when Watch looks at the limits next (monotonic clock)
  std::string violation;  // what the program did that translation does not allow; "" so far
  // Stops that were taken while their tasks were stopped (code_space.h) and that Watch is yet to see.
  PostponedStops* const postponed;
};

}  // namespace tally
