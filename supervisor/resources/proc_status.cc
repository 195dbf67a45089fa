#include "supervisor/resources/proc_status.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "base/error.h"
#include "base/sys.h"

namespace tally {

std::optional<std::uint64_t> NumberInStatus(std::string_view status, std::string_view field) {
  const std::size_t start = status.find(fmt::format("\n{}:", field));
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view line = status.substr(start, status.find('\n', start + 1) - start);
  const std::size_t last = line.find_last_of("0123456789");
  if (last == std::string_view::npos) return std::nullopt;
  const std::size_t before = line.find_last_not_of("0123456789", last);
  std::uint64_t number = 0;
  std::from_chars(line.data() + before + 1, line.data() + last + 1, number);
  return number;
}

std::optional<std::string> ReadProcStatus(pid_t tid) {
  const std::string path = fmt::format("/proc/{}/status", tid);
  std::optional<std::string> status = sys::TryReadFile(path);
  const bool is_gone = errno == ENOENT || errno == ESRCH || errno == EACCES || errno == EPERM;
  if (!status && !is_gone) throw SystemError("read " + path, errno);
  return status;
}

std::optional<std::uint64_t> ProcStatusNumber(pid_t tid, std::string_view field) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  if (!status) return std::nullopt;
  return NumberInStatus(*status, field);
}

bool IsRunnable(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  return status && status->find("\nState:\tR") != std::string::npos;
}

bool HasEnded(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  return !status || status->find("\nState:\tZ") != std::string::npos || status->find("\nState:\tX") != std::string::npos;
}

namespace {

std::uint64_t MaskIn(const std::string& status, std::string_view field) {
  const std::string key = fmt::format("\n{}:\t", field);
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return 0;
  return std::strtoull(status.c_str() + at + key.size(), nullptr, 16);
}

}  // namespace

std::optional<SignalSets> SignalSetsOf(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  if (!status) return std::nullopt;
  const auto mask = [&](std::string_view field) { return MaskIn(*status, field); };
  return SignalSets{mask("SigPnd"), mask("ShdPnd"), mask("SigBlk"), mask("SigIgn"), mask("SigCgt")};
}

bool IsStopped(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  return status && (status->find("\nState:\tt") != std::string::npos || status->find("\nState:\tT") != std::string::npos);
}

bool IsAsleep(pid_t tid) {
  const std::optional<std::string> status = ReadProcStatus(tid);
  return status && status->find("\nState:\tS") != std::string::npos;
}

std::optional<Bytes> ProcStatusBytes(pid_t tid, std::string_view field) {
  const std::optional<std::uint64_t> kib = ProcStatusNumber(tid, field);
  if (!kib) return std::nullopt;
  return Bytes::KiB(*kib);
}

}  // namespace tally
