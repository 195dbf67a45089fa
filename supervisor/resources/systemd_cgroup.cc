#include "supervisor/resources/systemd_cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include "base/command.h"
#include "base/error.h"
#include "base/sys.h"
#include "supervisor/resources/cgroup_files.h"

namespace tally {
namespace {

constexpr const char* kUnit = "tally-runs.service";
constexpr const char* kKeeperLeaf = "keeper";
constexpr Nanoseconds kLongestCall = std::chrono::seconds(10);

// Removes what Tallys that are no more left in the unit's cgroup, $1, and ends when at two looks nothing was
// there. systemd makes ${ of $${ (systemd.service(5), "Command lines"), and would put variables of its own in place of that.
constexpr const char* kKeeper = R"(
idle=0
trap 'kill $!; exit 0' TERM
while sleep 120 & wait $!; do
  idle=$((idle + 1))
  for left in "$1"/tally-*; do
    pid=$${left##*/tally-}
    [ -d "/proc/$${pid%%-*}" ] || rmdir "$left" 2>/dev/null
    [ -d "$left" ] && idle=0
  done
  [ $idle -lt 2 ] || exit 0
done)";

bool IsRoot() { return ::geteuid() == 0; }

std::string RuntimeFolder() { return fmt::format("/run/user/{}", ::geteuid()); }

std::string UnitPath(const std::string& mount) {
  if (IsRoot()) return fmt::format("{}/tally.slice/{}", mount, kUnit);
  const uid_t uid = ::geteuid();
  return fmt::format("{0}/user.slice/user-{1}.slice/user@{1}.service/tally.slice/{2}", mount, uid, kUnit);
}

CommandEnd Ask(std::vector<std::string> words) {
  std::vector<std::string> environment;
  if (!IsRoot()) {
    words.insert(words.begin() + 1, "--user");
    environment.push_back("XDG_RUNTIME_DIR=" + RuntimeFolder());  // cron has none
  }
  return RunCommand(words, environment, kLongestCall);
}

// Type=exec: it is started once the keeper executes. Before that its process may be on the way into the unit's cgroup, by itself
// (systemd 254 and later), and could not enter that any more when we have divided it.
CommandEnd StartUnit(const std::string& path) {
  return Ask({"/usr/bin/systemd-run",
              "--quiet",
              "--collect",
              fmt::format("--unit={}", kUnit),
              "--slice=tally.slice",
              "--description=Keeps the cgroup in which Tally runs programs",
              "-p",
              "Type=exec",
              "-p",
              "Delegate=yes",
              "-p",
              "KillMode=process",
              "-p",
              "TasksMax=infinity",
              "-p",
              "OOMPolicy=continue",
              "--",
              "/bin/sh",
              "-c",
              kKeeper,
              "sh",
              path});
}

// All that lies directly in the unit steps aside, so that it may hand controllers on.
bool Divide(const std::string& path) {
  const std::string leaf = fmt::format("{}/{}", path, kKeeperLeaf);
  if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return false;
  if (!MoveAll(path, leaf)) return false;
  for (const char* const controller : {"memory", "pids", "cpu", "cpuset"}) HandOnController(path, controller);
  return true;
}

// The caller of the second of two Tallys that begin at the same time comes here while the first is still at
// it.
bool AwaitController(const std::string& path, std::string_view controller) {
  const Nanoseconds until = sys::MonotonicNow() + std::chrono::seconds(5);
  while (!HandsOn(path, controller)) {
    if (sys::MonotonicNow() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// systemd moves us into the unit. nullopt: done.
std::optional<std::string> Enter(const std::string& path) {
  const std::string leaf = fmt::format("tally-{}-self", ::getpid());
  const std::string directory = fmt::format("{}/{}", path, leaf);
  if (::mkdir(directory.c_str(), 0755) != 0 && errno != EEXIST)
    return fmt::format("mkdir {}: {}", directory, ErrnoText(errno));
  const CommandEnd end =
      Ask({"/usr/bin/busctl", "--quiet", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
           "org.freedesktop.systemd1.Manager", "AttachProcessesToUnit", "ssau", kUnit, "/" + leaf, "1",
           std::to_string(::getpid())});
  if (end.is_success) return std::nullopt;
  ::rmdir(directory.c_str());
  return "busctl: " + end.said;
}

bool IsWithin(const std::string& mount, const std::string& path) {
  const std::optional<std::string> own = OwnCgroupPath();
  return own && (mount + *own).starts_with(path + "/");
}

}  // namespace

bool IsDelegatedBySystemd(const std::string& cgroup) {
  for (const char* const name : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (::getxattr(cgroup.c_str(), name, &value, 1) == 1 && value == '1') return true;
  }
  return false;
}

std::optional<std::string> SystemdCgroup(const std::string& mount, std::string_view controller,
                                         std::string* why) {
  if (!IsRoot() && ::access(RuntimeFolder().c_str(), F_OK) != 0) {
    *why = fmt::format(
        "no systemd of this user's runs (`loginctl enable-linger` as this user starts it for good)");
    return std::nullopt;
  }
  const std::string path = UnitPath(mount);
  if (!HandsOn(path, controller)) {
    const CommandEnd started = StartUnit(path);
    const bool is_ours = started.is_success && Divide(path);
    if (!(is_ours ? HandsOn(path, controller) : AwaitController(path, controller))) {
      *why = started.is_success ? fmt::format("{} has no {} controller", path, controller)
                                : "systemd-run: " + started.said;
      return std::nullopt;
    }
  }
  if (IsRoot() || IsWithin(mount, path)) return path;
  if (const auto problem = Enter(path)) {
    *why = *problem;
    return std::nullopt;
  }
  return path;
}

}  // namespace tally
