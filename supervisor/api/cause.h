// Why a program was ended or refused, as a value: for those who say it in other words than ours (front_ends/).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tally {

enum class LimitKind : std::uint8_t {
  kUserTime,
  kSystemTime,
  kCpuTime,
  kWallTime,
  kIdleTime,
  kInstructions,
  kMemory,
  kStack,
  kOutput,
  kProcesses,
  kSecondProcess,
  kDeadlock,  // not set by anybody: nobody could ever go on
};

struct ForbiddenCall {
  std::string name;  // "socket", "i386 getpid"
  std::uint64_t number = 0;
  std::array<std::uint64_t, 6> arguments{};
};

}  // namespace tally
