#include "jobs/named_files.h"

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

NamedFiles::NamedFiles(std::string folder, std::string input, std::string output, Isolation isolation)
    : folder_(std::move(folder)), input_(std::move(input)), output_(std::move(output)), isolation_(isolation) {
  if (::mkdir(folder_.c_str(), 0755) != 0) throw SystemError("mkdir " + folder_, errno);
  if (has_input()) sys::Open(folder_ + "/" + input_, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (has_output()) sys::Open(output_path(), O_WRONLY | O_CREAT | O_EXCL, 0644);
}

std::vector<PlacedFile> NamedFiles::Placed() const {
  std::vector<PlacedFile> placed;
  if (has_input()) placed.push_back({folder_ + "/" + input_, "/box/" + input_});
  if (has_output()) placed.push_back({output_path(), "/box/" + output_, true});
  return placed;
}

void NamedFiles::Prepare(const std::string& input) const {
  if (has_output()) {
    if (::truncate(output_path().c_str(), 0) != 0) throw SystemError("truncate " + output_path(), errno);
    const int error = ProgramsChangeUser(isolation_) ? ProcessExecutor().sandboxes().user().Own(output_path()) : 0;
    if (error != 0) throw SystemError("chown " + output_path(), error);
  }
  if (!has_input()) return;
  const std::string path = folder_ + "/" + input_;
  CopyInto(input, sys::Open(path, O_WRONLY | O_TRUNC).get(), path);
}

}  // namespace tally
