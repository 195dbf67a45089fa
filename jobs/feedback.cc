#include "jobs/feedback.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

// A validator's judgemessage.txt may be longer than what is kept of it, but not without bound.
constexpr std::size_t kLongestMessage = 64 << 10;

}  // namespace

std::string ReachableFile(const std::string& path, const TemporaryDirectory& directory, const char* name, Isolation isolation) {
  if (isolation == Isolation::kFull || !ProgramsChangeUser(isolation)) return path;
  LetProgramsPass(directory, isolation);
  const std::string copy = directory.File(name);
  ::unlink(copy.c_str());
  const Fd file = sys::Open(copy, O_WRONLY | O_CREAT | O_EXCL, 0644);
  ::fchmod(file.get(), 0644);  // whatever our umask is
  CopyInto(path, file.get(), copy);
  return copy;
}

std::string MakeFeedbackFolder(const TemporaryDirectory& directory, Isolation isolation) {
  LetProgramsPass(directory, isolation);
  const std::string folder = directory.File("feedback");
  if (::mkdir(folder.c_str(), 0755) != 0) throw SystemError("mkdir " + folder, errno);
  GiveFeedbackFolder(folder, isolation);
  return folder;
}

void GiveFeedbackFolder(const std::string& folder, Isolation isolation) {
  if (!ProgramsChangeUser(isolation)) return;
  if (const int error = ProcessExecutor().sandboxes().user().Own(folder)) throw SystemError("chown " + folder, error);
}

std::optional<std::string> ReadFeedback(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid() || !S_ISREG(sys::Stat(file.get(), path).st_mode)) return std::nullopt;
  std::string text(kLongestMessage, '\0');
  const ssize_t n = ::read(file.get(), text.data(), text.size());
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::optional<std::string> ReadPoints(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return ReadFeedback(path).value_or("(no regular file)");
}

CheckerRun::End HowItEnded(const RunResult& result) {
  switch (result.code) {
    case ResultCode::kOk:
    case ResultCode::kRe: return result.exit_code ? CheckerRun::End::kExited : CheckerRun::End::kSignaled;
    default: return CheckerRun::End::kStopped;
  }
}

}  // namespace tally
