// What the agent and the sink have to say, line by line on stderr (which is the log of the configuration), each with
// its time. What goes wrong ten times a second is said once, and at the end how often.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tally {

class Log {
 public:
  explicit Log(std::string who) : who_(std::move(who)) {}

  void Say(const std::string& sentence) const;
  // The first time, or when `subject` has another sentence now.
  void SayOnce(const std::string& subject, const std::string& sentence);
  // How often what SayOnce kept to itself was repeated.
  void SayRepetitions() const;

 private:
  struct Said {
    std::string sentence;
    std::uint64_t repeated = 0;
  };

  std::string who_;
  std::map<std::string, Said> said_;
};

}  // namespace tally
