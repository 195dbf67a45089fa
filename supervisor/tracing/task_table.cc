#include "supervisor/tracing/task_table.h"

#include <utility>

#include "supervisor/resources/proc_status.h"

namespace tally {
namespace {

pid_t ProcessOf(pid_t tid) {
  return static_cast<pid_t>(ProcStatusNumber(tid, "Tgid").value_or(static_cast<std::uint64_t>(tid)));
}

}  // namespace

void TaskTable::Add(pid_t tid, pid_t process, bool announced) {
  if (!tasks_.emplace(tid, Task{process, announced}).second) return;
  ++processes_[process].tasks;
}

bool TaskTable::AddNew(pid_t tid, pid_t parent) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) {
    Add(tid, ProcessOf(tid), parent >= 0);
    return true;
  }
  if (parent < 0 || found->second.announced) return false;
  found->second.announced = true;
  return true;
}

void TaskTable::NoteExiting(pid_t tid) {
  const auto found = tasks_.find(tid);
  if (found != tasks_.end() && !std::exchange(found->second.exiting, true)) ++exiting_;
}

bool TaskTable::Remove(pid_t tid) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) return false;
  const pid_t process = found->second.process;
  if (!found->second.announced) ended_unannounced_.insert(tid);
  if (found->second.exiting) --exiting_;
  tasks_.erase(found);
  Process& owner = processes_[process];
  if (tid == process) {
    if (const auto clocks = ReadCpuClocks(process)) finished_cpu_.push_back(*clocks - owner.baseline);
  }
  if (--owner.tasks == 0) processes_.erase(process);
  return true;
}

bool TaskTable::Forget(pid_t tid) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) return false;
  --processes_[found->second.process].tasks;
  if (found->second.exiting) --exiting_;
  tasks_.erase(found);
  return true;
}

void TaskTable::BeginCounting(pid_t process) {
  if (const auto clocks = ReadCpuClocks(process)) processes_[process].baseline = *clocks;
}

CpuTime TaskTable::Cpu() const {
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

std::vector<pid_t> TaskTable::All() const {
  std::vector<pid_t> out;
  out.reserve(tasks_.size());
  for (const auto& [tid, task] : tasks_) out.push_back(tid);
  return out;
}

std::vector<pid_t> TaskTable::Processes() const {
  std::vector<pid_t> out;
  out.reserve(processes_.size());
  for (const auto& [process, state] : processes_) out.push_back(process);
  return out;
}

}  // namespace tally
