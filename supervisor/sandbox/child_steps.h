// The child's side of child_setup.h: the steps from clone to execve, in the order in which they are taken. Nothing here
// allocates or throws; a step that fails says so on the channel and exits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/launch.h"

namespace tally {

enum class Step : std::int32_t {
  kDieWithSupervisor,
  kNewSession,
  kHostname,
  kEnterNetwork,
  kRunMount,
  kEnterMounts,
  kEnterRoot,
  kPivotRoot,
  kDetachOldRoot,
  kWorkDirectory,
  kNumbers,
  kSpawn,
  kStreams,
  kCloseDescriptors,
  kResourceLimits,
  kSecureBits,
  kEnterUserNamespace,
  kCgroupNamespace,
  kDropGroups,
  kDropIds,
  kDropCapabilities,
  kNoNewPrivileges,
  kPersonality,
  kTimeStamps,
  kLandlock,
  kReady,
  kHideInit,
  kFilters,
  kExecve,
};
const char* StepText(Step step);

struct StepMessage {
  enum Kind : std::int32_t { kReady, kFailed, kEmpty, kNotEmpty } kind;  // the last two: an init's processes, when asked
  Step step;
  std::int32_t detail;  // which mount, which rlimit; when ready: ReadyFlags
  std::int32_t error;
};

// What the supervisor says to an init that stays.
enum InitOrder : char { kStartNext = 'n', kReap = 'r', kAreYouAlone = 'a' };

enum ReadyFlags : std::int32_t { kInCgroup = 1, kInNewNamespace = 2 };

// What the program's start needs open: its 0, 1, 2, and its cgroup, or -1. An init that stays gets them with what the
// supervisor says to it.
struct ProgramDescriptors {
  std::array<int, 3> streams;
  int cgroup;
};
// Of the four, in front, those that are there.
inline std::size_t BytesOf(const ProgramDescriptors& all) { return all.cgroup < 0 ? sizeof all.streams : sizeof all; }

// What the child reads. Of `plan` it reads what is init's; `launch` is the program's, and another one for each that init starts.
struct Prepared {
  const ChildPlan* plan;
  const Launch* launch;
  const char* program;  // at kLaunchPath
  int reused_mounts;      // a mount namespace to enter, or -1
  int user_namespace;   // the program's to enter, or -1
  int last_pid;         // what the next process's number follows (ns_last_pid), for an init that stays, or -1
  bool new_namespace;   // it is born in one of its own instead, whose maps the supervisor writes before Go
  uid_t uid;            // with drop_ids: the program's ids, as they are in there
  gid_t gid;
  uid_t host_uid;       // and on the machine
  gid_t host_gid;
  std::vector<std::string> mount_targets;
  std::vector<std::string> mount_options;
  std::vector<std::string> processor_targets;  // where the file in the place of cpuinfo goes, of each /proc; else ""
  struct Cover {
    std::string target;
    bool is_directory;
  };
  std::vector<std::vector<Cover>> covers;  // of each /proc: what is not to be seen (hidden_proc.h)
  ProgramDescriptors open;
  bool cloned_into_cgroup;
  bool full;            // namespaces and a root of its own
  bool drop_ids;        // we are root on the host: become the sandbox's user
  bool drop_privileges;  // all but unsafe runs
  bool shows_proc;      // the program sees init there
  bool init_stays;      // to start the next programs too (reused_init.h)
  bool waits;           // and the first one
  int channel, supervisors_end;  // of the socket
  std::unique_ptr<std::byte[]> own_launch;  // of an init that has no room for others
};

// At kLaunchPath, which the supervisor has mapped.
inline constexpr std::size_t kLaunchPathRoom = 8 << 10;

// What a new process of ours does.
[[noreturn]] void RunChild(Prepared& p);

}  // namespace tally
