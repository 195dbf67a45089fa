#include "supervisor/translator/turns/robust_locks.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "supervisor/machine/answers.h"

namespace tally {

std::vector<std::uint64_t> RobustLocksOf(pid_t task) {
  std::uint64_t at = 0, size = 0;
  robust_list_head head{};
  if (::syscall(SYS_get_robust_list, task, &at, &size) != 0 || at == 0 || !ReadValue(task, at, &head)) return {};
  constexpr std::uint64_t kInherits = 1;  // in the pointer to an entry
  std::vector<std::uint64_t> words;
  const auto add = [&](std::uint64_t entry) {
    if (entry != 0 && (entry & kInherits) == 0) words.push_back(entry + static_cast<std::uint64_t>(head.futex_offset));
  };
  add(reinterpret_cast<std::uint64_t>(head.list_op_pending));
  auto entry = reinterpret_cast<std::uint64_t>(head.list.next);
  for (int i = 0; i < ROBUST_LIST_LIMIT && (entry & ~kInherits) != at; ++i) {
    add(entry);
    if (!ReadValue(task, entry & ~kInherits, &entry)) break;
  }
  std::sort(words.begin(), words.end());  // a list may go round
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace tally
