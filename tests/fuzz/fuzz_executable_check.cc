// Files that say they are programs: ELF headers and first lines of scripts from arbitrary bytes.
#include <sys/mman.h>

#include <cerrno>

#include "base/fd.h"
#include "base/sys.h"
#include "jobs/program.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(executable_check) {
  const Fd file(::memfd_create("fuzz", MFD_CLOEXEC));
  if (file.get() < 0) throw SystemError("memfd_create", errno);
  sys::WriteAll(file.get(), input, "memfd");
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  fuzz::MayRefuse([&] { CheckExecutable("exe_file", path); });
}
