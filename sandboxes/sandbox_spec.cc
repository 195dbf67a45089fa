#include "sandboxes/sandbox_spec.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "sandboxes/host_mount.h"

namespace tally {
namespace {

constexpr std::array<std::string_view, 7> kKinds{"host", "bind",    "tmpfs",    "proc",
                                                 "dev",  "symlink", "directory"};
constexpr std::size_t kLongestPath = 4095;

struct Permission {
  const char* name;
  bool SyscallPermissions::*flag;
};
constexpr std::array<Permission, 5> kPermissions{
    {{"processes", &SyscallPermissions::processes},
     {"file_writes", &SyscallPermissions::file_writes},
     {"sockets", &SyscallPermissions::sockets},
     {"i386", &SyscallPermissions::i386},
     {"any_other_is_enosys", &SyscallPermissions::any_other_is_enosys}}};

// A plain absolute path: no ".." and no way to mean the root itself. Repeated and final slashes go away.
std::string PathInside(YamlMap& yaml, std::string_view key, const std::string& text) {
  std::string clean;
  const auto fail = [&] {
    yaml.Fail(key,
              fmt::format("found \"{}\"; expected an absolute path inside the sandbox, without ..", text));
  };
  if (text.front() != '/' || text.size() > kLongestPath) fail();
  for (const auto& part : std::filesystem::path(text).relative_path()) {
    if (part == "..") fail();
    if (!part.empty() && part != ".") clean += "/" + part.string();
  }
  if (clean.empty()) fail();
  return clean;
}

std::string HostPath(YamlMap& yaml, std::string_view key) {
  std::string text = yaml.Text(key);
  if (text.front() != '/' || text.size() > kLongestPath) {
    yaml.Fail(key, fmt::format("found \"{}\"; expected an absolute path on this machine", text));
  }
  return text;
}

std::optional<Mount> ReadBind(YamlMap& yaml) {
  Mount mount{.kind = MountKind::kBind, .source = HostPath(yaml, "bind")};
  mount.target =
      PathInside(yaml, yaml.Has("at") ? "at" : "bind", yaml.OptionalText("at").value_or(mount.source));
  mount.writable = yaml.Bool("writable", false);
  mount.optional = yaml.Bool("optional", false);
  mount.executable = yaml.Bool("executable", true);
  struct stat status {};
  if (::stat(mount.source.c_str(), &status) == 0) return mount;
  if (mount.optional) return std::nullopt;
  yaml.Fail("bind", fmt::format("{} cannot be mounted: {}; expected a folder or file of this machine (or add "
                                "optional: yes)",
                                mount.source, ErrnoText(errno)));
}

std::optional<Mount> ReadMountOfKind(YamlMap& yaml, std::string_view kind) {
  if (kind == "bind") return ReadBind(yaml);
  if (kind == "host") {
    const std::string path = HostPath(yaml, kind);
    return AsOnHost(path, PathInside(yaml, kind, path));
  }
  Mount mount{.target = PathInside(yaml, kind, yaml.Text(kind))};
  if (kind == "symlink") {
    mount.kind = MountKind::kSymlink;
    mount.source = yaml.Text("to");
  } else if (kind == "tmpfs") {
    mount.kind = MountKind::kTmpfs;
    mount.writable = true;
    mount.executable = yaml.Bool("executable", true);
    mount.size = yaml.OptionalSize("size").value_or(mount.size);
    if (mount.size.count == 0) yaml.Fail("size", "found 0; expected a size above 0, like 64M");
  } else if (kind == "directory") {
    mount.kind = MountKind::kDirectory;
  } else {
    // Programs, and the supervisor, expect these two where they always are.
    mount.kind = kind == "proc" ? MountKind::kProc : MountKind::kDev;
    if (mount.target != fmt::format("/{}", kind)) {
      yaml.Fail(kind, fmt::format("found \"{}\"; expected /{}", mount.target, kind));
    }
  }
  return mount;
}

std::optional<Mount> ReadMount(YamlMap& yaml) {
  std::string_view kind;
  for (const std::string_view candidate : kKinds) {
    if (!yaml.Has(candidate)) continue;
    if (!kind.empty()) {
      yaml.Fail(candidate,
                fmt::format("found beside {}; expected one of the two, each entry is one mount", kind));
    }
    kind = candidate;
  }
  if (kind.empty()) {
    yaml.Finish();  // a misspelt kind is an unknown key
    yaml.Fail("", "an entry without keys; expected one of: host, bind, tmpfs, proc, dev, symlink, directory");
  }
  std::optional<Mount> mount = ReadMountOfKind(yaml, kind);
  yaml.Finish();
  return mount;
}

void ReadMounts(YamlMap& yaml, RootSpec* root) {
  for (YamlMap& entry : yaml.MapList("mounts")) {
    std::optional<Mount> mount = ReadMount(entry);
    if (!mount) continue;
    for (const Mount& other : root->mounts) {
      if (other.target == mount->target) {
        entry.Fail("", fmt::format("{} is mounted twice; expected one mount at each place", mount->target));
      }
    }
    root->mounts.push_back(std::move(*mount));
  }
}

void ReadPermissions(YamlMap& yaml, SyscallPermissions* permissions) {
  std::vector<std::string> names;
  for (const Permission& permission : kPermissions) names.emplace_back(permission.name);
  const std::vector<std::string> wanted = yaml.TextList("permissions");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto* known = std::find_if(kPermissions.begin(), kPermissions.end(),
                                     [&](const Permission& p) { return wanted[i] == p.name; });
    if (known == kPermissions.end()) {
      yaml.Fail("permissions",
                fmt::format("found \"{}\"{}; expected one of: {}", wanted[i], DidYouMean(wanted[i], names),
                            JoinWords(names)),
                i);
    }
    permissions->*(known->flag) = true;
  }
}

// A relative path is meant from the description's own folder.
std::string BesideDescription(const YamlMap& yaml, const std::string& path) {
  return (std::filesystem::path(yaml.file()).parent_path() / path).lexically_normal();
}

ImageArchive ReadArchive(YamlMap& root) {
  ImageArchive archive;
  archive.path = BesideDescription(root, root.Text("archive"));
  archive.sha256 = root.Text("sha256");
  for (char& c : archive.sha256) c = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  if (archive.sha256.size() != 64 ||
      archive.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
    root.Fail("sha256",
              "this is not a SHA-256 sum; expected the 64 hexadecimal digits that sha256sum prints");
  }
  archive.place = root.Place("archive");
  return archive;
}

void ReadRoot(YamlMap& yaml, SandboxSpec* spec) {
  std::optional<YamlMap> root = yaml.OptionalMap("root");
  if (!root) return;
  const bool has_directory = root->Has("directory");
  if (root->Has("archive")) {
    if (has_directory) root->Fail("directory", "found beside archive; expected one of the two");
    spec->archive = ReadArchive(*root);
  } else {
    const std::string directory = BesideDescription(*root, root->Text("directory"));
    struct stat status {};
    if (::stat(directory.c_str(), &status) != 0) {
      root->Fail("directory", fmt::format("{}: {}; expected a folder with a root file system", directory,
                                          ErrnoText(errno)));
    }
    if (!S_ISDIR(status.st_mode)) {
      root->Fail("directory",
                 fmt::format("{} is a file; expected a folder (for a tar archive write archive: and "
                             "sha256:)",
                             directory));
    }
    spec->root.base_root = std::filesystem::absolute(directory).lexically_normal();
  }
  root->Finish();
}

}  // namespace

SandboxSpec ReadSandboxSpec(YamlMap yaml, const std::string& name) {
  SandboxSpec spec;
  spec.title = yaml.Text("title");
  spec.root.name = name;
  spec.root.hostname = yaml.OptionalText("hostname").value_or(spec.root.hostname);
  if (spec.root.hostname.size() > 64) yaml.Fail("hostname", "longer than 64 letters; expected a short name");
  spec.root.work_dir =
      PathInside(yaml, "work_dir", yaml.OptionalText("work_dir").value_or(spec.root.work_dir));
  ReadRoot(yaml, &spec);
  ReadMounts(yaml, &spec.root);
  spec.root.env = yaml.Environment("environment");
  ReadPermissions(yaml, &spec.root.permissions);
  yaml.Finish();
  if (spec.root.mounts.empty() && spec.root.base_root.empty() && !spec.archive) {
    yaml.Fail("mounts", "missing; expected mounts, or a root");
  }
  return spec;
}

}  // namespace tally
