// Descriptions of sandboxes from arbitrary bytes: each ends as a value or as a mistake told in one line. Reading
// looks at the host (stat) and changes nothing.
#include "sandboxes/sandbox_spec.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(sandbox_description) {
  fuzz::MayRefuse([&] {
    const SandboxSpec spec = ReadSandboxSpec(YamlMap::FromText(input, "fuzz.yaml"), "fuzz");
    for (const Mount& mount : spec.root.mounts) {
      fuzz::Require(mount.target.starts_with('/'));
      fuzz::Require((mount.target + "/").find("/../") == std::string::npos);
    }
  });
}
