// What calls do to a process's descriptors, and which file or socket each is about (merge.h says when).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "profile/timeline/call_table.h"
#include "profile/timeline/descriptors.h"
#include "profile/timeline/objects.h"
#include "profile/timeline/thread_cursor.h"

namespace tally {

// What a call has opened, to be given descriptors when it returns.
struct OpenedObjects {
  ObjectNumber first = kNoObject, second = kNoObject;
};

class CallEffects {
 public:
  explicit CallEffects(TimelineObjects* objects) : objects_(objects) {}

  // Whether it has a name, of a file or an address.
  static bool IsNamed(const CallRow& row);
  // Whether it opens something that has no descriptor before.
  static bool IsOpen(const CallRow& row);

  // What a descriptor stands for; it was open before unless the call failed for that.
  ObjectNumber ObjectOf(Descriptors* descriptors, const CallRow& row, std::uint64_t fd, std::int64_t result);
  // At the beginning of a call on `object`.
  OpenedObjects Begin(Descriptors* descriptors, const CallRow& row, const TimedCall& call, ObjectNumber object,
                      const std::optional<std::string>& name);
  // At its end; from an execve on the descriptors are the process's own.
  static void End(std::shared_ptr<Descriptors>* shared, const TimedCall& call, const OpenedObjects& opened);

 private:
  // As the program named it; beside another descriptor where it named that.
  [[nodiscard]] std::string PathOf(const Descriptors& descriptors, const TimedCall& call, const std::string& name);

  TimelineObjects* objects_;
};

}  // namespace tally
