#include "profile/timeline/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

void Append(const std::string& path, const void* data, std::size_t size) {
  const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  sys::WriteAll(file.get(), {static_cast<const char*>(data), size}, path);
}

}  // namespace

std::string Spool::CallsOf(std::uint32_t thread) const { return fmt::format("{}/{}.calls", folder_, thread); }
std::string Spool::StopsOf(std::uint32_t thread) const { return fmt::format("{}/{}.stops", folder_, thread); }
std::string Spool::TranslationsOf(std::uint32_t thread) const { return fmt::format("{}/{}.translations", folder_, thread); }
std::string Spool::NamesOf(std::uint32_t thread) const { return fmt::format("{}/{}.names", folder_, thread); }

void Spool::AddCalls(std::uint32_t thread, std::span<const ObservedCall> calls) const {
  if (!calls.empty()) Append(CallsOf(thread), calls.data(), calls.size_bytes());
}

void Spool::AddStop(std::uint32_t thread, const SpooledStop& stop) const { Append(StopsOf(thread), &stop, sizeof(stop)); }

void Spool::AddTranslations(std::uint32_t thread, std::span<const SpooledStop> translations) const {
  if (!translations.empty()) Append(TranslationsOf(thread), translations.data(), translations.size_bytes());
}

void Spool::AddNames(std::uint32_t thread, std::string_view encoded) const {
  if (!encoded.empty()) Append(NamesOf(thread), encoded.data(), encoded.size());
}

const char* SpoolReader::Peek(std::size_t size) {
  if (piece_.size() - position_ < size && !ended_) {
    piece_.erase(0, position_);
    position_ = 0;
    const std::optional<Fd> file = sys::TryOpen(path_, O_RDONLY);
    if (!file && errno != ENOENT) throw SystemError("open " + path_, errno);
    const std::size_t kept = piece_.size();
    piece_.resize(kPiece);
    std::size_t filled = kept;
    while (file && !ended_ && filled < piece_.size()) {
      const ssize_t got = ::pread(file->get(), piece_.data() + filled, piece_.size() - filled, static_cast<off_t>(offset_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw SystemError("read " + path_, errno);
      ended_ = got == 0;
      filled += static_cast<std::size_t>(got);
      offset_ += static_cast<std::uint64_t>(got);
    }
    piece_.resize(filled);
    if (!file) {
      ended_ = true;
      piece_.clear();
    }
  }
  return piece_.size() - position_ < size ? nullptr : piece_.data() + position_;
}

std::optional<std::string> SpooledNames::NameFor(std::uint64_t number, Ticks returned) {
  std::optional<std::string> found;
  for (;;) {
    const char* bytes = reader_.Peek(sizeof(SpooledName));
    if (bytes == nullptr) return found;
    SpooledName name;
    std::memcpy(&name, bytes, sizeof(name));
    if (name.when >= returned) return found;
    bytes = reader_.Peek(sizeof(name) + name.length);
    if (bytes == nullptr) return found;
    // One of another call, or of an earlier one of this kind, never came to its return.
    if (name.number == number) found = std::string(bytes + sizeof(name), name.length);
    reader_.Skip(sizeof(name) + name.length);
  }
}

}  // namespace tally
