// What a task did, for whoever observes the run: the blocks it executed, or the calls it made (task_log.h tells how they
// are written down).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <x86intrin.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "supervisor/api/block_observer.h"
#include "supervisor/api/call_observer.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

// As connect(2) and bind(2) have it; what there is no text for is "".
std::string AddressText(std::span<const char> bytes) {
  if (bytes.size() < sizeof(sa_family_t)) return "";
  sockaddr_storage address{};
  std::memcpy(&address, bytes.data(), std::min(bytes.size(), sizeof address));
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET && bytes.size() >= sizeof(sockaddr_in)) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
    return fmt::format("{}:{}", text.data(), ntohs(in.sin_port));
  }
  if (address.ss_family == AF_INET6 && bytes.size() >= sizeof(sockaddr_in6)) {
    sockaddr_in6 in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET6, &in.sin6_addr, text.data(), text.size());
    return fmt::format("[{}]:{}", text.data(), ntohs(in.sin6_port));
  }
  if (address.ss_family != AF_UNIX || bytes.size() <= offsetof(sockaddr_un, sun_path)) return "";
  const std::span<const char> path = bytes.subspan(offsetof(sockaddr_un, sun_path));
  if (path.front() == '\0') return "@" + std::string(path.begin() + 1, path.end());  // abstract (unix(7))
  return {path.data(), ::strnlen(path.data(), path.size())};
}

// Which argument names something, as a path; -1: none.
int PathArgument(std::uint64_t number) {
  switch (number) {
    case SYS_open: case SYS_creat: case SYS_execve: return 0;
    case SYS_openat: case SYS_openat2: case SYS_execveat: return 1;
    default: return -1;
  }
}

bool NamesAddress(std::uint64_t number) { return number == SYS_connect || number == SYS_bind; }

}  // namespace

// Blocks -------------------------------------------------------------------------------------------------

// Also makes room for whatever is stepped.
void Guest::ReportBlocks() const {
  if (run_->observer == nullptr || !log_.IsKept()) return;
  run_->observer->Executed(tid_, log_.Written<std::uint32_t>());
  log_.Clear();
}

// The last so many of its last block.
void Guest::ReportNotExecuted(std::size_t instructions) const {
  if (run_->observer == nullptr || instructions == 0) return;
  ReportBlocks();
  run_->observer->LeftEarly(tid_, instructions);
}

// In the middle of noting down a block, r11 has the log's end, which is about to change. The task goes back to where
// that began.
void Guest::LeaveNote() const {
  if (run_->observer == nullptr) return;
  user_regs_struct r = Get();
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
  if (!place || place->before_note == 0 || place->before_note == r.rip) return;
  if (!place->lent && r.rip - place->before_note >= Emitter::kLoadR11Size) r.r11 = page_.Word(control::kSpillForCount);
  r.rip = place->before_note;
  Set(r);
}

// Calls --------------------------------------------------------------------------------------------------

void Guest::ReportCalls() {
  if (run_->call_observer == nullptr || !log_.IsKept()) return;
  const std::span<const ObservedCall> calls = log_.Written<ObservedCall>(calls_reported_);
  if (calls.empty()) return;
  calls_reported_ += calls.size();
  last_call_end_ = calls.back().end;
  run_->call_observer->Called(tid_, calls);
}

// What stands behind the last entry is of earlier times, unless it began later than that ended.
const ObservedCall* Guest::UnfinishedCall() const {
  if (run_->call_observer == nullptr || !log_.IsKept()) return nullptr;
  const ObservedCall* const next = log_.Next<ObservedCall>();
  return next != nullptr && next->begin > last_call_end_ ? next : nullptr;
}

// Behind its call, but not by the way of translated code, which would have noted the end.
void Guest::CompleteCall(const user_regs_struct& r) const {
  if (run_->call_observer == nullptr) return;
  auto* const call = log_.Next<ObservedCall>();
  if (call == nullptr) return;
  // What the kernel leaves there of a call that a signal broke off (include/linux/errno.h).
  constexpr std::int64_t kFirstRestart = -516;
  constexpr std::int64_t kLastRestart = -512;
  const auto result = static_cast<std::int64_t>(r.rax);
  call->result = result >= kFirstRestart && result <= kLastRestart ? -EINTR : result;
  call->end = __rdtsc();
  log_.Advance(sizeof *call);
}

void Guest::LeaveByExec() {
  if (run_->call_observer == nullptr) return;
  CompleteCall(user_regs_struct{});
  ReportCalls();
}

void Guest::NameCall(const StoppedCall& call) {
  if (run_->call_observer == nullptr) return;
  const int path = PathArgument(call.number);
  const bool names_itself = call.number == SYS_prctl && static_cast<std::uint32_t>(call.arguments[0]) == PR_SET_NAME;
  if (path < 0 && !names_itself && !NamesAddress(call.number)) return;
  ReportCalls();  // so that its own entry is the next
  if (path >= 0) {
    run_->call_observer->Named(tid_, call.number, ReadTraceePath(tid_, call.arguments[path]));
    return;
  }
  if (names_itself) {
    constexpr std::size_t kMost = 15;  // TASK_COMM_LEN, with its 0
    run_->call_observer->Named(tid_, call.number, ReadTraceePath(tid_, call.arguments[1]).substr(0, kMost));
    return;
  }
  std::array<char, sizeof(sockaddr_storage)> bytes{};
  const std::size_t read =
      ReadTracee(tid_, call.arguments[1], bytes.data(), std::min<std::size_t>(call.arguments[2], bytes.size()));
  run_->call_observer->Named(tid_, call.number, AddressText({bytes.data(), read}));
}

// Both ---------------------------------------------------------------------------------------------------

// Was it a store behind the log's end? Then it is made at the beginning.
bool Guest::EmptyFullLog(std::uint64_t fault) {
  if (!log_.IsKept() || fault != log_.guard()) return false;
  user_regs_struct r = Get();
  if (run_->observer != nullptr) {
    ReportBlocks();
    r.r11 = log_.address();
  } else {
    EmptyCallLog();
    r.rcx = log_.address();
  }
  Set(r);
  return true;
}

void Guest::EmptyCallLog() {
  ReportCalls();
  log_.Clear();
  calls_reported_ = 0;
}

// Single instructions are about to be stepped over, which may be some that write into the log.
void Guest::MakeRoomInLog() {
  LeaveNote();
  ReportBlocks();
  if (run_->call_observer != nullptr && log_.IsKept() && log_.IsFull()) EmptyCallLog();
}

}  // namespace tally
