// Files instead of texts: the same answers, from mappings of any size in constant memory.
#include "checkers/compare_files.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/sys.h"
#include "checkers/wording.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

// Open and already without a name, so that nothing is left behind.
Fd TemporaryFile() {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/tally-compare-XXXXXX";
  Fd fd(::mkostemp(path.data(), O_CLOEXEC));
  REQUIRE(fd.valid());
  ::unlink(path.c_str());
  return fd;
}

Fd FileWith(std::string_view text) {
  Fd fd = TemporaryFile();
  sys::WriteAll(fd.get(), text, "a temporary file");
  return fd;
}

// Hundreds of megabytes that take no disk: what is not written reads as NULs, which are blanks.
struct Sparse {
  Fd fd = TemporaryFile();
  void Put(off_t at, std::string_view text) const {
    REQUIRE(::pwrite(fd.get(), text.data(), text.size(), at) == static_cast<ssize_t>(text.size()));
  }
  void Resize(off_t size) const { REQUIRE(::ftruncate(fd.get(), size) == 0); }
};

long PeakResidentKib() {
  const std::string status = sys::ReadFile("/proc/self/status");
  return std::atol(status.c_str() + status.find("VmHWM:") + 6);
}

// In a child, whose peak starts at its size of now. -1: the comparison did not say what it should.
long PeakGrowthMib(const std::function<bool()>& compare) {
  const sys::Pipe pipe = sys::MakePipe();
  const pid_t child = ::fork();
  if (child == 0) {
    const long before = PeakResidentKib();
    long growth = compare() ? 0 : -1;
    if (growth == 0) growth = (PeakResidentKib() - before) / 1024;
    ::_exit(::write(pipe.write_end.get(), &growth, sizeof growth) == sizeof growth ? 0 : 1);
  }
  long growth = -1;
  REQUIRE(::read(pipe.read_end.get(), &growth, sizeof growth) == sizeof growth);
  ::waitpid(child, nullptr, 0);
  return growth;
}

TEST_CASE("compare files: the answer's words outlive the comparison with it", "[compare_files]") {
  const Fd expected = FileWith("1 2\n3\n");
  const Fd got = FileWith("1\t2\r\n4\n");
  const FileComparison comparison = CompareFiles(expected.get(), got.get());
  CHECK_FALSE(comparison.equal());
  CHECK(Describe(comparison.mismatch(), {}) == R"(WRONG: line 2: expected "3", got "4")");
  CHECK(CompareFiles(expected.get(), expected.get()).equal());
}

TEST_CASE("compare files: empty files are files", "[compare_files]") {
  const Fd empty = FileWith("");
  const Fd line = FileWith("\n \n");
  const Fd word = FileWith("x");
  CHECK(CompareFiles(empty.get(), empty.get()).equal());
  CHECK(CompareFiles(empty.get(), line.get()).equal());
  CHECK(Describe(CompareFiles(word.get(), empty.get()).mismatch(), {}) ==
        R"(WRONG: line 1: expected "x", got end of file)");
}

TEST_CASE("compare files: a file that cannot be mapped is our failure, not a wrong answer",
          "[compare_files]") {
  const Fd empty = FileWith("");
  CHECK_THROWS_AS(CompareFiles(empty.get(), -1), SystemError);
}

TEST_CASE("compare files: memory stays small, however the files are large", "[compare_files]") {
  if (kSanitized && !SharesPageOfZeros()) TALLY_SKIP("a sanitizer's own memory cannot be told from ours on this machine");
  constexpr off_t kSize = off_t{200} << 20;
  constexpr long kMostMib = 16;

  SECTION("equal bytes") {
    const Sparse a, b;
    a.Resize(kSize);
    b.Resize(kSize);
    a.Put(kSize, "x");
    b.Put(kSize, "x");
    const long growth = PeakGrowthMib([&] { return CompareFiles(a.fd.get(), b.fd.get()).equal(); });
    CHECK(growth >= 0);
    CHECK(growth < kMostMib);
  }
  SECTION("a difference at the end, so that the lines before it are counted") {
    const Sparse a, b;
    a.Put(kSize / 2, "\n");
    b.Put(kSize / 2, "\n");
    a.Put(kSize, "x");
    b.Put(kSize, "y");
    const long growth = PeakGrowthMib([&] {
      const FileComparison comparison = CompareFiles(a.fd.get(), b.fd.get());
      return comparison.mismatch() && comparison.mismatch()->line == 2;
    });
    CHECK(growth >= 0);
    CHECK(growth < kMostMib);
  }
  SECTION("blanks on one side only") {
    const Sparse a, b;
    a.Put(kSize, "x");
    b.Put(1, "x");
    const long growth = PeakGrowthMib([&] { return CompareFiles(a.fd.get(), b.fd.get()).equal(); });
    CHECK(growth >= 0);
    CHECK(growth < kMostMib);
  }
  SECTION("white space that differs all the time, then a huge run of blanks") {
    std::string dense_a, dense_b;
    for (int i = 0; i < 1 << 20; ++i) {
      dense_a += "12 ";
      dense_b += "12  ";
    }
    const Sparse a, b;
    for (off_t part = 0; part < 8; ++part) {
      a.Put(part * static_cast<off_t>(dense_a.size()), dense_a);
      b.Put(part * static_cast<off_t>(dense_b.size()), dense_b);
    }
    a.Put(kSize, "x");
    b.Put(kSize / 2, "x");
    const long growth = PeakGrowthMib([&] { return CompareFiles(a.fd.get(), b.fd.get()).equal(); });
    CHECK(growth >= 0);
    CHECK(growth < kMostMib);
  }
  SECTION("one huge word, described") {
    const std::string part(std::size_t{1} << 20, 'w');
    const Sparse a, b;
    for (off_t at = 0; at < off_t{64} << 20; at += off_t{1} << 20) {
      a.Put(at, part);
      b.Put(at, part);
    }
    b.Put(off_t{64} << 20, "x");
    const long growth = PeakGrowthMib([&] {
      const FileComparison comparison = CompareFiles(a.fd.get(), b.fd.get());
      return Describe(comparison.mismatch(), {}).size() < 255 &&
             comparison.mismatch()->same_bytes == std::size_t{64} << 20;
    });
    CHECK(growth >= 0);
    CHECK(growth < kMostMib);
  }
}

}  // namespace
}  // namespace tally
