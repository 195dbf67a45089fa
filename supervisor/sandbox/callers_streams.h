// What a program does to the streams that it was given stays its own.
//
// Theory of operation. A descriptor that a program inherits leads to the caller's file. Where a sandbox shows /proc, the link
// /proc/self/fd/0 opens that file anew with all that the program's user may do: an ordinary user's program could rewrite the input that the
// next one is judged by. So stdin is then another descriptor of the same file, opened through a mount of its own that is read-only:
// writing by the link is EROFS. A file that has no name any more is copied into sealed memory (memfd_create(2)).
//
// A run that is given no stream has /dev/null, opened for it alone: flags and locks end with it. It too is opened through a read-only mount
// where one can be made, so that its times on this machine stay as they are (futimens(3)).
//
// Flags of a descriptor (F_SETFL) and the size of a pipe belong to what it leads to, so they would outlive the run: they are as before
// when this ends.
#pragma once

#include "base/fd.h"

namespace tally {

// The input at `fd`, from where that stands, behind which nobody can write; invalid: it is no file, and `fd` itself will do.
Fd ReadOnlyInput(int fd);

Fd OpenNull();

class CallersStream {
 public:
  explicit CallersStream(int fd);
  ~CallersStream();
  CallersStream(const CallersStream&) = delete;
  CallersStream& operator=(const CallersStream&) = delete;

 private:
  int fd_;
  int flags_;
  int pipe_size_;
};

}  // namespace tally
