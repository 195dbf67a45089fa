// The parent of cgroups: on files of a test's own, and on this machine's version 2 with whatever controller it has.
#include "supervisor/resources/cgroup_parent.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// As if this machine had no systemd, which might be asked for another cgroup.
CgroupFiles WithoutSystemd() {
  CgroupFiles files;
  files.systemd = "";
  return files;
}

std::string Found(const ScratchFolder& folder, const std::string& own, const std::string& controller) {
  const CgroupFiles files{folder.path(), folder.Write("own", own), ""};
  std::string why;
  const auto parent = FindCgroupParent(controller, &why, files);
  if (!parent) return why;
  return fmt::format("v{} {}", parent->version, std::filesystem::relative(parent->directory, folder.path()).string());
}

TEST_CASE("cgroup parent: version 1 has it below our own cgroup of that controller, however they are combined") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder.path() + "/cpu/a/b");
  CHECK(Found(folder, "4:memory:/m\n3:cpu,cpuacct:/a/b\n0::/\n", "cpu") == "v1 cpu/a/b");
  CHECK(Found(folder, "3:cpuacct,cpu:/a\n", "cpu") == "v1 cpu/a");
  CHECK(Found(folder, "3:cpu:/\n", "cpu") == "v1 cpu");
  CHECK(Found(folder, "3:cpuset:/a\n", "cpu") == "no cpu controller is delegated to this user");
  CHECK(Found(folder, "", "cpu") == "no cpu controller is delegated to this user");
}

TEST_CASE("cgroup parent: in a container, whose path is the host's, version 1 has it in the tree that is to be seen") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder.path() + "/memory");
  CHECK(Found(folder, "4:memory:/docker/0123\n", "memory") == "v1 memory");
}

TEST_CASE("cgroup parent: version 2 has it where the controller is handed on already, and above a leaf of ours") {
  const ScratchFolder folder;
  folder.Write("service/cgroup.controllers", "cpu memory pids\n");
  folder.Write("service/cgroup.subtree_control", "cpu memory\n");
  folder.Write("cgroup.controllers", "cpu memory pids\n");
  CHECK(Found(folder, "0::/service\n", "cpu") == "v2 service");
  CHECK(Found(folder, "0::/service/tally-123-self\n", "memory") == "v2 service");
  CHECK(Found(folder, "0::/service\n", "io") == "no io controller is delegated to this user");
}

TEST_CASE("cgroup parent: version 2 beside version 1 is asked first, for what it has") {
  const ScratchFolder folder;
  folder.Write("unified/cgroup.controllers", "pids\n");
  folder.Write("unified/cgroup.subtree_control", "pids\n");
  std::filesystem::create_directories(folder.path() + "/cpu");
  CHECK(Found(folder, "3:cpu:/\n0::/\n", "pids") == "v2 unified");
  CHECK(Found(folder, "3:cpu:/\n0::/\n", "cpu") == "v1 cpu");
}

// A cgroup of version 2 made for a test, and `work` in a process in it.
class Delegated {
 public:
  Delegated() {
    before_ = OwnCgroup().value_or("");
    std::istringstream words(sys::TryReadFile(before_ + "/cgroup.controllers").value_or(""));
    if (!(words >> controller_)) return;
    std::string why;
    const auto parent = FindCgroupParent(controller_, &why, WithoutSystemd());
    if (!parent || parent->version != 2) return;
    const std::string path = fmt::format("{}/test-{}", parent->directory, ::getpid());
    if (::mkdir(path.c_str(), 0755) == 0) path_ = path;
  }
  ~Delegated() {
    if (!path_.empty()) RemoveCgroups(path_);
    const std::string leaf = OwnCgroup().value_or("");
    if (leaf != before_ && sys::TryWriteFile(before_ + "/cgroup.procs", "0")) RemoveCgroups(leaf);
  }
  Delegated(const Delegated&) = delete;
  Delegated& operator=(const Delegated&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }  // "": there is none
  [[nodiscard]] const std::string& controller() const { return controller_; }

  void Within(const std::function<void()>& work) const {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const bool in = sys::TryWriteFile(path_ + "/cgroup.procs", "0");
      if (in) work();
      ::_exit(in ? 0 : 1);
    }
    int status = -1;
    ::waitpid(pid, &status, 0);
    CHECK(status == 0);
  }

 private:
  std::string before_, controller_, path_;
};

TEST_CASE("cgroup parent: in a delegated cgroup of version 2 we step aside, and so does what we start; the sweep leaves nothing") {
  const Delegated delegated;
  if (delegated.path().empty()) {
    TALLY_SKIP("no cgroup of version 2 with a controller can be made here");
  }
  const ScratchFolder told;
  delegated.Within([&] {
    std::string why;
    const auto parent = FindCgroupParent(delegated.controller(), &why, WithoutSystemd());
    const std::string leaf = OwnCgroup().value_or("");
    told.Write("first", fmt::format("{} {} in {}", parent ? parent->version : 0, parent ? parent->directory : why, leaf.substr(delegated.path().size())));
    const pid_t child = ::fork();
    if (child == 0) {
      const auto beside = FindCgroupParent(delegated.controller(), &why, WithoutSystemd());
      told.Write("second", beside ? beside->directory : why);
      const std::string limited = delegated.path() + fmt::format("/tally-limited-{}", ::getpid());
      const bool in = ::mkdir(limited.c_str(), 0755) == 0 && sys::TryWriteFile(limited + "/cgroup.procs", "0");
      const auto nested = FindCgroupParent(delegated.controller(), &why, WithoutSystemd());
      told.Write("third", in && nested && nested->directory == limited ? "in its own" : why);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  });
  const std::string first = sys::ReadFile(told.path() + "/first");
  CHECK(first.find("2 " + delegated.path() + " in /tally-") == 0);
  CHECK(sys::ReadFile(told.path() + "/second") == delegated.path());
  CHECK(sys::ReadFile(told.path() + "/third") == "in its own");
  SweepCgroups(delegated.path(), "tally-limited-");
  SweepCgroups(delegated.path(), "tally-");
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(delegated.path())) left += entry.is_directory() ? 1 : 0;
  CHECK(left == 0);
}

// Somebody else in the cgroup of who makes one, until that ends.
class Stranger {
 public:
  Stranger() {
    int hold[2];
    if (::pipe(hold) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(hold[1]);
      char byte;
      ::_exit(::read(hold[0], &byte, 1) == 0 ? 0 : 1);
    }
    ::close(hold[0]);
    held_ = hold[1];
  }
  ~Stranger() {
    ::close(held_);
    ::waitpid(pid_, nullptr, 0);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

 private:
  int held_ = -1;
  pid_t pid_ = -1;
};

TEST_CASE("cgroup parent: in the root of a container's cgroup namespace, which is the container's own, others step aside with us") {
  const Delegated delegated;
  if (delegated.path().empty() || ::geteuid() != 0) TALLY_SKIP("no cgroup of version 2 with a controller can be made here, or no namespace");
  const ScratchFolder told;
  const std::string mount = told.path() + "/cgroup";
  delegated.Within([&] {
    const Stranger stranger;
    if (::mkdir(mount.c_str(), 0755) != 0 || ::unshare(CLONE_NEWNS | CLONE_NEWCGROUP) != 0) return;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 || ::mount("cgroup2", mount.c_str(), "cgroup2", 0, nullptr) != 0) return;
    CgroupFiles files = WithoutSystemd();
    files.mount = mount;
    std::string why;
    const auto parent = FindCgroupParent(delegated.controller(), &why, files);
    told.Write("parent", parent ? parent->directory : why);
    told.Write("left", sys::ReadFile(mount + "/cgroup.procs"));
  });
  CHECK(sys::ReadFile(told.path() + "/parent") == mount);
  CHECK(sys::ReadFile(told.path() + "/left").empty());
}

TEST_CASE("cgroup parent: where a process that is not ours stays behind, version 2 gives none, and we are back in our place") {
  const Delegated delegated;
  if (delegated.path().empty()) {
    TALLY_SKIP("no cgroup of version 2 with a controller can be made here");
  }
  const ScratchFolder told;
  delegated.Within([&] {
    const Stranger stranger;
    std::string why;
    const auto parent = FindCgroupParent(delegated.controller(), &why, WithoutSystemd());
    told.Write("parent", parent ? parent->directory : "none");
    told.Write("own", OwnCgroup().value_or(""));
  });
  CHECK(sys::ReadFile(told.path() + "/parent") == "none");
  CHECK(sys::ReadFile(told.path() + "/own") == delegated.path());
}

TEST_CASE("cgroup parent: what an owner in another namespace of processes has made stays, whatever its number means here") {
  const ScratchFolder folder;
  constexpr int kNobody = 0x3fffffff;  // above every number that the kernel gives (pid_max)
  const std::string gone = fmt::format("tally-{}-0", kNobody);
  for (const std::string& name : {gone, gone + NamespaceMark(), gone + "-ns1", fmt::format("tally-{}-0-ns1", ::getpid())}) {
    REQUIRE(::mkdir((folder.path() + "/" + name).c_str(), 0755) == 0);
  }
  SweepCgroups(folder.path(), "tally-");
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) left.insert(entry.path().filename());
  CHECK(left == std::set<std::string>{gone + "-ns1", fmt::format("tally-{}-0-ns1", ::getpid())});
}

}  // namespace
}  // namespace tally
