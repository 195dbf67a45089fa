#include "tests/translator/machine_code.h"

#include <cstring>

namespace tally {

void MachineCode::SystemCall(long number, std::initializer_list<std::uint64_t> arguments) {
  constexpr Register kArguments[] = {kRdi, kRsi, kRdx, kR10, kR8, kR9};
  const Register* next = kArguments;
  for (const std::uint64_t argument : arguments) MoveNumber(*next++, argument);
  MoveNumber(kRax, static_cast<std::uint64_t>(number));
  Bytes({0x0f, 0x05});
}

std::size_t MachineCode::JumpNear() {
  Byte(0xe9);
  Number(0, 4);
  return code_.size();
}

void MachineCode::PatchNear(std::size_t behind) {
  const auto distance = static_cast<std::uint32_t>(code_.size() - behind);
  std::memcpy(&code_[behind - 4], &distance, sizeof distance);
}

void MachineCode::PatchNumber(std::size_t at, std::uint64_t value) { std::memcpy(&code_[at], &value, sizeof value); }

}  // namespace tally
