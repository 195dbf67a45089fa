// What a worker and its instances say to each other over a socket: a kind, a size, and so many bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tally {

enum class FrameKind : std::uint32_t {
  kSettings = 1,  // to an instance, once (instance_settings.h)
  kReady,         // from it, once: how its quota of processors is held
  kEvaluation,    // to it: a request's body
  kUser,          // to it, ahead of a job: who published it, as the broker has it; "": it is not known
  kJob,
  kAnswer,        // from it
};

struct Frame {
  FrameKind kind{};
  std::string body;
};

struct FrameHead {
  FrameKind kind;
  std::uint32_t zero = 0;
  std::uint64_t size;
};

std::string HeadOf(FrameKind kind, std::size_t size);

// Both wait. nullopt: the other end is gone.
std::optional<Frame> ReceiveFrame(int socket);
void SendFrame(int socket, FrameKind kind, std::string_view body);

// For who must not wait: bytes as they come, frames as they are whole.
class FrameBuffer {
 public:
  void Add(std::string_view bytes) { bytes_ += bytes; }
  std::optional<Frame> Take();

 private:
  std::string bytes_;
};

}  // namespace tally
