// The three faults never mix. What a *program* did is a value (RunResult), never an exception.
// A *user's* mistake is a UserError: one clear sentence, exit status 1. Our or the *host's* failure is a
// SystemError: the failing call and its errno, exit status 2. Both are thrown where they are found and
// caught once, in main or at the border of a job.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tally {

// Exit statuses of every Tally executable (docs/results.md).
inline constexpr int kExitJobRan = 0;
inline constexpr int kExitUserError = 1;
inline constexpr int kExitSystemError = 2;
inline constexpr int kExitNotAsExpected = 3;  // --expect, and what `tally verify` and `verify-counts` find

class UserError : public std::runtime_error {
 public:
  // Sentences quote what users and their files say. One line it stays whatever that is: line ends and other control
  // characters become '?', so that nobody forges a line of ours or writes to a terminal.
  explicit UserError(const std::string& sentence);
  // With what a tool said about it, as it said it, in lines of its own.
  UserError(const std::string& sentence, const std::string& details);
};

class SystemError : public std::runtime_error {
 public:
  // `call` names what failed with its subject: "mount /proc in the sandbox". `error` is an errno, or 0
  // when there is none to tell.
  SystemError(std::string_view call, int error);
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  int error_;
};

// Somebody wants us to stop (SIGINT, SIGTERM, SIGHUP): unwinds to main, so that everything is released, and is no
// std::exception, so that nobody takes it for a failure of one test and goes on.
struct Interrupted {
  int signal;
};

// `text` as it is said to people on `descriptor`: printable, and no wider than a terminal there.
std::string Complaint(std::string_view text, int descriptor);
// A line on stderr for people. That it does not arrive there (a full disk, a terminal that is gone) is no second failure.
void Complain(const std::string& line) noexcept;

// "No such file or directory"; thread-safe, unlike strerror.
std::string ErrnoText(int error);

}  // namespace tally
