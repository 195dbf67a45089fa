#include "supervisor/tracing/tasks.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/sys.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// The process of a task that is a tracee of ours; nothing: it is not, or no more.
std::optional<pid_t> ProcessOfTracee(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  if (!status || NumberInStatus(*status, "TracerPid") != static_cast<std::uint64_t>(::getpid())) return std::nullopt;
  const std::optional<std::uint64_t> process = NumberInStatus(*status, "Tgid");
  if (!process) return std::nullopt;
  return static_cast<pid_t>(*process);
}

// Our own children, orphans that came to us included (PR_SET_CHILD_SUBREAPER).
std::vector<pid_t> OurChildren() {
  const std::string text = sys::TryReadFile(fmt::format("/proc/self/task/{}/children", ::gettid())).value_or("");
  std::vector<pid_t> out;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    pid_t child = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), child);
    if (error == std::errc()) out.push_back(child);
    at = std::max(end, at) + 1;
  }
  return out;
}

}  // namespace

void Tasks::Begin(pid_t program) { Add(program, program, State::kLive); }

void Tasks::Add(pid_t tid, pid_t process, State state) {
  tasks_.emplace(tid, Task{process, state});
  ++processes_[process].tasks;
}

bool Tasks::AddNew(pid_t tid, pid_t parent) {
  const auto found = tasks_.find(tid);
  if (found != tasks_.end()) {
    if (parent < 0 || found->second.state != State::kNew) return false;
    found->second.state = State::kLive;
    return true;
  }
  const std::optional<pid_t> process = ProcessOfTracee(tid);
  if (!process) return false;
  Add(tid, *process, parent < 0 ? State::kNew : State::kLive);
  if (is_killing_) Kill(tid);
  return true;
}

void Tasks::NoteExiting(pid_t tid) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end() || found->second.state == State::kExiting) return;
  found->second.state = State::kExiting;
  if (found->second.process != tid) ++exiting_threads_;
}

bool Tasks::NoteExec(pid_t tid, pid_t former) {
  if (const auto found = tasks_.find(tid); found != tasks_.end()) found->second.state = State::kLive;
  if (former == tid || tasks_.count(former) == 0) return false;
  Drop(former);
  return true;
}

void Tasks::Drop(pid_t tid) {
  const auto found = tasks_.find(tid);
  const Task task = found->second;
  if (task.state == State::kExiting && task.process != tid) --exiting_threads_;
  tasks_.erase(found);
  --processes_[task.process].tasks;
}

bool Tasks::Remove(pid_t tid) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) return false;
  const pid_t process = found->second.process;
  Drop(tid);
  const Process& owner = processes_[process];
  if (tid == process) {
    if (const auto clocks = ReadCpuClocks(process)) finished_cpu_.push_back(*clocks - owner.baseline);
    zombies_.insert(process);
  }
  if (owner.tasks == 0) processes_.erase(process);
  return true;
}

void Tasks::KillAll() {
  is_killing_ = true;
  for (const auto& [process, state] : processes_) ::kill(process, SIGKILL);
}

void Tasks::Kill(pid_t tid) {
  const auto found = tasks_.find(tid);
  const std::optional<pid_t> process = found != tasks_.end() ? found->second.process : ProcessOfTracee(tid);
  if (process) ::kill(*process, SIGKILL);
}

// A fork that a signal to its maker has not prevented has made its child by the time its maker's end is seen, and the
// child is a tracee from its first moment (kernel/fork.c, copy_process: ptrace_init_task, then "fatal_signal_pending").
bool Tasks::KillStragglers() {
  bool found = false;
  for (const pid_t child : OurChildren()) {
    if (!ProcessOfTracee(child)) continue;
    ::kill(child, SIGKILL);
    found = true;
  }
  return found;
}

void Tasks::BeginCounting(pid_t process) {
  if (const auto clocks = ReadCpuClocks(process)) processes_[process].baseline = *clocks;
}

CpuTime Tasks::Cpu() const {
  CpuTime sum;
  const auto add = [&sum](const CpuClocks& clocks) {
    const CpuTime split = clocks.Split();
    sum.user += split.user;
    sum.system += split.system;
  };
  for (const CpuClocks& clocks : finished_cpu_) add(clocks);
  for (const auto& [process, state] : processes_) {
    if (const auto clocks = ReadCpuClocks(process)) add(*clocks - state.baseline);
  }
  return sum;
}

std::vector<pid_t> Tasks::All() const {
  std::vector<pid_t> out;
  out.reserve(tasks_.size());
  for (const auto& [tid, task] : tasks_) out.push_back(tid);
  return out;
}

namespace {

// "PID (name) STATE PARENT ...", where a name may hold anything (proc(5)).
struct Stat {
  char state = 0;
  pid_t parent = 0;
};

Stat StatOf(pid_t process) {
  const std::string stat = sys::TryReadFile(fmt::format("/proc/{}/stat", process)).value_or("");
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 >= stat.size()) return {};
  Stat out{.state = stat[name_end + 2]};
  std::from_chars(stat.data() + name_end + 4, stat.data() + stat.size(), out.parent);
  return out;
}

// Has it come to its exit, or beyond, and nobody has seen that yet?
bool HasExitAhead(pid_t tid) {
  const std::optional<WaitStatus> event = waits::LookAt(tid).event;
  return event && (event->IsEnd() || event->event() == PTRACE_EVENT_EXIT);
}

}  // namespace

bool Tasks::IsAtItsEnd(pid_t tid, const Task& task) { return task.state == State::kExiting || HasExitAhead(tid); }

// Init waits at once for those that it inherits, also from a parent that is at its own end.
bool Tasks::HasParentHere(pid_t process) const { return IsAlive(StatOf(process).parent); }

bool Tasks::IsZombie(pid_t process) const {
  const Stat stat = StatOf(process);
  return stat.state == 'Z' && IsAlive(stat.parent);
}

bool Tasks::IsAlive(pid_t process) const {
  return std::any_of(tasks_.begin(), tasks_.end(), [process](const auto& entry) {
    return entry.second.process == process && !IsAtItsEnd(entry.first, entry.second);
  });
}

bool Tasks::AreMoreThan(std::size_t limit) {
  if (tasks_.size() - exiting_threads_ + zombies_.size() <= limit) return false;
  std::erase_if(zombies_, [this](pid_t process) { return !IsZombie(process); });
  const auto counts = [this](const auto& entry) {
    const auto& [tid, task] = entry;
    return !IsAtItsEnd(tid, task) || (task.process == tid && HasParentHere(tid));
  };
  const auto alive = static_cast<std::size_t>(std::count_if(tasks_.begin(), tasks_.end(), counts));
  return alive + zombies_.size() > limit;
}

std::vector<pid_t> Tasks::Processes() const {
  std::vector<pid_t> out;
  out.reserve(processes_.size());
  for (const auto& [process, state] : processes_) out.push_back(process);
  return out;
}

}  // namespace tally
