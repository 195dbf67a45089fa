// Which system call is which event of the timeline, as one table: what it is called, which resource its time goes to,
// which argument is the descriptor, what its result counts, and what it does to descriptors. A call that is not in the
// table uses no resource: it is counted, its time is the processor's, and it makes no event.
//
// Sources: the manual pages of the calls, section 2.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "profile/timeline/resource.h"

namespace tally {

// What is behind a descriptor.
enum class ObjectKind : std::uint8_t {
  kFile,      // and folders; files that nobody has a name for (memfd)
  kPipe,
  kSocket,
  kTerminal,
  kDevice,
  kEvent,     // eventfd, timerfd, signalfd, epoll, inotify, pidfd
  kUnknown,   // a descriptor that came from where nobody saw it
};
inline constexpr std::size_t kObjectKinds = 7;
std::string_view Name(ObjectKind kind);

enum class Amount : std::uint8_t {
  kNone,
  kRead,     // the result is bytes read
  kWritten,  // the result is bytes written
  kMoved,    // the result is bytes read from `source` and written to `descriptor`
};

// What a call does to the descriptors, where it succeeds.
enum class Effect : std::uint8_t {
  kNone,
  kOpen,        // the result is a descriptor of what was named
  kDuplicate,   // the result is another descriptor of the same
  kControl,     // fcntl, ioctl: duplicates, or sets close-on-exec
  kClose,
  kCloseRange,
  kPipe,        // two descriptors, the lowest that are free
  kSocket,
  kSocketPair,  // as kPipe
  kAccept,
  kConnect,     // the socket has a name from now on
  kBind,
  kEvent,       // the result is a descriptor of kind kEvent
  kMemory,      // memfd
  kExecute,     // what is close-on-exec is closed
};

struct CallRow {
  std::uint32_t number;
  std::string_view event;  // whole, "wait.futex"; or behind the object's kind: "read" is "file.read" or "pipe.read"
  Resource resource;       // where the event is whole; else the object's kind decides (ResourceOf)
  int descriptor = -1;     // which argument; -1: none
  Amount amount = Amount::kNone;
  Effect effect = Effect::kNone;
  int source = -1;         // which argument, for kMoved
  int flags = -1;          // which argument says close-on-exec; -1: none
  std::uint64_t close_on_exec = 0;  // that flag
};

// nullptr: it uses no resource, and changes no descriptor.
const CallRow* RowOf(std::uint64_t number);
std::span<const CallRow> CallTable();

// Whether the row is an event at all with these arguments: a futex that wakes others is none.
bool IsEvent(const CallRow& row, const std::uint64_t (&arguments)[3]);
// "file.read", for a descriptor of that kind; `resource` as ResourceOf says.
std::string EventName(const CallRow& row, ObjectKind kind, Resource resource);
// Reading from a pipe, a terminal or an eventfd is waiting for who writes; all of a socket is network.
Resource ResourceOf(const CallRow& row, ObjectKind kind, const std::uint64_t (&arguments)[3]);

}  // namespace tally
