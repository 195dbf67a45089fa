#include "profile/metrics/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace tally {

void Log::Say(const std::string& sentence) const {
  std::string line =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())), who_, sentence);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  line += '\n';
  // One call, so that lines of several writers do not mix; a log that cannot be written is nobody's failure.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

void Log::SayOnce(const std::string& subject, const std::string& sentence) {
  Said& said = said_[subject];
  if (said.sentence == sentence) {
    ++said.repeated;
    return;
  }
  said.sentence = sentence;
  Say(fmt::format("{}: {}", subject, sentence));
}

void Log::SayRepetitions() const {
  for (const auto& [subject, said] : said_) {
    if (said.repeated > 0) Say(fmt::format("{}: {} ({} more times)", subject, said.sentence, said.repeated));
  }
}

}  // namespace tally
