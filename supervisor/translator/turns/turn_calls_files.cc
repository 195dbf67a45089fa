// Reading and writing, and waiting for either, where tasks take turns.
//
// Theory of operation. The kernel is asked whether a file is ready, by poll(2) without waiting; if so the call is its, for it does not wait
// then. But one that may come to its middle and wait there (a large write, recv(2) with MSG_WAITALL) is made for the task in parts, while
// the open file has O_NONBLOCK: nobody else of the program executes anything meanwhile. One whose patience has an end (poll, select,
// SO_RCVTIMEO) waits for that moment of the virtual clock. What is not ready is asked again when another task has executed something.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/machine/answers.h"
#include "supervisor/tracing/open_file.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/turns/turn_calls.h"

namespace tally {
namespace {

constexpr std::size_t kMostAwaited = 64;  // of the files from outside that are waited for in truth
constexpr std::uint64_t kInTruthMilliseconds = 5;  // Watch is to look at the limits

// What poll(2) is asked in scratch.
constexpr std::uint64_t PollWord(std::uint64_t descriptor, std::uint64_t events) { return (descriptor & 0xffff'ffff) | events << 32; }

bool IsSocket(std::string_view name) { return name.starts_with("socket:"); }
bool IsPipe(std::string_view name) { return name.starts_with("pipe:"); }

bool Writes(std::uint64_t number) {
  return number == SYS_write || number == SYS_writev || number == SYS_sendto || number == SYS_sendmsg;
}

// Of a call about a socket, as sendto(2) has them.
std::uint64_t MessageFlags(const StoppedCall& call) {
  switch (call.number) {
    case SYS_recvfrom: case SYS_sendto: return call.arguments[3];
    case SYS_recvmsg: case SYS_sendmsg: return call.arguments[2];
    default: return 0;
  }
}

struct Buffer {
  std::uint64_t address = 0, size = 0;
};

// The call's; of the kernel's limits on them nothing is checked here.
std::vector<Buffer> BuffersOf(pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  std::uint64_t list = a[1], count = a[2];
  switch (call.number) {
    case SYS_read: case SYS_write: case SYS_recvfrom: case SYS_sendto: return {{a[1], a[2]}};
    case SYS_readv: case SYS_writev: break;
    case SYS_recvmsg:
    case SYS_sendmsg: {
      msghdr message{};
      if (!ReadValue(tid, a[1], &message)) return {};
      list = reinterpret_cast<std::uint64_t>(message.msg_iov);
      count = message.msg_iovlen;
      break;
    }
    default: return {};
  }
  std::vector<Buffer> buffers(std::min<std::uint64_t>(count, IOV_MAX));
  buffers.resize(ReadTracee(tid, list, buffers.data(), buffers.size() * sizeof(Buffer)) / sizeof(Buffer));
  return buffers;
}

std::uint64_t SizeOf(const std::vector<Buffer>& buffers) {
  std::uint64_t size = 0;
  for (const Buffer& buffer : buffers) size += buffer.size;
  return size;
}

// What is left behind the first `done` bytes, of one buffer.
Buffer Behind(const std::vector<Buffer>& buffers, std::uint64_t done) {
  for (const Buffer& buffer : buffers) {
    if (done < buffer.size) return {buffer.address + done, buffer.size - done};
    done -= buffer.size;
  }
  return {};
}

// May the kernel let it wait, with a file of this name? Others it answers or refuses at once.
bool MayWait(pid_t tid, const StoppedCall& call, std::string_view name) {
  constexpr std::string_view kKinds[] = {"/", "pipe:", "socket:", "anon_inode:[eventfd]", "anon_inode:[timerfd]", "anon_inode:[signalfd]", "anon_inode:inotify"};
  if (std::none_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) { return name.starts_with(kind); })) return false;
  std::array<std::uint64_t, 2> first{};  // of the list of buffers
  switch (call.number) {
    case SYS_read: case SYS_write: return call.arguments[2] != 0;
    case SYS_readv: case SYS_writev: return call.arguments[2] != 0 && ReadValue(tid, call.arguments[1], &first);
    case SYS_recvmsg: case SYS_sendmsg: return IsSocket(name) && ReadValue(tid, call.arguments[1], &first);
    default: return IsSocket(name);
  }
}

// May it wait though the file is ready? A pipe that is has room for PIPE_BUF bytes.
bool MayComeToItsMiddle(pid_t tid, const StoppedCall& call, std::string_view name) {
  if (!Writes(call.number)) {
    msghdr message{};  // descriptors come with a part of their own
    const bool has_control = call.number == SYS_recvmsg && ReadValue(tid, call.arguments[1], &message) && message.msg_controllen != 0;
    return IsSocket(name) && (MessageFlags(call) & (MSG_WAITALL | MSG_PEEK)) == MSG_WAITALL && !has_control;
  }
  return !IsPipe(name) || SizeOf(BuffersOf(tid, call)) > PIPE_BUF;
}

bool IsSelect(const StoppedCall& call) { return call.number == SYS_select || call.number == SYS_pselect6; }

// How long it waits; nothing: without end. 0 also where the kernel refuses.
std::optional<Nanoseconds> PatienceOf(pid_t task, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (call.number == SYS_poll || call.number == SYS_epoll_wait || call.number == SYS_epoll_pwait) {
    const std::int32_t longest = Int32(a[call.number == SYS_poll ? 2 : 3]);
    return longest < 0 ? std::nullopt : std::optional<Nanoseconds>(Milliseconds(longest));
  }
  const std::uint64_t at = call.number == SYS_ppoll ? a[2] : IsSelect(call) ? a[4] : a[3];
  if (at == 0) return std::nullopt;
  timespec time{};
  if (!ReadValue(task, at, &time)) return Nanoseconds(0);
  // In microseconds, which may be more than a second (fs/select.c, kern_select).
  if (call.number == SYS_select && time.tv_nsec >= 0) time = {time.tv_sec + time.tv_nsec / 1'000'000, time.tv_nsec % 1'000'000 * 1000};
  return FromTimespec(time).value_or(Nanoseconds(0));
}

// The signals that it blocks while it waits; nothing: those that the task blocks.
std::optional<std::uint64_t> MaskOf(pid_t task, const StoppedCall& call) {
  const auto& a = call.arguments;
  std::uint64_t mask = 0;
  std::array<std::uint64_t, 2> set{};  // address, size
  switch (call.number) {
    case SYS_ppoll: set = {a[3], a[4]}; break;
    case SYS_epoll_pwait: case SYS_epoll_pwait2: set = {a[4], a[5]}; break;
    case SYS_pselect6:
      if (a[5] == 0 || !ReadValue(task, a[5], &set)) return std::nullopt;
      break;
    default: return std::nullopt;
  }
  if (set[0] == 0 || set[1] != sizeof mask || !ReadValue(task, set[0], &mask)) return std::nullopt;
  return mask;
}

// Asks whether any file is ready, without waiting, and without the call's own mask: signals that it lets in come in the call itself.
std::int64_t AskFiles(const Guest& guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  guest.SetScratch(0, 0);
  guest.SetScratch(1, 0);
  const std::uint64_t nothing = guest.scratch();
  switch (call.number) {
    case SYS_poll: return guest.Make(SYS_poll, {a[0], a[1], 0});
    case SYS_ppoll: return guest.Make(SYS_ppoll, {a[0], a[1], nothing, 0, 0});
    case SYS_epoll_wait: return guest.Make(SYS_epoll_wait, {a[0], a[1], a[2], 0});
    case SYS_epoll_pwait: return guest.Make(SYS_epoll_pwait, {a[0], a[1], a[2], 0, 0, 0});
    case SYS_epoll_pwait2: return guest.Make(SYS_epoll_pwait2, {a[0], a[1], a[2], nothing, 0, 0});
    case SYS_select: return guest.Make(SYS_select, {a[0], a[1], a[2], a[3], nothing});
    default: return guest.Make(SYS_pselect6, {a[0], a[1], a[2], a[3], nothing, 0});
  }
}

std::uint64_t SocketOption(const Guest& guest, std::uint64_t descriptor, int option) {
  guest.SetScratch(0, 0);
  guest.SetScratch(1, sizeof(int));
  (void)guest.Make(SYS_getsockopt, {descriptor, SOL_SOCKET, static_cast<std::uint64_t>(option), guest.scratch(), guest.scratch() + sizeof(std::uint64_t)});
  return guest.Scratch(0);
}

}  // namespace

// No plain file: those make nobody wait.
bool TurnCalls::MayMakeWait(std::string_view name) {
  if (!name.starts_with("/")) return !name.empty();
  return name.starts_with("/dev/") && name != "/dev/null" && name != "/dev/zero" && !name.ends_with("random");
}

bool TurnCalls::IsOutside(const std::string& name) const {
  return !name.empty() && std::find(outside_.begin(), outside_.end(), name) != outside_.end();
}

// Of an epoll the descriptor itself, which is ready when one of its files is.
std::vector<TurnCalls::Awaited> TurnCalls::OutsideOf(pid_t task, const StoppedCall& call) const {
  if (std::all_of(outside_.begin(), outside_.end(), [](const std::string& name) { return name.empty(); })) return {};
  const auto& a = call.arguments;
  std::vector<Awaited> asked;
  if (call.number == SYS_poll || call.number == SYS_ppoll) {
    std::vector<pollfd> files(std::min<std::uint64_t>(a[1], kMostAwaited));
    files.resize(ReadTracee(task, a[0], files.data(), files.size() * sizeof(pollfd)) / sizeof(pollfd));
    for (const pollfd& file : files) {
      if (file.fd >= 0) asked.push_back({static_cast<std::uint64_t>(file.fd), file.events});
    }
  } else if (IsSelect(call)) {
    for (std::size_t set = 0; set < 2; ++set) {  // to read, to write
      std::uint64_t bits = 0;
      if (a[1 + set] == 0 || !ReadValue(task, a[1 + set], &bits)) continue;
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(a[0], kMostAwaited); ++i) {
        if ((bits >> i & 1) != 0) asked.push_back({i, static_cast<short>(set == 0 ? POLLIN : POLLOUT)});
      }
    }
  } else {
    const auto info = sys::TryReadFile(fmt::format("/proc/{}/fdinfo/{}", task, static_cast<std::uint32_t>(a[0]))).value_or("");
    constexpr std::string_view kWatched = "tfd:";
    std::size_t at = 0, seen = 0;
    for (; (at = info.find(kWatched, at)) != std::string::npos && seen < kMostAwaited; ++seen) {
      at += kWatched.size();
      if (IsOutside(NameOfFile(task, std::strtoull(info.c_str() + at, nullptr, 10)))) return {{a[0], POLLIN}};
    }
    return {};
  }
  std::erase_if(asked, [&](const Awaited& file) { return !IsOutside(NameOfFile(task, file.descriptor)); });
  return asked;
}

bool TurnCalls::IsOutsideAwaited() const {
  return std::any_of(waits_.begin(), waits_.end(), [this](const auto& entry) { return !entry.second.outside.empty() && turns_.IsWaiting(entry.first); });
}

bool TurnCalls::AwaitOutside(Nanoseconds longest) {
  waited_outside_ = true;
  std::vector<Fd> files;
  std::vector<pollfd> asked;
  for (const auto& [task, wait] : waits_) {
    for (const Awaited& file : wait.outside) {
      if (!turns_.IsWaiting(task) || files.size() >= kMostAwaited) break;
      files.push_back(OpenFileOf(task, file.descriptor));
      if (files.back().valid()) asked.push_back({files.back().get(), file.events, 0});
    }
  }
  const timespec time = ToTimespec(std::max(longest, Nanoseconds(0)));
  return ::ppoll(asked.data(), asked.size(), &time, nullptr) > 0;
}

// As the kernel does (select(2), "Linux notes").
void TurnCalls::TellTimeLeft(pid_t task, const StoppedCall& call, std::optional<Nanoseconds> until) const {
  if (!until) return;
  const timespec time = ToTimespec(std::max(*until - Now(), Nanoseconds(0)));
  if (call.number == SYS_select) (void)WriteIfAsked(task, call.arguments[4], timeval{time.tv_sec, time.tv_nsec / 1000});
  if (call.number == SYS_pselect6) (void)WriteIfAsked(task, call.arguments[4], time);
  if (call.number == SYS_ppoll) (void)WriteIfAsked(task, call.arguments[2], time);
}

TurnCalls::Outcome TurnCalls::WaitForFiles(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  const auto waited = waits_.find(task);
  std::optional<Nanoseconds> until;
  if (waited != waits_.end()) {
    until = waited->second.until;
  } else {
    const std::optional<Nanoseconds> patience = PatienceOf(task, call);
    if (patience == Nanoseconds(0)) return Outcome::kGoes;
    if (patience) until = Now() + *patience;
  }
  if (in_truth && !until) return Outcome::kGoes;
  // What select(2) leaves in its sets when the time is over is nothing.
  const std::size_t set_bytes = IsSelect(call) ? (std::min<std::uint64_t>(a[0], 65536) + 63) / 64 * 8 : 0;
  std::array<std::vector<std::uint8_t>, 3> sets;
  for (std::size_t i = 0; IsSelect(call) && i < sets.size(); ++i) {
    if (a[1 + i] == 0) continue;
    sets[i].resize(set_bytes);
    sets[i].resize(ReadTracee(task, a[1 + i], sets[i].data(), set_bytes));
  }
  const std::int64_t result = AskFiles(*guest, call);
  if (result != 0 || (waited != waits_.end() && turns_.IsLate(task))) {
    if (result >= 0) TellTimeLeft(task, call, until);
    return Answer(guest, result);
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets[i].empty()) TryWriteTracee(task, a[1 + i], sets[i].data(), sets[i].size());
  }
  Wait& wait = waits_[task];
  if (waited == waits_.end()) {
    wait.mask = MaskOf(task, call);
    wait.outside = OutsideOf(task, call);
  }
  if (wait.mask) {
    // A signal that only this call lets in comes in it.
    const std::optional<SignalSets> signals = SignalsOf(task);
    if (signals && Deliverable(*signals) != 0) return Outcome::kGoes;
  }
  return Again(guest, until, true);
}

// A timer's descriptor is read as timerfd_create(2) says.
std::optional<TurnCalls::Outcome> TurnCalls::ReadTimer(Guest* guest, const StoppedCall& call) {
  const std::vector<Buffer> buffers = BuffersOf(guest->tid(), call);
  const bool fits = SizeOf(buffers) >= sizeof(std::uint64_t);
  if (!fits) return std::nullopt;  // the kernel refuses that
  const std::optional<std::uint64_t> expired = timers_.TakeExpirations(*guest, call.arguments[0]);
  if (!expired) return std::nullopt;
  if (*expired == 0) {
    const bool waits = (guest->Make(SYS_fcntl, {call.arguments[0], F_GETFL, 0}) & O_NONBLOCK) == 0;
    return waits ? Again(guest, std::nullopt, false) : Answer(guest, -EAGAIN);
  }
  std::array<std::uint8_t, sizeof *expired> bytes{};
  std::memcpy(bytes.data(), &*expired, bytes.size());
  for (std::size_t done = 0; done < bytes.size();) {
    const Buffer part = Behind(buffers, done);
    const std::size_t size = std::min<std::uint64_t>(part.size, bytes.size() - done);
    if (TryWriteTracee(guest->tid(), part.address, bytes.data() + done, size) != size) return Answer(guest, -EFAULT);
    done += size;
  }
  return Answer(guest, bytes.size());
}

// When a socket's call gives up (socket(7), SO_RCVTIMEO); nothing: never.
std::optional<Nanoseconds> TurnCalls::Patience(Guest* guest, const StoppedCall& call, bool is_socket) const {
  if (const auto waited = waits_.find(guest->tid()); waited != waits_.end() && waited->second.asked) return waited->second.until;
  if (!is_socket) return std::nullopt;
  guest->SetScratch(2, sizeof(timeval));
  const auto option = static_cast<std::uint64_t>(Writes(call.number) ? SO_SNDTIMEO : SO_RCVTIMEO);
  const std::int64_t result = guest->Make(SYS_getsockopt, {call.arguments[0], SOL_SOCKET, option, guest->scratch(), guest->scratch() + 16});
  const std::uint64_t seconds = guest->Scratch(0), microseconds = guest->Scratch(1);
  if (result != 0 || (seconds == 0 && microseconds == 0)) return std::nullopt;
  return Now() + FromTimespec({static_cast<time_t>(seconds), static_cast<long>(microseconds) * 1000}).value_or(Nanoseconds(0));
}

TurnCalls::Outcome TurnCalls::UseFile(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  const std::string name = NameOfFile(task, a[0]);
  if (name == "anon_inode:[timerfd]" && (call.number == SYS_read || call.number == SYS_readv)) {
    if (const auto outcome = ReadTimer(guest, call)) return *outcome;
  }
  // The kernel's call would hold the file; closed by another thread, there may be another of that number.
  if (const auto waited = waits_.find(task); waited != waits_.end() && !waited->second.file.empty() && waited->second.file != name) {
    return Answer(guest, waited->second.done != 0 ? static_cast<std::int64_t>(waited->second.done) : -EBADF);
  }
  const bool was_begun = waits_.contains(task) && waits_[task].done != 0;
  if ((in_truth && !was_begun) || !MayMakeWait(name) || !MayWait(task, call, name)) return Outcome::kGoes;
  const bool is_outside = IsOutside(name);
  if (is_outside && turns_.size() == 1) return Outcome::kGoes;
  const bool writes = Writes(call.number);
  const std::int64_t mode = guest->Make(SYS_fcntl, {a[0], F_GETFL, 0});
  // The kernel refuses one, and does not let the other wait.
  const bool refused = mode < 0 || (mode & O_PATH) != 0 || (mode & O_ACCMODE) == (writes ? O_RDONLY : O_WRONLY);
  if (refused || (mode & O_NONBLOCK) != 0 || (MessageFlags(call) & MSG_DONTWAIT) != 0) return Outcome::kGoes;
  if (is_outside && writes) return Outcome::kGoes;  // its reader is not of the program
  std::optional<Nanoseconds> until = Patience(guest, call, IsSocket(name));
  const std::uint64_t done_before = was_begun ? waits_[task].done : 0;
  const bool outside = is_outside || (!IsPipe(name) && name != "anon_inode:[eventfd]");
  guest->SetScratch(0, PollWord(a[0], writes ? POLLOUT : POLLIN));
  const bool in_parts = MayComeToItsMiddle(task, call, name);
  if (!in_parts && guest->Make(SYS_poll, {guest->scratch(), 1, 0}) != 0) return Outcome::kGoes;
  // A socket that has some room is not ready yet, but takes a part.
  if (in_parts) {
    if (guest->Make(SYS_fcntl, {a[0], F_SETFL, static_cast<std::uint64_t>(mode) | O_NONBLOCK}) != 0) return Outcome::kGoes;
    const std::optional<std::int64_t> result = MakePart(*guest, call, IsSocket(name));
    (void)guest->Make(SYS_fcntl, {a[0], F_SETFL, static_cast<std::uint64_t>(mode)});
    if (result) return Answer(guest, *result);
  }
  Wait& wait = waits_[task];
  const bool goes_on = wait.done != done_before;  // and is patient anew
  if (goes_on) {
    wait.asked = false;
    until = Patience(guest, call, IsSocket(name));
  }
  const bool is_late = wait.asked && until && turns_.IsLate(task);
  if (is_late) return Answer(guest, wait.done != 0 ? static_cast<std::int64_t>(wait.done) : -EAGAIN);
  wait.asked = true;
  wait.file = name;
  waited_outside_ = waited_outside_ || is_outside;
  if (is_outside) wait.outside = {{a[0], POLLIN}};
  guest->SetScratch(0, PollWord(a[0], writes ? POLLOUT : POLLIN));
  if (in_truth) (void)guest->Make(SYS_poll, {guest->scratch(), 1, kInTruthMilliseconds});  // what it began it must go on with
  return Again(guest, until, outside);
}

// The call, or what is left of it, as far as it goes without waiting. Its result; nothing: it is not done yet.
std::optional<std::int64_t> TurnCalls::MakePart(const Guest& guest, const StoppedCall& call, bool is_socket) {
  const auto& a = call.arguments;
  const std::vector<Buffer> buffers = BuffersOf(guest.tid(), call);
  const bool writes = Writes(call.number);
  const bool is_stream = !is_socket || SocketOption(guest, a[0], SO_TYPE) == SOCK_STREAM;
  const std::uint64_t size = is_stream ? SizeOf(buffers) : 0;
  std::uint64_t& done = waits_[guest.tid()].done;
  std::int64_t result = 0;
  do {
    const Buffer part = Behind(buffers, done);
    if (done == 0) {
      result = guest.Make(static_cast<long>(call.number), {a[0], a[1], a[2], a[3], a[4], a[5]});
    } else if (is_socket) {
      // Who has sent a part is told of that, and gets no signal (net/unix/af_unix.c, unix_stream_sendmsg).
      const std::uint64_t flags = MessageFlags(call) | (writes ? MSG_NOSIGNAL : 0);
      result = guest.Make(writes ? SYS_sendto : SYS_recvfrom, {a[0], part.address, part.size, flags, 0, 0});
    } else {
      result = guest.Make(writes ? SYS_write : SYS_read, {a[0], part.address, part.size});
    }
    if (result > 0) done += static_cast<std::uint64_t>(result);
  } while (result > 0 && done < size);
  if (done != 0) turns_.NoteChange();
  if (result == -EAGAIN) return std::nullopt;
  return done != 0 ? static_cast<std::int64_t>(done) : result;
}

}  // namespace tally
