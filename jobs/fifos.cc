#include "jobs/fifos.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/fd.h"

namespace tally {
namespace {

constexpr std::string_view kBox = "/box/";

}  // namespace

Fifos::Fifos(std::string folder, unsigned processes) : folder_(std::move(folder)), processes_(processes) {
  for (unsigned i = 0; i < processes_; ++i) {
    for (const std::string& inside : {FromSolution(i), ToSolution(i)}) {
      const std::string path = Host(inside);
      if (::mkfifo(path.c_str(), 0600) != 0) throw SystemError("mkfifo " + path, errno);
      if (::chmod(path.c_str(), 0666) != 0) throw SystemError("chmod " + path, errno);  // whatever the umask is
    }
  }
}

std::string Fifos::FromSolution(unsigned i) { return fmt::format("{}u{}_to_m", kBox, i); }
std::string Fifos::ToSolution(unsigned i) { return fmt::format("{}m_to_u{}", kBox, i); }
std::string Fifos::Host(const std::string& inside) const { return folder_ + "/" + inside.substr(kBox.size()); }

std::vector<PlacedFile> Fifos::Placed(unsigned i) const {
  std::vector<PlacedFile> placed;
  for (const std::string& inside : {FromSolution(i), ToSolution(i)}) placed.push_back({.host_path = Host(inside), .inside = inside, .writable = true});
  return placed;
}

std::vector<PlacedFile> Fifos::PlacedForAll() const {
  std::vector<PlacedFile> placed;
  for (unsigned i = 0; i < processes_; ++i) {
    for (PlacedFile& file : Placed(i)) placed.push_back(std::move(file));
  }
  return placed;
}

void Fifos::Release(unsigned i) const {
  // Both ends at once, which waits for nobody.
  for (const std::string& inside : {FromSolution(i), ToSolution(i)}) const Fd passing(::open(Host(inside).c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
}

void Fifos::ReleaseAll() const {
  for (unsigned i = 0; i < processes_; ++i) Release(i);
}

}  // namespace tally
