#include "profile/timeline/merge.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <queue>

namespace tally {
namespace {

std::string Basename(const std::string& path) {
  const std::size_t slash = path.find_last_not_of('/');
  return path.substr(path.rfind('/', slash) + 1);
}

void Add(CallUsage* usage, const TimelineRecord& record, std::uint64_t nanoseconds) {
  ++usage->calls;
  usage->failed += record.Has(TimelineRecord::kFailed) ? 1 : 0;
  usage->opens += record.Has(TimelineRecord::kOpens) ? 1 : 0;
  usage->bytes_read += record.Has(TimelineRecord::kReads) ? record.amount : 0;
  usage->bytes_written += record.Has(TimelineRecord::kWrites) ? record.amount : 0;
  usage->nanoseconds += nanoseconds;
}

bool NamesItself(const TimedCall& call) {
  return call.call.number == SYS_prctl && static_cast<std::uint32_t>(call.call.arguments[0]) == PR_SET_NAME && !call.unfinished && call.call.result == 0;
}

}  // namespace

TimelineMerge::TimelineMerge(const Spool* spool, const std::vector<SpooledThread>& threads, const TickScale& scale,
                             const std::string& program, const StreamKinds& streams)
    : spool_(spool), threads_(threads), scale_(scale), streams_(streams), objects_(spool->folder()) {
  tables_.program = program;
}

void TimelineMerge::WriteTo(const std::string& path) {
  writer_ = std::make_unique<TimelineWriter>(path);
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> moments;
  std::uint32_t next = 0;
  for (;;) {
    const std::uint64_t begin = next < threads_.size() ? scale_.ToNanoseconds(threads_[next].begin) : 0;
    if (next < threads_.size() && (moments.empty() || begin < moments.top().when ||
                                   (begin == moments.top().when && moments.top().is_begin))) {
      Begin(next);
      moments.push(NextOf(next++));
      continue;
    }
    if (moments.empty()) break;
    const Moment moment = moments.top();
    moments.pop();
    Step(moment);
    if (living_.contains(moment.thread)) moments.push(NextOf(moment.thread));
  }
  tables_.time = sweep_.parts();
  tables_.events = writer_->events();
  writer_->Finish(tables_, objects_);
}

void TimelineMerge::Begin(std::uint32_t number) {
  const SpooledThread& thread = threads_[number];
  // Threads are told of in the order in which they begin; a counter that is a little behind changes nothing about it.
  const std::uint64_t now = std::max(scale_.ToNanoseconds(thread.begin), tables_.duration);
  const auto parent = living_.find(thread.parent);
  std::shared_ptr<Descriptors> descriptors;
  if (parent != living_.end() && thread.shares_descriptors) {
    descriptors = parent->second.descriptors;
  } else if (parent != living_.end()) {
    descriptors = std::make_shared<Descriptors>(*parent->second.descriptors);
  } else {
    descriptors = std::make_shared<Descriptors>();
    constexpr const char* kNames[] = {"stdin", "stdout", "stderr"};
    for (int fd = 0; fd < 3; ++fd) descriptors->Open(fd, objects_.Find(streams_[static_cast<std::size_t>(fd)], kNames[fd]), false);
  }
  TimelineThread row;
  row.tid = thread.tid;
  row.parent = thread.parent;
  const bool is_process = !thread.is_thread || thread.parent == SpooledThread::kNone;
  row.process = is_process ? number : tables_.threads[thread.parent].process;
  row.name = thread.parent == SpooledThread::kNone ? Basename(tables_.program) : tables_.threads[thread.parent].name;
  row.begin = now;
  tables_.threads.push_back(std::move(row));
  const std::uint64_t end = std::max(scale_.ToNanoseconds(thread.end), now);
  living_.emplace(number, Living{ThreadCursor(*spool_, number, thread, scale_), std::move(descriptors), end, false, false, false,
                                 Resource::kCpu, now, Resource::kCpu, {}});
  sweep_.Enter(now, Resource::kCpu);
  Mark(number, now, ".begin");
}

void TimelineMerge::End(std::uint32_t number, std::uint64_t now) {
  Living& living = living_.at(number);
  TimelineThread& row = tables_.threads[number];
  row.time[living.state] += now - living.since;
  row.end = now;
  sweep_.Leave(now, living.state);
  Mark(number, now, ".end");
  living_.erase(number);
}

void TimelineMerge::Mark(std::uint32_t number, std::uint64_t now, const char* what) {
  TimelineRecord record;
  record.begin = record.end = now;
  record.thread = number;
  const std::string of = tables_.threads[number].process == number ? "process" : "thread";
  record.event = KindNumber(of + what, Resource::kCpu);
  writer_->Add(record);
}

TimelineMerge::Moment TimelineMerge::NextOf(std::uint32_t number) {
  Living& living = living_.at(number);
  std::optional<Moment> next;
  const auto consider = [&](std::uint64_t when, bool is_begin) {
    const Moment moment{std::max(when, living.since), is_begin, number};
    if (!next || *next > moment) next = moment;
  };
  if (const TimedCall* call = living.cursor.Call()) consider(living.in_call ? call->end : call->begin, !living.in_call);
  if (const TimedStop* stop = living.cursor.Stop()) consider(living.in_stop ? stop->end : stop->begin, !living.in_stop);
  if (const TimedStop* translation = living.cursor.Translation()) {
    consider(living.in_translation ? translation->end : translation->begin, !living.in_translation);
  }
  if (!next) consider(living.end, true);  // behind all that others do at that moment
  return *next;
}

void TimelineMerge::Step(const Moment& moment) {
  Living& living = living_.at(moment.thread);
  const std::uint64_t now = moment.when;
  tables_.duration = std::max(tables_.duration, now);
  const TimedCall* call = living.cursor.Call();
  const TimedStop* stop = living.cursor.Stop();
  const TimedStop* translation = living.cursor.Translation();
  if (call == nullptr && stop == nullptr && translation == nullptr) return End(moment.thread, now);
  if (living.in_translation && translation->end <= now) {
    living.in_translation = false;
    living.cursor.SkipTranslation();
  } else if (living.in_call && call->end <= now) {
    CallEffects::End(&living.descriptors, *call, living.opened);
    living.cursor.SkipCall();
    living.in_call = false;
  } else if (living.in_stop && stop->end <= now) {
    living.in_stop = false;
    living.cursor.SkipStop();
  } else if (stop != nullptr && !living.in_stop && stop->begin <= now) {
    BeginStop(moment.thread, now);
  } else if (translation != nullptr && !living.in_translation && translation->begin <= now) {
    living.in_translation = true;
  } else {
    BeginCall(moment.thread, now);
  }
  SetState(moment.thread, now);
}

void TimelineMerge::SetState(std::uint32_t number, std::uint64_t now) {
  Living& living = living_.at(number);
  Resource state = living.in_call ? living.of_call : Resource::kCpu;
  const bool uses_something = state == Resource::kCpu || state == Resource::kFile || state == Resource::kNetwork;
  if (living.in_translation && uses_something) state = Resource::kTally;
  if (living.in_stop && state != Resource::kSleep) state = Resource::kStopped;
  tables_.threads[number].time[living.state] += now - living.since;
  living.since = now;
  if (state == living.state) return;
  sweep_.Leave(now, living.state);
  sweep_.Enter(now, state);
  living.state = state;
}

void TimelineMerge::BeginStop(std::uint32_t number, std::uint64_t now) {
  Living& living = living_.at(number);
  living.in_stop = true;
  TimelineRecord record;
  record.begin = now;
  record.end = std::max(living.cursor.Stop()->end, now);
  record.stopped = record.end - record.begin;
  record.thread = number;
  record.event = KindNumber("stopped", Resource::kStopped);
  writer_->Add(record);
}

void TimelineMerge::BeginCall(std::uint32_t number, std::uint64_t now) {
  Living& living = living_.at(number);
  const TimedCall call = *living.cursor.Call();
  living.in_call = true;
  living.of_call = Resource::kCpu;
  living.opened = {};
  ++tables_.calls;
  ++tables_.threads[number].calls;
  const CallRow* row = RowOf(call.call.number);
  if (NamesItself(call)) tables_.threads[number].name = living.cursor.Name().value_or(tables_.threads[number].name);
  if (row == nullptr) return;

  ObjectNumber object = kNoObject;
  Descriptors* descriptors = living.descriptors.get();
  if (row->descriptor >= 0) {
    object = effects_.ObjectOf(descriptors, *row, call.call.arguments[row->descriptor], call.call.result);
  }
  const ObjectKind kind = object == kNoObject ? ObjectKind::kUnknown : objects_.kind(object);
  const std::optional<std::string> name = CallEffects::IsNamed(*row) ? living.cursor.Name() : std::nullopt;
  living.opened = effects_.Begin(descriptors, *row, call, object, name);
  const ObjectNumber opened = living.opened.first;
  if (!IsEvent(*row, call.call.arguments)) return;

  const Resource resource = ResourceOf(*row, kind, call.call.arguments);
  living.of_call = resource;
  TimelineRecord record;
  record.begin = now;
  record.end = std::max(call.end, now);
  record.stopped = living.cursor.StoppedWithin(record.begin, record.end);
  record.result = call.unfinished ? 0 : call.call.result;
  record.thread = number;
  record.object = object != kNoObject ? object : opened;
  record.event = KindNumber(EventName(*row, kind, resource), resource);
  if (call.unfinished) {
    record.flags = TimelineRecord::kUnfinished;
  } else if (call.call.result < 0) {
    record.flags = TimelineRecord::kFailed;
  } else if (row->amount != Amount::kNone) {
    record.amount = static_cast<std::uint64_t>(call.call.result);
    record.flags = row->amount == Amount::kRead ? TimelineRecord::kReads : TimelineRecord::kWrites;
  }
  if (row->effect == Effect::kExecute) {
    if (opened != kNoObject) tables_.threads[number].name = Basename(objects_.name(opened));
  } else if (opened != kNoObject && CallEffects::IsOpen(*row)) {
    record.flags |= TimelineRecord::kOpens;
  }
  AddUsage(record, *row, call, resource);
  writer_->Add(record);
}

void TimelineMerge::AddUsage(const TimelineRecord& record, const CallRow& row, const TimedCall& call, Resource resource) {
  std::uint64_t nanoseconds = record.end - record.begin;
  if (resource != Resource::kSleep) nanoseconds -= record.stopped;
  const bool uses_something = resource == Resource::kCpu || resource == Resource::kFile || resource == Resource::kNetwork;
  if (uses_something) nanoseconds -= std::min(nanoseconds, living_.at(record.thread).cursor.TranslatedWithin(record.begin, record.end));
  Add(&tables_.kinds[record.event].usage, record, nanoseconds);
  Add(&tables_.usage[resource], record, nanoseconds);
  Add(&tables_.threads[record.thread].usage[resource], record, nanoseconds);
  if (record.object != kNoObject) Add(&objects_.usage(record.object), record, nanoseconds);
  if (row.amount != Amount::kMoved || record.amount == 0) return;
  // What was read to be written: of the source alone.
  const ObjectNumber source =
      effects_.ObjectOf(living_.at(record.thread).descriptors.get(), row, call.call.arguments[row.source], 0);
  objects_.usage(source).bytes_read += record.amount;
  tables_.usage[resource].bytes_read += record.amount;
  tables_.threads[record.thread].usage[resource].bytes_read += record.amount;
}

std::uint16_t TimelineMerge::KindNumber(const std::string& name, Resource resource) {
  const auto found = kinds_.find(name);
  if (found != kinds_.end()) return found->second;
  const auto number = static_cast<std::uint16_t>(tables_.kinds.size());
  tables_.kinds.push_back({name, resource, {}});
  kinds_.emplace(name, number);
  return number;
}

}  // namespace tally
