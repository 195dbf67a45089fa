// Code of the program at its addresses, the translations of it, and the counter pages of the tasks that execute it.
// Threads share one code space, and so do processes by fork, as long as none of them changes code (guest_unshare.cc); a
// new program (execve) gets one of its own.
//
// Theory of operation. Tasks run the same code cache at the same time. While one stands at a trap the supervisor
// translates for it and patches jumps that others may be executing; each patch is one aligned store (emitter.h), after
// which another task takes the old way, to the trap, or the new one. To forget translations is not possible that way:
// then all others are stopped, each at a guest instruction, and sent on in the new translations (StoppedWorld).
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/shared_memory.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/emit/translator.h"
#include "supervisor/translator/guest/guest_code.h"
#include "supervisor/translator/guest/task_log.h"

namespace tally {

class Guest;
struct TranslatedRun;

class CodeSpace {
 public:
  // `memory` is MemorySize(run.most_tasks, ...) bytes, zero, and mapped by nobody yet.
  CodeSpace(SharedMemory memory, const TranslatedRun& run);
  CodeSpace(const CodeSpace&) = delete;
  CodeSpace& operator=(const CodeSpace&) = delete;
  static std::size_t MemorySize(std::size_t tasks, bool logs) { return kControlOffset + ControlArea::SizeFor(tasks, logs); }
  static constexpr std::uint64_t kControlOffset = CodeCache::kSize;

  [[nodiscard]] GuestCode& code() { return code_; }
  [[nodiscard]] const GuestCode& code() const { return code_; }
  [[nodiscard]] CodeCache& cache() { return cache_; }
  [[nodiscard]] const CodeCache& cache() const { return cache_; }
  [[nodiscard]] const ControlArea& control() const { return control_; }
  [[nodiscard]] Translator& translator() { return translator_; }
  // Before anything is translated. The memory's descriptor stays open for the few that take kept translations.
  void Begin(bool keeps_file) {
    translator_.Begin();
    if (!keeps_file) memory_.CloseFile();
  }
  // Makes `calls` in a stopped task. Their words lie where the next translation will.
  void Make(const CallSeries& calls, const Injector& injector);
  // Must translations be forgotten before the next is made? Not while tasks are stopped: the task that stops them does it.
  [[nodiscard]] bool MustForget() const;
  [[nodiscard]] bool IsWorldStopped() const { return world_stops_ != 0; }
  [[nodiscard]] std::size_t tasks() const { return guests_.size(); }
  // Those of one memory, that is of one process or one that waits in vfork for another.
  [[nodiscard]] std::vector<Guest*> GuestsIn(std::uint64_t memory) const;

  // The stopped task in whose name memory is read and system calls are made from now on.
  void ActAs(pid_t tid);

  // `guest` begins to run here: its page.
  CounterPage Enter(Guest* guest);
  // Of the task that counts there.
  [[nodiscard]] TaskLog LogOf(const CounterPage& page) const { return control_.Log(IndexOf(page)); }
  void Leave(Guest* guest);

  // While it lives, no task but `by` executes anything; afterwards they are as they would be in new translations.
  // `memory`: only tasks of that one.
  class StoppedWorld {
   public:
    StoppedWorld(CodeSpace* space, const Guest* by, std::optional<std::uint64_t> memory = std::nullopt);
    ~StoppedWorld();
    StoppedWorld(const StoppedWorld&) = delete;
    StoppedWorld& operator=(const StoppedWorld&) = delete;

   private:
    CodeSpace* space_;
    std::vector<Guest*> stopped_;
  };

 private:
  [[nodiscard]] std::size_t IndexOf(const CounterPage& page) const {
    return (page.address() - control_.address()) / control::kPageBytes;
  }

  SharedMemory memory_;
  GuestCode code_;
  CodeCache cache_;
  ControlArea control_;
  Translator translator_;
  std::vector<Guest*> guests_;
  std::vector<bool> page_used_;
  const std::uint64_t proof_;  // that a call is ours (call_filter.h)
  const FilesOfRun& files_;    // of the run, which outlives this
  int world_stops_ = 0;
};

}  // namespace tally
