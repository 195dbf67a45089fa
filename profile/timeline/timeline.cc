#include "profile/timeline/timeline.h"

#include <sys/stat.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>

#include "profile/timeline/merge.h"

namespace tally {
namespace {

constexpr std::size_t kLongestName = 4096;  // PATH_MAX

}  // namespace

Ticks TicksNow() { return __rdtsc(); }

ObjectKind KindOfDescriptor(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return ObjectKind::kDevice;  // none: the program gets /dev/null
  switch (status.st_mode & S_IFMT) {
    case S_IFIFO: return ObjectKind::kPipe;
    case S_IFSOCK: return ObjectKind::kSocket;
    case S_IFCHR: return ::isatty(fd) == 1 ? ObjectKind::kTerminal : ObjectKind::kDevice;
    default: return ObjectKind::kFile;
  }
}

std::uint32_t Timeline::Add(const SpooledThread& thread) {
  threads_.push_back(thread);
  const auto number = static_cast<std::uint32_t>(threads_.size() - 1);
  living_[thread.tid] = number;
  return number;
}

std::uint32_t Timeline::NumberOf(pid_t task) const {
  const auto found = living_.find(task);
  return found == living_.end() ? SpooledThread::kNone : found->second;
}

void Timeline::Began(pid_t first, Ticks when) {
  scale_.origin = when;
  Add({.tid = first, .begin = when});
}

void Timeline::TaskBegan(pid_t task, pid_t parent, bool is_thread, bool shares_descriptors, Ticks when) {
  Add({task, NumberOf(parent), is_thread, shares_descriptors, false, false, when, 0});
}

void Timeline::TaskEnded(pid_t task, const ObservedCall* unfinished, Ticks when) {
  const std::uint32_t number = NumberOf(task);
  if (number == SpooledThread::kNone) return;
  WriteNames(number);
  names_.erase(number);
  WriteTranslations(number);
  translations_.erase(number);
  living_.erase(task);
  SpooledThread& thread = threads_[number];
  thread.ended = true;
  thread.end = std::max(when, thread.begin);
  if (unfinished == nullptr) return;
  ObservedCall last = *unfinished;
  last.end = thread.end;
  thread.unfinished = true;
  spool_.AddCalls(number, {&last, 1});
}

void Timeline::Named(pid_t task, std::uint64_t number, std::string_view name) {
  const std::uint32_t thread = NumberOf(task);
  if (thread == SpooledThread::kNone) return;
  name = name.substr(0, kLongestName);
  const SpooledName head{now_(), static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(name.size())};
  std::string& names = names_[thread];
  names.append(reinterpret_cast<const char*>(&head), sizeof(head));
  names.append(name);
  if (names.size() >= kNamesKept) WriteNames(thread);
}

void Timeline::WriteNames(std::uint32_t thread) {
  const auto found = names_.find(thread);
  if (found == names_.end()) return;
  spool_.AddNames(thread, found->second);
  found->second.clear();
}

void Timeline::Called(pid_t task, std::span<const ObservedCall> calls) {
  const std::uint32_t thread = NumberOf(task);
  if (thread != SpooledThread::kNone) spool_.AddCalls(thread, calls);
}

void Timeline::Stopped(pid_t task, Ticks begin, Ticks end) {
  const std::uint32_t thread = NumberOf(task);
  if (thread != SpooledThread::kNone) spool_.AddStop(thread, {begin, end});
}

void Timeline::Translated(pid_t task, Ticks begin, Ticks end, Nanoseconds idle) {
  const std::uint32_t thread = NumberOf(task);
  if (thread == SpooledThread::kNone) return;
  std::vector<SpooledStop>& kept = translations_[thread];
  kept.push_back({begin, end, static_cast<std::uint64_t>(idle.count())});
  if (kept.size() >= kTranslationsKept) WriteTranslations(thread);
}

void Timeline::WriteTranslations(std::uint32_t thread) {
  const auto found = translations_.find(thread);
  if (found == translations_.end()) return;
  spool_.AddTranslations(thread, found->second);
  found->second.clear();
}

void Timeline::Clock(Ticks begin, Ticks end, std::uint64_t nanoseconds) {
  scale_.ticks = end - begin;
  scale_.nanoseconds = nanoseconds;
  over_ = end;
}

void Timeline::Merge(const std::string& path) {
  for (std::uint32_t number = 0; number < threads_.size(); ++number) {
    WriteNames(number);
    WriteTranslations(number);
    SpooledThread& thread = threads_[number];
    if (!thread.ended) thread.end = std::max(over_, thread.begin);
  }
  TimelineMerge(&spool_, threads_, scale_, program_, streams_).WriteTo(path);
}

}  // namespace tally
