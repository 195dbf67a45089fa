#include "profile/timeline/descriptors.h"

#include <algorithm>
#include <climits>

namespace tally {
namespace {

int AsDescriptor(std::uint64_t number) { return static_cast<int>(std::min<std::uint64_t>(number, INT_MAX)); }

}  // namespace

void Descriptors::CloseRange(std::uint64_t first, std::uint64_t last) {
  if (first > last) return;
  open_.erase(open_.lower_bound(AsDescriptor(first)), open_.upper_bound(AsDescriptor(last)));
}

void Descriptors::SetCloseOnExec(int fd, bool close_on_exec) {
  const auto found = open_.find(fd);
  if (found != open_.end()) found->second.close_on_exec = close_on_exec;
}

void Descriptors::SetCloseOnExec(std::uint64_t first, std::uint64_t last) {
  if (first > last) return;
  for (auto it = open_.lower_bound(AsDescriptor(first)); it != open_.end() && it->first <= AsDescriptor(last); ++it) {
    it->second.close_on_exec = true;
  }
}

void Descriptors::CloseOnExec() {
  std::erase_if(open_, [](const auto& entry) { return entry.second.close_on_exec; });
}

std::optional<ObjectNumber> Descriptors::Of(int fd) const {
  const auto found = open_.find(fd);
  if (found == open_.end()) return std::nullopt;
  return found->second.object;
}

std::array<int, 2> Descriptors::LowestFree() const {
  std::array<int, 2> free{};
  std::size_t found = 0;
  for (int fd = 0; found < free.size(); ++fd) {
    if (!open_.contains(fd)) free[found++] = fd;
  }
  return free;
}

}  // namespace tally
