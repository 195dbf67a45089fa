#include "supervisor/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/kernel_version.h"
#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/machine/seeded_random.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

constexpr mode_t kDirectoryMode = 0755;
constexpr mode_t kFileMode = 0644;

std::string Parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

// What is made here is for another user to enter and read, whatever our umask is.
class NoUmask {
 public:
  NoUmask() : before_(::umask(0)) {}
  ~NoUmask() { ::umask(before_); }
  NoUmask(const NoUmask&) = delete;
  NoUmask& operator=(const NoUmask&) = delete;

 private:
  mode_t before_;
};

void MakeDirectories(const std::string& path);

// `make` says whether it made `path`, or errno. What is there already is fine; the folders above are mostly there, so they are
// made only when that is what is missing.
template <typename Make>
void MakeBelowFolders(const char* call, const std::string& path, Make make) {
  if (make() || errno == EEXIST) return;
  if (errno == ENOENT) {
    MakeDirectories(Parent(path));
    if (make() || errno == EEXIST) return;
  }
  throw SystemError(fmt::format("{} {}", call, path), errno);
}

void MakeDirectories(const std::string& path) {
  MakeBelowFolders("mkdir", path, [&] { return ::mkdir(path.c_str(), kDirectoryMode) == 0; });
}

void MakeEmptyFile(const std::string& path) {
  MakeBelowFolders("mknod", path, [&] { return ::mknod(path.c_str(), S_IFREG | kFileMode, 0) == 0; });
}

void MakeLink(const std::string& text, const std::string& path) {
  MakeBelowFolders("symlink", path, [&] { return ::symlink(text.c_str(), path.c_str()) == 0; });
}

// mount_setattr and not a remount: it only adds flags, so it works on mounts whose flags a user namespace
// must keep (mount_namespaces(7), "Restrictions"), and takes the whole subtree at once.
void Bind(const std::string& source, const std::string& target, std::uint64_t attributes) {
  const Fd tree(::open_tree(AT_FDCWD, source.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!tree.valid()) throw SystemError("open_tree " + source, errno);
  mount_attr attr{};
  attr.attr_set = attributes;
  attr.propagation = MS_PRIVATE;
  if (::mount_setattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr) != 0) {
    throw SystemError("mount_setattr " + source, errno);
  }
  if (::move_mount(tree.get(), "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    throw SystemError(fmt::format("mount {} on {}", source, target), errno);
  }
}

void MakeReadOnly(const std::string& mount_point) {
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  if (::mount_setattr(AT_FDCWD, mount_point.c_str(), 0, &read_only, sizeof read_only) != 0) {
    throw SystemError("make read-only " + mount_point, errno);
  }
}

void CopyFile(const std::string& from, const std::string& to, mode_t mode) {
  const Fd in = sys::Open(from, O_RDONLY);
  const Fd out = sys::Open(to, O_WRONLY | O_CREAT | O_TRUNC, mode);
  auto left = static_cast<std::size_t>(sys::Stat(in.get(), from).st_size);
  while (left > 0) {
    const ssize_t n = ::sendfile(out.get(), in.get(), nullptr, left);
    if (n < 0) throw SystemError("copy " + from, errno);
    if (n == 0) break;
    left -= static_cast<std::size_t>(n);
  }
}

}  // namespace

Sandbox::Sandbox(Sandboxes& sandboxes, const RootSpec& spec, const std::vector<PlacedFile>& files, Isolation isolation)
    : sandboxes_(sandboxes), spec_(spec), isolation_(isolation), files_(files) {
  if (isolation_ != Isolation::kFull) return;
  if (ThisKernel() < kOldestKernel) {
    throw SystemError(fmt::format("full isolation needs Linux {} or newer (mount_setattr), and this is {}", ToText(kOldestKernel), ToText(ThisKernel())), 0);
  }
  BuildRoot();
}

Sandbox::~Sandbox() {
  if (!sandboxes_.is_ours()) return;  // a fork's copy
  reused_init_.End();
  if (!root_.empty()) {
    sandboxes_.AddEnded(root_);
    if (!processor_file_.empty()) ::unlink(processor_file_.c_str());
  }
  sandboxes_.Reap();  // last: the kernel is busy with their ends meanwhile
}

std::string Sandbox::PathInside(const std::string& inside) const {
  if (isolation_ == Isolation::kFull) return inside;
  for (const PlacedFile& file : files_) {
    if (inside == file.inside) return file.host_path;
    if (inside.rfind(file.inside + "/", 0) == 0) return file.host_path + inside.substr(file.inside.size());
  }
  return inside;
}

void Sandbox::BuildRoot() {
  sandboxes_.Unmount();
  const NoUmask no_umask;
  root_ = MountTmpfsForRoot();
  if (!spec_.base_root.empty()) CopyTopLevel(spec_.base_root);
  for (const Mount& mount : spec_.mounts) Apply(mount);
  MakeDirectories(In(spec_.work_dir));
  for (const PlacedFile& file : files_) Place(file);
  if (spec_.processor) MakeProcessorFile();
  MakeReadOnly(root_);
}

void Sandbox::Apply(const Mount& mount) {
  const std::string target = In(mount.target);
  switch (mount.kind) {
    case MountKind::kBind: {
      struct stat status {};
      if (::stat(mount.source.c_str(), &status) != 0) {
        if (mount.optional) return;
        throw UserError(fmt::format("sandbox {}: mount source {}: {}", spec_.name, mount.source, ErrnoText(errno)));
      }
      if (S_ISDIR(status.st_mode)) {
        MakeDirectories(target);
      } else {
        MakeEmptyFile(target);
      }
      Bind(mount.source, target,
           MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (mount.writable ? 0 : MOUNT_ATTR_RDONLY) |
               (mount.executable ? 0 : MOUNT_ATTR_NOEXEC));
      return;
    }
    case MountKind::kTmpfs:
    case MountKind::kProc:
      MakeDirectories(target);
      run_mounts_.push_back(mount);
      return;
    case MountKind::kDev: MakeDev(); return;
    case MountKind::kSymlink: MakeLink(mount.source, target); return;
    case MountKind::kDirectory: MakeDirectories(target); return;
  }
}

// The base root's entries are bound one by one into our own tmpfs, so that mount points can be added to an
// image that does not have them.
void Sandbox::CopyTopLevel(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    Mount mount{.source = entry.path(), .target = "/" + entry.path().filename().string()};
    if (entry.is_symlink()) {
      mount.kind = MountKind::kSymlink;
      mount.source = std::filesystem::read_symlink(entry.path());
    }
    const bool replaced = std::any_of(spec_.mounts.begin(), spec_.mounts.end(),
                                      [&](const Mount& own) { return own.target == mount.target; });
    if (!replaced) Apply(mount);
  }
  if (error) throw UserError(fmt::format("sandbox {}: root {}: {}", spec_.name, directory, error.message()));
}

// As real root the nodes can be made, which is cheaper than binding the host's. Nothing else can be put beside them: a program
// may not make nodes, and the root is read-only by then. Not in a container without the right: there they are bound.
bool Sandbox::MakeDeviceNodes() {
  if (EnterPrivateMounts().user_namespace) return false;
  // Documentation/admin-guide/devices.txt, 1 char
  constexpr unsigned kFirstRandomMinor = 8;
  const std::pair<const char*, unsigned> nodes[] = {{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}};
  for (const auto& [name, minor] : nodes) {
    if (spec_.random_seed && minor >= kFirstRandomMinor) continue;
    if (::mknod(In(std::string("/dev/") + name).c_str(), S_IFCHR | 0666, makedev(1, minor)) != 0) return false;
  }
  return true;
}

void Sandbox::BindDeviceNodes() {
  for (const std::string device : {"null", "zero", "full", "random", "urandom"}) {
    if (spec_.random_seed && device.ends_with("random")) continue;
    const std::string path = "/dev/" + device;
    MakeEmptyFile(In(path));
    Bind(path, In(path), MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY);  // written to it can be; its times are this machine's
  }
}

// In place of the two random devices: a file of bytes that a seed decides, so that counts are the same everywhere.
void Sandbox::MakeSeededFiles() {
  std::string bytes(64 << 10, '\0');
  SeededRandom(*spec_.random_seed, SeededRandom::Stream::kFile).Fill(bytes.data(), bytes.size());
  const std::string path = In("/dev/urandom");
  const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0444);
  sys::WriteAll(file.get(), bytes, path);
  if (::link(path.c_str(), In("/dev/random").c_str()) != 0) throw SystemError("link " + path, errno);
}

// Beside the root, not in it: runs bind it where it belongs. A fork has the same numbers, and the same folder.
void Sandbox::MakeProcessorFile() {
  static int next = 0;
  processor_file_ = fmt::format("{}/cpuinfo-{}-{}", PrivateDirectory(), ::getpid(), next++);
  const Fd file = sys::Open(processor_file_, O_WRONLY | O_CREAT | O_TRUNC, 0444);
  sys::WriteAll(file.get(), ProcessorFile(*spec_.processor), processor_file_);
}

void Sandbox::MakeDev() {
  MakeDirectories(In("/dev"));
  if (!MakeDeviceNodes()) BindDeviceNodes();
  if (spec_.random_seed) MakeSeededFiles();
  if (!spec_.ShowsProc()) return;
  const std::pair<const char*, const char*> links[] = {{"/proc/self/fd", "/dev/fd"},
                                                       {"/proc/self/fd/0", "/dev/stdin"},
                                                       {"/proc/self/fd/1", "/dev/stdout"},
                                                       {"/proc/self/fd/2", "/dev/stderr"}};
  for (const auto& [text, path] : links) MakeLink(text, In(path));
}

void Sandbox::Place(const PlacedFile& file) {
  struct stat status {};
  if (::stat(file.host_path.c_str(), &status) != 0) {
    throw UserError(fmt::format("{}: {}", file.host_path, ErrnoText(errno)));
  }
  const std::string target = In(file.inside);
  if (S_ISDIR(status.st_mode)) {
    MakeDirectories(target);
    Bind(file.host_path, target,
         MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (file.writable ? 0 : MOUNT_ATTR_RDONLY));
    return;
  }
  const mode_t needed = file.executable ? S_IROTH | S_IXOTH : S_IROTH;
  if (file.writable || (status.st_mode & needed) == needed) {
    MakeEmptyFile(target);
    Bind(file.host_path, target, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (file.writable ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_RDONLY));
  } else {
    MakeDirectories(Parent(target));
    CopyFile(file.host_path, target, file.executable ? 0555 : 0444);
  }
}

}  // namespace tally
