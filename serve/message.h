// What the server and its workers say to each other over a socket: a text, and open files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace tally::serve {

struct Message {
  std::string text;
  std::vector<Fd> files;
};

// A message of text alone, as it comes in.
class MessageReader {
 public:
  enum class State { kPartial, kWhole, kGone };
  // Does not wait, and takes a mebibyte at most. Of a whole one the text is there until the next call.
  State Read(int socket);
  [[nodiscard]] std::string& text() { return text_; }
  void Reset();

 private:
  std::uint64_t size_ = 0;
  std::size_t head_ = 0, received_ = 0;  // bytes
  std::string text_;
};

// Both wait. At most 16 files. False, and nothing: the other side is gone.
bool Send(int socket, std::string_view text, const std::vector<int>& files = {});
bool Receive(int socket, Message* message);

}  // namespace tally::serve
