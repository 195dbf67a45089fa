// The shape of a sandbox's file system and rights, as sandboxes/ reads it from YAML and the supervisor
// builds it. Pure data: no file is opened here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "supervisor/api/virtual_cpu_options.h"

namespace tally {

enum class MountKind : std::uint8_t {
  kBind,       // a host directory or file; read-only unless `writable`
  kTmpfs,      // fresh for every run; `size` bytes at most
  kProc,       // a /proc of the run's own process namespace
  kDev,        // a minimal /dev: null zero full random urandom, and where there is a /proc the links fd/stdin/stdout/stderr into it
  kSymlink,    // `target` is a link to `source`
  kDirectory,  // an empty directory
};

struct Mount {
  MountKind kind = MountKind::kBind;
  std::string source;  // host path (kBind), link text (kSymlink)
  std::string target;  // absolute path inside the sandbox
  bool writable = false;
  bool optional = false;  // kBind: an absent source is skipped
  bool executable = true;
  Bytes size = Bytes::MiB(64);
  bool processes_only = false;  // kProc: nothing of the machine (proc(5), subset=pid), which is a millisecond cheaper than to cover it
};

// Which system calls the program may make. Every permission beyond the default is a named token, so that a
// reader of a sandbox description sees it (docs/isolation.md).
struct SyscallPermissions {
  bool processes = false;  // threads and children; implied by a process limit above 1
  bool file_writes = false;  // create, rename, remove files where the mounts allow it
  bool sockets = false;    // socket(2) and friends, in an empty network namespace of the run's own
  // Sockets reach what this machine reaches. No description can ask for it: an operator does (network_mode: host).
  bool host_network = false;
  bool i386 = false;       // 32-bit programs: i386 calls under the same policy
  bool any_other_is_enosys = false;  // unknown calls fail with ENOSYS, not RV: for language runtimes and tools
};

struct RootSpec {
  std::string name;       // "exec-sandbox"
  std::string base_root;  // "" = empty tmpfs; else a host directory that becomes the read-only root
  std::string hostname = "tally";
  std::vector<Mount> mounts;  // in order
  std::vector<std::string> env;  // "KEY=value", the program's whole environment unless the request adds to it
  std::string work_dir = "/box";  // where the program starts and its files are placed
  SyscallPermissions permissions;
  std::optional<std::uint64_t> random_seed;  // /dev/random and /dev/urandom are a file of bytes that this decides
  std::optional<CpuModel> processor;         // of /proc/cpuinfo, where /proc is mounted; else this machine's

  [[nodiscard]] bool ShowsProc() const {
    return std::any_of(mounts.begin(), mounts.end(), [](const Mount& mount) { return mount.kind == MountKind::kProc; });
  }
};

}  // namespace tally
