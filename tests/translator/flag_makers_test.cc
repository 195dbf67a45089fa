// Instructions that are there for their flags alone, against Zydis: on random bytes, and on all the code of this very program.
#include "supervisor/x86/flag_makers.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <random>
#include <span>

#include "base/sys.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

bool Makes(std::initializer_list<std::uint8_t> bytes) {
  std::array<std::uint8_t, kLongestInstruction> code{};
  std::copy(bytes.begin(), bytes.end(), code.begin());
  return OnlyMakesFlags(Decode(0x1000, code, isa::Level::kHost));
}

class Reference {
 public:
  Reference() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // Does one that we call a maker of flags write anything else?
  bool Differs(std::span<const std::uint8_t> code) {
    ZydisDecodedInstruction z;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    if (!OnlyMakesFlags(Decode(0x1000, code, isa::Level::kHost))) return false;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &z, operands.data()))) return false;  // lock: it faults
    ++makers_;
    return std::any_of(operands.begin(), operands.begin() + z.operand_count, [](const ZydisDecodedOperand& o) {
      const bool is_flags = o.type == ZYDIS_OPERAND_TYPE_REGISTER && (o.reg.value == ZYDIS_REGISTER_RFLAGS || o.reg.value == ZYDIS_REGISTER_MXCSR);
      return (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 && !is_flags;
    });
  }
  [[nodiscard]] int makers() const { return makers_; }

 private:
  ZydisDecoder decoder_{};
  int makers_ = 0;
};

TEST_CASE("flag makers: cmp, test, bt, comis and the carry's own, and nothing that also writes a register", "[translator][decode]") {
  CHECK(Makes({0xf9}));                                     // stc
  CHECK(Makes({0xf8}));                                     // clc
  CHECK(Makes({0x9e}));                                     // sahf
  CHECK(Makes({0x85, 0xc0}));                               // test %eax, %eax
  CHECK(Makes({0x48, 0x39, 0xd8}));                         // cmp %rbx, %rax
  CHECK(Makes({0x66, 0x83, 0x38, 0x01}));                   // cmpw $1, (%rax)
  CHECK(Makes({0x48, 0x3d, 1, 0, 0, 0}));                   // cmp $1, %rax
  CHECK(Makes({0x0f, 0xba, 0xe0, 0x03}));                   // bt $3, %eax
  CHECK(Makes({0x66, 0x0f, 0x2e, 0xc1}));                   // ucomisd %xmm1, %xmm0
  CHECK_FALSE(Makes({0x48, 0x83, 0xc4, 0x08}));             // add $8, %rsp
  CHECK_FALSE(Makes({0x31, 0xc0}));                         // xor %eax, %eax
  CHECK_FALSE(Makes({0x0f, 0xba, 0xe8, 0x03}));             // bts $3, %eax
  CHECK_FALSE(Makes({0xf7, 0xd8}));                         // neg %eax
  CHECK_FALSE(Makes({0x9d}));                               // popf, which also takes something from the stack
  CHECK_FALSE(Makes({0x90}));                               // nop
  CHECK_FALSE(Makes({0x66, 0x0f, 0x38, 0xf6, 0xc1}));       // adcx %ecx, %eax
}

TEST_CASE("flag makers: those that are known write nothing else, on random bytes and on all of this program", "[translator][decode]") {
  Reference reference;
  std::mt19937 random(7);
  std::array<std::uint8_t, kLongestInstruction> code{};
  int different = 0;
  for (int i = 0; i < 300'000; ++i) {
    for (std::uint8_t& byte : code) byte = static_cast<std::uint8_t>(random());
    if (i % 3 == 0) code[0] = 0x0f;
    different += reference.Differs(code) ? 1 : 0;
  }
  CHECK(different == 0);
  CHECK(reference.makers() > 10'000);
  const std::string text = sys::TryReadFile("/proc/self/exe").value_or("");
  for (std::size_t at = 0; at + kLongestInstruction < text.size() && at < 4'000'000; ++at) {
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), kLongestInstruction, code.begin());
    different += reference.Differs(code) ? 1 : 0;
  }
  CHECK(different == 0);
}

}  // namespace
}  // namespace tally
