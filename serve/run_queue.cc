#include "serve/run_queue.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "base/units.h"

namespace tally::serve {
namespace {

using nlohmann::json;

constexpr Nanoseconds kPauseOfStarts = Milliseconds(200);
constexpr unsigned kMostFailedStarts = 5;

// Nobody measured it; go-judge's clients expect the keys.
RunAnswer WithoutFigures(const std::string& status, int exit_status, const std::string& sentence) {
  const json answer{{"status", status}, {"error", sentence}, {"exitStatus", exit_status}, {"time", 0}, {"runTime", 0}, {"memory", 0}};
  return {answer, answer.dump()};
}

RunAnswer ParseAnswer(std::string said) {
  const std::size_t end = said.find('\n');
  json head = end == std::string::npos ? json() : json::parse(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
  if (!head.is_object()) return WithoutFigures("Internal Error", 0, "the worker that ran it died");
  said.erase(0, end + 1);
  return {std::move(head), std::move(said)};
}

}  // namespace

std::vector<RunAnswer> CancelledAnswers(std::size_t commands) { return std::vector(commands, WithoutFigures("Signalled", SIGKILL, "cancelled")); }

std::string ListOf(std::vector<RunAnswer> answers) {
  std::string list;
  for (RunAnswer& answer : answers) list += (list.empty() ? '[' : ',') + std::move(answer.text);
  return std::move(list) + "]";
}

RunQueue::RunQueue(const std::vector<std::string>& words, std::size_t workers, std::size_t most_waiting, FileStore* store) : most_waiting_(most_waiting), store_(store) {
  for (std::size_t i = 0; i < workers; ++i) {
    std::vector<std::string> own = words;
    own.insert(own.end(), {"--made-folder", store->FolderOf(i)});
    slots_.push_back({.process = std::make_unique<WorkerProcess>(std::move(own)), .number = i});
  }
}

std::uint64_t RunQueue::Submit(QueuedRun queued) {
  Run run;
  run.left = queued.job.is_null() ? queued.cmds.size() : 1;
  run.answers.resize(run.left);
  run.queued = std::move(queued);
  if (run.left > slots_.size()) throw UserError(fmt::format("cmd: {} commands run at one time; this server has {} (--workers)", run.left, CountOf(slots_.size(), "worker")));
  if (draining_) throw Busy(503, "the server ends");
  if (waiting_.size() >= most_waiting_) throw Busy(429, fmt::format("{} already", waiting_.size() == 1 ? "1 request waits" : CountOf(waiting_.size(), "request") + " wait"));
  runs_[++runs_so_far_] = std::move(run);
  waiting_.push_back(runs_so_far_);
  return runs_so_far_;
}

RunQueue::Cancelled RunQueue::Cancel(std::uint64_t number) {
  const auto found = runs_.find(number);
  if (found == runs_.end()) return Cancelled::kUnknown;
  std::erase(waiting_, number);
  const bool has_started = found->second.has_started;
  for (const RunAnswer& answer : found->second.answers) ForgetFiles(answer);
  runs_.erase(found);
  for (Slot& slot : slots_) {
    if (slot.run != number) continue;
    slot.process->Kill();
    store_->EmptyFolderOf(slot.number);
    slot.run = 0;
  }
  return has_started ? Cancelled::kWhileItRan : Cancelled::kBeforeItRan;
}

RunQueue::Figures RunQueue::figures() const {
  const auto busy = std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.run != 0; });
  return {slots_.size(), static_cast<std::size_t>(busy), waiting_.size(), statuses_};
}

std::size_t RunQueue::Idle() const {
  return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.process->state() == WorkerProcess::State::kIdle && slot.run == 0; }));
}

// ---- starting

void RunQueue::StartDue(Nanoseconds now) {
  StartWorkers(now);
  while (!waiting_.empty()) {
    const std::uint64_t number = waiting_.front();
    Run& run = runs_.at(number);
    if (run.left > Idle()) return;
    waiting_.pop_front();
    try {
      Start(number, &run);
    } catch (const SystemError& error) {  // no descriptors left; no worker has got anything of it
      Fail(number, error.what());
    }
  }
}

// What the host does not have now it may have again; who never had a worker is told at once.
void RunQueue::StartWorkers(Nanoseconds now) {
  for (Slot& slot : slots_) {
    if (slot.process->state() != WorkerProcess::State::kAbsent || now < slot.start_at) continue;
    try {
      slot.process->Start();
    } catch (const SystemError&) {
      if (!had_worker_) throw;
      slot.process->Kill();
      slot.start_at = now + kPauseOfStarts;
    }
  }
}

void RunQueue::Fail(std::uint64_t number, const std::string& sentence) {
  Run& run = runs_.at(number);
  for (RunAnswer& answer : run.answers) answer = WithoutFigures("Internal Error", 0, sentence);
  Finish(number);
}

void RunQueue::Start(std::uint64_t number, Run* run) {
  const QueuedRun& queued = run->queued;
  std::vector<sys::Pipe> pipes;
  for (std::size_t i = 0; i < queued.pipes.size(); ++i) pipes.push_back(sys::MakePipe());
  run->has_started = true;
  std::size_t index = 0;
  for (Slot& slot : slots_) {
    if (index == run->answers.size()) break;
    if (slot.process->state() != WorkerProcess::State::kIdle || slot.run != 0) continue;
    json message{{"job", queued.job}};
    std::vector<int> files;
    if (queued.job.is_null()) {
      message = {{"cmd", queued.cmds[index]}, {"where", fmt::format("cmd[{}]", index)}, {"streams", json::array()}};
      const auto give = [&](const PipeEnd& place, const Fd& end) {
        if (place.cmd != index) return;
        message["streams"].push_back(place.fd);
        files.push_back(end.get());
      };
      for (std::size_t i = 0; i < pipes.size(); ++i) {
        give(queued.pipes[i].in, pipes[i].write_end);
        give(queued.pipes[i].out, pipes[i].read_end);
      }
      for (const QueuedRun::Stream& stream : queued.streams) give(stream.place, stream.end);
    }
    slot.run = number;
    slot.index = index++;
    slot.process->Give(message.dump(-1, ' ', false, json::error_handler_t::replace), files);  // one that is gone is seen when it is read
  }
  run->queued.streams.clear();  // they are the commands' alone
}

// ---- answers

void RunQueue::OnNews(Slot* slot, WorkerProcess::News news, Nanoseconds now) {
  if (news.is_partial) return;
  const std::uint64_t number = std::exchange(slot->run, 0);
  if (news.is_gone) {
    store_->EmptyFolderOf(slot->number);
    slot->start_at = now + kPauseOfStarts;
    if (number == 0 && ++slot->failed_starts >= kMostFailedStarts) throw SystemError("workers end as soon as they start; `tally check-host` says why", 0);
  } else {
    slot->failed_starts = 0;
    had_worker_ = true;
  }
  const auto found = runs_.find(number);
  if (found == runs_.end()) return;
  Run& run = found->second;
  run.answers[slot->index] = ParseAnswer(news.answer.value_or(""));
  TakeFiles(run.answers[slot->index], *slot);
  if (--run.left == 0) Finish(number);
}

void RunQueue::Finish(std::uint64_t number) {
  Run run = std::move(runs_.at(number));
  runs_.erase(number);
  if (run.queued.job.is_null()) {
    for (RunAnswer& answer : run.answers) {
      RegisterFiles(&answer);
      ++statuses_[answer.head.value("status", "Internal Error")];
    }
  }
  run.queued.done(std::move(run.answers));
}

// Before the worker works on something else, with which it may be killed.
void RunQueue::TakeFiles(const RunAnswer& answer, const Slot& slot) {
  const json ids = answer.head.value("fileIds", json::object());
  for (const auto& [name, id] : ids.items()) store_->Take(id.get<std::string>(), slot.number);
}

void RunQueue::RegisterFiles(RunAnswer* answer) {
  const json ids = answer->head.value("fileIds", json::object());
  for (const auto& [name, id] : ids.items()) {
    try {
      store_->Register(id.get<std::string>(), name);
    } catch (const std::exception& error) {
      json whole = json::parse(answer->text);
      whole["status"] = answer->head["status"] = "File Error";
      whole["fileError"].push_back({{"name", name}, {"type", "CopyOutCreate"}, {"message", error.what()}});
      answer->text = whole.dump();
    }
  }
}

// Nobody was told of them.
void RunQueue::ForgetFiles(const RunAnswer& answer) {
  if (!answer.head.is_object()) return;
  const json ids = answer.head.value("fileIds", json::object());
  for (const auto& [name, id] : ids.items()) store_->Discard(id.get<std::string>());
}

// ---- waiting

void RunQueue::AddTo(std::vector<pollfd>* fds) const {
  for (const Slot& slot : slots_) {
    if (slot.process->fd() >= 0) fds->push_back({slot.process->fd(), POLLIN, 0});
  }
}

Nanoseconds RunQueue::longest_wait() const {
  const bool starts = std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.process->state() == WorkerProcess::State::kAbsent; });
  return starts ? kPauseOfStarts : Nanoseconds::max();
}

void RunQueue::Move(const std::vector<pollfd>& fds, Nanoseconds now) {
  for (Slot& slot : slots_) {
    const int fd = slot.process->fd();
    const bool has_news = fd >= 0 && std::any_of(fds.begin(), fds.end(), [fd](const pollfd& one) { return one.fd == fd && one.revents != 0; });
    if (has_news) OnNews(&slot, slot.process->Read(), now);
  }
}

}  // namespace tally::serve
