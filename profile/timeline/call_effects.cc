#include "profile/timeline/call_effects.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>

namespace tally {
namespace {

ObjectKind KindOfPath(const std::string& path) {
  return path.starts_with("/dev/") && !path.starts_with("/dev/shm/") ? ObjectKind::kDevice : ObjectKind::kFile;
}

bool ClosesOnExec(const CallRow& row, const ObservedCall& call) {
  return row.flags >= 0 && (call.arguments[row.flags] & row.close_on_exec) != 0;
}

}  // namespace

bool CallEffects::IsNamed(const CallRow& row) {
  return (row.effect == Effect::kOpen || row.effect == Effect::kExecute || row.effect == Effect::kConnect ||
          row.effect == Effect::kBind) &&
         row.number != SYS_execveat;
}

ObjectNumber CallEffects::ObjectOf(Descriptors* descriptors, const CallRow& row, std::uint64_t fd, std::int64_t result) {
  const int number = static_cast<int>(fd);
  const std::optional<ObjectNumber> known = descriptors->Of(number);
  if (known) return *known;
  if (result == -EBADF) return kNoObject;
  const bool is_socket = row.event.starts_with("socket.");
  const ObjectNumber object = objects_->Find(is_socket ? ObjectKind::kSocket : ObjectKind::kUnknown, "descriptor " + std::to_string(number));
  if (row.effect != Effect::kClose) descriptors->Open(number, object, false);
  return object;
}

OpenedObjects CallEffects::Begin(Descriptors* descriptors, const CallRow& row, const TimedCall& call, ObjectNumber object,
                                 const std::optional<std::string>& name) {
  const bool done = !call.unfinished && call.call.result >= 0;
  const bool begun = done || (!call.unfinished && call.call.result == -EINPROGRESS);
  switch (row.effect) {
    case Effect::kConnect:
    case Effect::kBind:
      if (begun && name && object != kNoObject) objects_->AddToName(object, (row.effect == Effect::kBind ? "at " : "to ") + *name);
      return {};
    case Effect::kClose: descriptors->Close(static_cast<int>(call.call.arguments[0])); return {};
    default: break;
  }
  if (!done) return {};
  switch (row.effect) {
    case Effect::kDuplicate:
    case Effect::kControl: return {object};
    case Effect::kAccept: {
      const ObjectNumber accepted = objects_->Make(ObjectKind::kSocket);
      if (object != kNoObject) objects_->AddToName(accepted, "from " + objects_->name(object));
      ++objects_->usage(accepted).opens;
      return {accepted};
    }
    case Effect::kOpen: {
      const std::string path = PathOf(*descriptors, call, name.value_or("(unknown)"));
      return {objects_->Find(KindOfPath(path), path)};
    }
    case Effect::kExecute: return {objects_->Find(ObjectKind::kFile, name.value_or("(unknown)"))};
    case Effect::kMemory: return {objects_->Find(ObjectKind::kFile, "(memory)")};
    case Effect::kEvent: return {objects_->Make(ObjectKind::kEvent)};
    case Effect::kSocket: return {objects_->Make(ObjectKind::kSocket)};
    case Effect::kPipe: {
      const ObjectNumber pipe = objects_->Make(ObjectKind::kPipe);
      return {pipe, pipe};
    }
    case Effect::kSocketPair: {
      const OpenedObjects pair{objects_->Make(ObjectKind::kSocket), objects_->Make(ObjectKind::kSocket)};
      ++objects_->usage(pair.second).opens;
      return pair;
    }
    default: return {};
  }
}

bool CallEffects::IsOpen(const CallRow& row) {
  switch (row.effect) {
    case Effect::kOpen:
    case Effect::kMemory:
    case Effect::kEvent:
    case Effect::kSocket:
    case Effect::kPipe:
    case Effect::kSocketPair: return true;
    default: return false;
  }
}

// As the program named it; beside another descriptor where it named that.
std::string CallEffects::PathOf(const Descriptors& descriptors, const TimedCall& call, const std::string& name) {
  const bool at = call.call.number == SYS_openat || call.call.number == SYS_openat2;
  const int folder = static_cast<int>(call.call.arguments[0]);
  if (!at || name.starts_with('/') || folder == AT_FDCWD) return name;
  const std::optional<ObjectNumber> of = descriptors.Of(folder);
  return of ? objects_->name(*of) + "/" + name : name;
}

void CallEffects::End(std::shared_ptr<Descriptors>* shared, const TimedCall& call, const OpenedObjects& opened) {
  const CallRow* row = RowOf(call.call.number);
  if (row == nullptr || call.unfinished || call.call.result < 0) return;
  const auto& arguments = call.call.arguments;
  const int result = static_cast<int>(call.call.result);
  Descriptors& descriptors = **shared;
  const bool close_on_exec = ClosesOnExec(*row, call.call);
  switch (row->effect) {
    case Effect::kOpen:
    case Effect::kDuplicate:
    case Effect::kSocket:
    case Effect::kAccept:
    case Effect::kEvent:
    case Effect::kMemory:
      if (opened.first != kNoObject) descriptors.Open(result, opened.first, close_on_exec);
      break;
    case Effect::kPipe:
    case Effect::kSocketPair: {
      const auto [first, second] = descriptors.LowestFree();
      descriptors.Open(first, opened.first, close_on_exec);
      descriptors.Open(second, opened.second, close_on_exec);
      break;
    }
    case Effect::kControl: {
      const int fd = static_cast<int>(arguments[0]);
      if (row->number == SYS_ioctl) {
        if (arguments[1] == FIOCLEX || arguments[1] == FIONCLEX) descriptors.SetCloseOnExec(fd, arguments[1] == FIOCLEX);
      } else if (arguments[1] == F_SETFD) {
        descriptors.SetCloseOnExec(fd, (arguments[2] & FD_CLOEXEC) != 0);
      } else if ((arguments[1] == F_DUPFD || arguments[1] == F_DUPFD_CLOEXEC) && opened.first != kNoObject) {
        descriptors.Open(result, opened.first, arguments[1] == F_DUPFD_CLOEXEC);
      }
      break;
    }
    case Effect::kCloseRange: {
      constexpr std::uint64_t kUnshare = 2, kCloseOnExec = 4;  // CLOSE_RANGE_*
      if ((arguments[2] & kUnshare) != 0) *shared = std::make_shared<Descriptors>(descriptors);
      if ((arguments[2] & kCloseOnExec) != 0) {
        (*shared)->SetCloseOnExec(arguments[0], arguments[1]);
      } else {
        (*shared)->CloseRange(arguments[0], arguments[1]);
      }
      break;
    }
    case Effect::kExecute:
      // From here on they are its own, whoever had them with it.
      *shared = std::make_shared<Descriptors>(descriptors);
      (*shared)->CloseOnExec();
      break;
    default: break;
  }
}

}  // namespace tally
