// Names of files in the filetracker's store: one that is accepted never leaves the store, and is itself again when
// written and read.
#include "jobs/filetracker.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(filetracker_name) {
  fuzz::MayRefuse([&] {
    const FiletrackerName name = FiletrackerName::Parse(input);
    fuzz::Require(name.path.starts_with('/') && (name.path + "/").find("/../") == std::string::npos);
    fuzz::Require(FiletrackerName::Parse(name.Versioned()).path == name.path);
    fuzz::Require(FiletrackerName::Parse(name.Versioned()).version == name.version);
  });
}
