#include "sandboxes/sandbox_spec.h"

#include <filesystem>

#include "base/error.h"
#include "sandboxes/sandbox_store.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

SandboxSpec Read(const std::string& text, const std::string& file = "s.yaml") {
  return ReadSandboxSpec(YamlMap::FromText(text, file), "s");
}

const Mount* MountAt(const RootSpec& root, std::string_view target) {
  for (const Mount& mount : root.mounts) {
    if (mount.target == target) return &mount;
  }
  return nullptr;
}

TEST_CASE("sandbox: every kind of mount, in the order of the file", "[sandboxes]") {
  const ScratchFolder scratch;
  const SandboxSpec spec = Read(
      "title: All\nhostname: box\nwork_dir: /play/\n"
      "mounts:\n"
      "  - bind: " +
      scratch.path() +
      "\n    at: //data/./x/\n    writable: yes\n    executable: no\n"
      "  - bind: /no/such/folder\n    optional: yes\n"
      "  - tmpfs: /tmp\n    size: 16M\n    executable: no\n"
      "  - proc: /proc\n  - dev: /dev\n  - symlink: /bin\n    to: usr/bin\n  - directory: /box\n"
      "environment: {PATH: /bin, LC_ALL: C}\n"
      "permissions: [processes, i386]\n");
  const RootSpec& root = spec.root;
  CHECK(root.name == "s");
  CHECK(root.hostname == "box");
  CHECK(root.work_dir == "/play");
  CHECK(root.env == std::vector<std::string>{"PATH=/bin", "LC_ALL=C"});
  REQUIRE(root.mounts.size() == 6);
  CHECK(root.mounts[0].kind == MountKind::kBind);
  CHECK(root.mounts[0].source == scratch.path());
  CHECK(root.mounts[0].target == "/data/x");
  CHECK(root.mounts[0].writable);
  CHECK_FALSE(root.mounts[0].executable);
  CHECK(root.mounts[1].kind == MountKind::kTmpfs);
  CHECK(root.mounts[1].size == Bytes::MiB(16));
  CHECK(root.mounts[2].kind == MountKind::kProc);
  CHECK(root.mounts[3].kind == MountKind::kDev);
  CHECK(root.mounts[4].kind == MountKind::kSymlink);
  CHECK(root.mounts[4].source == "usr/bin");
  CHECK(root.mounts[5].kind == MountKind::kDirectory);
  CHECK(root.permissions.processes);
  CHECK(root.permissions.i386);
  CHECK_FALSE(root.permissions.file_writes);
  CHECK_FALSE(root.permissions.sockets);
}

TEST_CASE("sandbox: a host mount copies this machine's shape, link or folder or nothing", "[sandboxes]") {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.path() + "/folder");
  std::filesystem::create_symlink("folder", scratch.path() + "/link");
  const SandboxSpec spec =
      Read("title: t\nmounts:\n  - host: " + scratch.path() + "/folder\n  - host: " + scratch.path() +
           "/link\n  - host: " + scratch.path() + "/absent\n");
  REQUIRE(spec.root.mounts.size() == 2);
  CHECK(spec.root.mounts[0].kind == MountKind::kBind);
  CHECK_FALSE(spec.root.mounts[0].writable);
  CHECK(spec.root.mounts[1].kind == MountKind::kSymlink);
  CHECK(spec.root.mounts[1].source == "folder");
  CHECK(spec.root.mounts[1].target == scratch.path() + "/link");
}

TEST_CASE("sandbox: mistakes name place, key, what was found and what was expected", "[sandboxes]") {
  struct Example {
    const char* text;
    const char* message;
  };
  const Example examples[] = {
      {"mounts: []\n", "s.yaml:1:1: title: missing; expected text"},
      {"title: t\n", "s.yaml:1:1: mounts: missing; expected mounts, or a root"},
      {"title: t\nmount: []\n",
       "s.yaml:2:1: mount: unknown key (did you mean \"mounts\"?); expected one of: title, hostname, "
       "work_dir, root, "
       "mounts, environment, permissions"},
      {"title: t\nmounts: /usr\n",
       "s.yaml:2:9: mounts: found \"/usr\"; expected a list of entries, each after a dash"},
      {"title: t\nmounts:\n  - /usr\n",
       "s.yaml:3:5: mounts: found \"/usr\"; expected keys with values after the dash"},
      {"title: t\nmounts:\n  - tmfs: /tmp\n",
       "s.yaml:3:5: mounts.tmfs: unknown key (did you mean \"tmpfs\"?); expected one of: host, bind, tmpfs, "
       "proc, dev, "
       "symlink, directory"},
      {"title: t\nmounts:\n  - {}\n",
       "s.yaml:3:5: mounts: an entry without keys; expected one of: host, bind, tmpfs, proc, dev, symlink, "
       "directory"},
      {"title: t\nmounts:\n  - tmpfs: /tmp\n    bind: /usr\n",
       "s.yaml:3:12: mounts.tmpfs: found beside bind; expected one of the two, each entry is one mount"},
      {"title: t\nmounts:\n  - tmpfs: tmp\n",
       "s.yaml:3:12: mounts.tmpfs: found \"tmp\"; expected an absolute path inside the sandbox, without .."},
      {"title: t\nmounts:\n  - tmpfs: /a/../../b\n",
       "s.yaml:3:12: mounts.tmpfs: found \"/a/../../b\"; expected an absolute path inside the sandbox, "
       "without .."},
      {"title: t\nmounts:\n  - bind: /usr\n    at: /\n",
       "s.yaml:4:9: mounts.at: found \"/\"; expected an absolute path inside the sandbox, without .."},
      {"title: t\nmounts:\n  - bind: usr\n",
       "s.yaml:3:11: mounts.bind: found \"usr\"; expected an absolute path on this machine"},
      {"title: t\nmounts:\n  - bind: /no/such\n",
       "s.yaml:3:11: mounts.bind: /no/such cannot be mounted: No such file or directory; expected a folder "
       "or file of "
       "this machine (or add optional: yes)"},
      {"title: t\nmounts:\n  - tmpfs: /tmp\n    size: big\n",
       "s.yaml:4:11: mounts.size: \"big\" is not a size: write a number with b, k, M or G, like 64M"},
      {"title: t\nmounts:\n  - tmpfs: /tmp\n    size: 0\n",
       "s.yaml:4:11: mounts.size: found 0; expected a size above 0, like 64M"},
      {"title: t\nmounts:\n  - proc: /other\n", "s.yaml:3:11: mounts.proc: found \"/other\"; expected /proc"},
      {"title: t\nmounts:\n  - symlink: /a\n", "s.yaml:3:5: mounts.to: missing; expected text"},
      {"title: t\nmounts:\n  - tmpfs: /tmp\n  - directory: /tmp/\n",
       "s.yaml:4:5: mounts: /tmp is mounted twice; expected one mount at each place"},
      {"title: t\nmounts: [{dev: /dev}]\npermissions: [processes, socket]\n",
       "s.yaml:3:26: permissions: found \"socket\" (did you mean \"sockets\"?); expected one of: processes, "
       "file_writes, "
       "sockets, i386, any_other_is_enosys"},
      {"title: t\nmounts: [{dev: /dev}]\nenvironment: {A=B: c}\n",
       "s.yaml:3:14: environment: found the name \"A=B\"; expected a variable's name without ="},
      {"title: t\nroot: {directory: /no/such}\n",
       "s.yaml:2:19: root.directory: /no/such: No such file or directory; expected a folder with a root file "
       "system"},
      {"title: t\nroot: {directory: /etc/passwd}\n",
       "s.yaml:2:19: root.directory: /etc/passwd is a file; expected a folder (for a tar archive write "
       "archive: and "
       "sha256:)"},
      {"title: t\nroot: {}\n", "s.yaml:2:7: root.directory: missing; expected text"},
      {"title: t\nroot: {archive: a.tar}\n", "s.yaml:2:7: root.sha256: missing; expected text"},
      {"title: t\nroot: {archive: a.tar, sha256: abc}\n",
       "s.yaml:2:32: root.sha256: this is not a SHA-256 sum; expected the 64 hexadecimal digits that "
       "sha256sum prints"},
      {"title: t\nroot: {archive: a.tar, directory: /x}\n",
       "s.yaml:2:35: root.directory: found beside archive; expected one of the two"},
  };
  for (const Example& example : examples) {
    CAPTURE(example.text);
    CHECK_THROWS_WITH(Read(example.text), example.message);
  }
}

TEST_CASE("sandbox: a root beside its description is found from any working directory", "[sandboxes]") {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.path() + "/image");
  const SandboxSpec spec = Read("title: t\nroot: {directory: image}\n", scratch.path() + "/s.yaml");
  CHECK(spec.root.base_root == scratch.path() + "/image");
}

TEST_CASE("sandboxes: all shipped descriptions load, and the strict ones permit nothing", "[sandboxes]") {
  const SandboxStore store(DescriptionFolders({std::string(TALLY_SOURCE_DIR) + "/sandboxes"}),
                           ImageStore("/nowhere"));
  std::vector<std::string> names;
  for (const DescriptionFile& file : store.List()) {
    CAPTURE(file.path);
    names.push_back(file.name);
    const RootSpec root = store.Get(file.name);
    CHECK(MountAt(root, "/usr") != nullptr);
    CHECK(MountAt(root, "/dev") != nullptr);
    CHECK(MountAt(root, "/tmp") != nullptr);
    CHECK(MountAt(root, "/home") == nullptr);
    CHECK_FALSE(root.permissions.sockets);
    for (const Mount& mount : root.mounts) CHECK((mount.kind == MountKind::kTmpfs || !mount.writable));
  }
  CHECK(names == std::vector<std::string>{"checker-sandbox", "compiler-default", "evaluation-sandbox", "exec-sandbox",
                                          "interpreter-sandbox", "vcpu_exec-sandbox"});
  CHECK(MountAt(store.Get("evaluation-sandbox"), "/proc") == nullptr);  // a runner's open files are found there
  for (const char* strict : {"exec-sandbox", "vcpu_exec-sandbox"}) {
    const RootSpec root = store.Get(strict);
    CHECK(MountAt(root, "/proc") == nullptr);
    CHECK(MountAt(root, "/etc") == nullptr);
    CHECK_FALSE(root.permissions.processes);
    CHECK_FALSE(root.permissions.file_writes);
    CHECK_FALSE(root.permissions.i386);
    CHECK_FALSE(root.permissions.any_other_is_enosys);
  }
}

TEST_CASE("sandboxes: a missing one says where it was looked for and how to make it", "[sandboxes]") {
  const ScratchFolder scratch;
  scratch.Write("exec-sandbox.yaml", "title: t\nmounts: [{dev: /dev}]\n");
  const SandboxStore store(DescriptionFolders({scratch.path(), "/none"}), ImageStore("/nowhere"));
  CHECK_THROWS_WITH(
      store.Get("exec-sandbx"),
      "sandbox \"exec-sandbx\": no exec-sandbx.yaml (did you mean \"exec-sandbox\"?); searched: " +
          scratch.path() + ", /none (no such folder); known: exec-sandbox. To make it, copy " +
          scratch.path() +
          "/exec-sandbox.yaml to "
          "~/.config/tally/sandboxes/exec-sandbx.yaml and edit it (docs/sandboxes.md)");
  CHECK_THROWS_WITH(store.Get("../x"),
                    "sandbox \"../x\": not a sandbox's name; expected letters, digits and . _ + -");
}

}  // namespace
}  // namespace tally
