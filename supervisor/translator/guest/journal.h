// What is noted down while code is emitted so that it can be laid elsewhere later (object_maker.h): which
// bytes belong together, and where in them stands a distance to something else. Everything else that is known
// of emitted code is kept by those who need it to run (fragments.h, branch_targets.h, inline_cache.h).
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/translator/cache/control_area.h"
#include "supervisor/x86/decode.h"

namespace tally {

class Journal {
 public:
  // Code that was emitted at one go: its part of the hot code and its part of the cold.
  struct Chain {
    GuestPc pc;
    HostPc hot, hot_end;
    HostPc cold, cold_end;
  };
  struct Site {
    enum class Kind : std::uint8_t {
      kEntry,  // leads to the translation whose key (linker.h) is `to`
      kCode,   // leads to the host address `to`
      kData,   // leads to data of the program, wherever the code lies
    };
    HostPc at;  // of 32 bits
    std::uint64_t to;
    Kind kind;
  };

  void Begin(GuestPc pc, HostPc hot, HostPc cold) { chains_.push_back({pc, hot, hot, cold, cold}); }
  void End(HostPc hot, HostPc cold) { chains_.back().hot_end = hot, chains_.back().cold_end = cold; }
  void Note(HostPc at, Site::Kind kind, std::uint64_t to = 0) { sites_.push_back({at, to, kind}); }

  // A distance of 32 bits to an offset in the task's page (Emitter::WithControl).
  void NoteControl(HostPc at) { controls_.push_back(at); }

  [[nodiscard]] const std::vector<Chain>& chains() const { return chains_; }
  [[nodiscard]] const std::vector<Site>& sites() const {
    return sites_;
  }  // of two with one address the later counts
  [[nodiscard]] const std::vector<HostPc>& controls() const { return controls_; }

 private:
  std::vector<Chain> chains_;
  std::vector<HostPc> controls_;
  std::vector<Site> sites_;
};

}  // namespace tally
