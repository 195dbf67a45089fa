#include "evaluation/bounded_folder.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {

// Whoever the program's user is may write into it: the mount is our own.
BoundedFolder::BoundedFolder(std::string path, Bytes size) : path_(std::move(path)) {
  EnterPrivateMounts();
  if (::mkdir(path_.c_str(), 0700) != 0) throw SystemError("mkdir " + path_, errno);
  const std::string options = fmt::format("mode=777,size={},nr_inodes=16k", size.count);
  if (::mount("tally", path_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options.c_str()) != 0) {
    throw SystemError("mount tmpfs on " + path_, errno);
  }
}

BoundedFolder::~BoundedFolder() {
  ::umount2(path_.c_str(), MNT_DETACH);
  ::rmdir(path_.c_str());
}

}  // namespace tally
