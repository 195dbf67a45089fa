#include "checkers/compare_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "base/sys.h"
#include "checkers/token_walk.h"

namespace tally {
namespace {

// Gives the pages of a read-only file mapping back; they stay in the page cache and can be mapped again, so
// a refusal costs memory and nothing else.
class DropPages : public PagesBehind {
 public:
  void Passed(std::string_view text) override {
    static const auto kPage = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(text.data()) / kPage * kPage;
    const auto end = reinterpret_cast<std::uintptr_t>(text.data() + text.size()) / kPage * kPage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
};

void ReadAheadFreely(const Mapping& mapping) {
  if (mapping.size() > 0) ::madvise(mapping.data(), mapping.size(), MADV_SEQUENTIAL);
}

}  // namespace

FileComparison::FileComparison(Mapping expected, Mapping got)
    : expected_(std::move(expected)), got_(std::move(got)) {
  ReadAheadFreely(expected_);
  ReadAheadFreely(got_);
  DropPages drop;
  mismatch_ = TokenWalk(Cursor(expected_.text(), &drop), Cursor(got_.text(), &drop), BestKernel()).Run();
}

FileComparison CompareFiles(int expected_fd, int got_fd) {
  return {sys::MapFile(expected_fd, "the expected output"), sys::MapFile(got_fd, "the program's output")};
}

}  // namespace tally
