// A sandbox description: the RootSpec that the supervisor builds, and where its root image comes from.
// Reading it looks at the host where the description says "as on the host" (mounts of kind host) and checks
// that bound folders exist; it changes nothing. Mistakes are UserErrors with file, line, column and key.
// Keys: docs/sandboxes.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/yaml_fields.h"
#include "supervisor/api/root_spec.h"

namespace tally {

// A root file system in a tar archive, unpacked once by the ImageStore.
struct ImageArchive {
  std::string path;
  std::string sha256;  // 64 lower-case hexadecimal digits
  std::string place;   // "FILE:LINE:COLUMN", for messages
};

struct SandboxSpec {
  std::string title;
  RootSpec root;  // base_root is still empty where there is an archive
  std::optional<ImageArchive> archive;
};

SandboxSpec ReadSandboxSpec(YamlMap yaml, const std::string& name);

}  // namespace tally
