#include "supervisor/sandbox/launch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "supervisor/sandbox/child_setup.h"

namespace tally {
namespace {

constexpr std::size_t kRoom = 256 << 10;  // what is not written to costs nothing

std::size_t SizeOfStrings(const std::vector<std::string>& strings) {
  std::size_t size = (strings.size() + 1) * sizeof(char*);
  for (const std::string& text : strings) size += text.size() + 1;
  return size;
}

// Takes pieces from the front. What has to be aligned is taken before all text.
class Pieces {
 public:
  explicit Pieces(std::byte* memory) : next_(memory) {}

  template <typename T>
  T* Take(std::size_t count) {
    T* const piece = reinterpret_cast<T*>(next_);
    next_ += count * sizeof(T);
    return piece;
  }
  char* Put(const std::string& text) {
    char* const copy = Take<char>(text.size() + 1);
    std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
  }
  void Put(const std::vector<std::string>& strings, char** pointers) {
    for (const std::string& text : strings) *pointers++ = Put(text);
    *pointers = nullptr;
  }

 private:
  std::byte* next_;
};

}  // namespace

std::size_t SizeOfLaunch(const ChildPlan& plan) {
  std::size_t size = sizeof(Launch) + plan.limits.rlimits.size() * sizeof(ResourceLimit) + plan.program.size() + 1;
  for (const auto& filter : plan.filters) size += sizeof(sock_fprog) + filter.size_bytes();
  return size + SizeOfStrings(plan.argv) + SizeOfStrings(plan.env);
}

const Launch& LayOut(const ChildPlan& plan, std::byte* memory) {
  static_assert(sizeof(Launch) % 8 == 0 && sizeof(ResourceLimit) % 8 == 0 && sizeof(sock_fprog) % 8 == 0 && sizeof(sock_filter) % 8 == 0);
  Pieces pieces(memory);
  Launch* const launch = new (pieces.Take<Launch>(1)) Launch{};
  char** const argv = pieces.Take<char*>(plan.argv.size() + 1);
  char** const env = pieces.Take<char*>(plan.env.size() + 1);
  ResourceLimit* const limits = pieces.Take<ResourceLimit>(plan.limits.rlimits.size());
  std::uninitialized_copy(plan.limits.rlimits.begin(), plan.limits.rlimits.end(), limits);
  sock_fprog* const filters = pieces.Take<sock_fprog>(plan.filters.size());
  for (std::size_t i = 0; i < plan.filters.size(); ++i) {
    const std::span<const sock_filter> filter = plan.filters[i];
    sock_filter* const copy = pieces.Take<sock_filter>(filter.size());
    std::uninitialized_copy(filter.begin(), filter.end(), copy);
    new (&filters[i]) sock_fprog{static_cast<unsigned short>(filter.size()), copy};
  }
  launch->program = pieces.Put(plan.program);
  pieces.Put(plan.argv, argv);
  pieces.Put(plan.env, env);
  launch->argv = argv;
  launch->env = env;
  launch->limits = {limits, plan.limits.rlimits.size()};
  launch->filters = {filters, plan.filters.size()};
  launch->how_into_cgroup = plan.limits.cgroup.how;
  launch->address_randomization = plan.address_randomization;
  launch->time_stamps_fault = plan.time_stamps_fault;
  return *launch;
}

LaunchRoom::LaunchRoom()
    : memory_(static_cast<std::byte*>(::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))), owner_(::getpid()) {
  if (memory_ == MAP_FAILED) throw SystemError("mmap of what init shares with us", errno);
}

LaunchRoom::~LaunchRoom() { ::munmap(memory_, kRoom); }

bool LaunchRoom::IsOurs() const { return owner_ == ::getpid(); }

const Launch* LaunchRoom::Put(const ChildPlan& plan) const {
  return IsOurs() && SizeOfLaunch(plan) <= kRoom ? &LayOut(plan, memory_) : nullptr;
}

}  // namespace tally
