#include "supervisor/translator/guest/cpuid_answers.h"

#include "supervisor/machine/virtual_cpu.h"

namespace tally {
namespace {

constexpr int kAny = -1;
struct Question {
  std::uint32_t leaf;
  int subleaf;
};
// Those of glibc's init_cpu_features and init_cacheinfo, the most frequent first.
constexpr Question kQuestions[] = {
    {4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {2, kAny}, {0, kAny}, {1, kAny}, {7, 0}, {7, 1}, {0xd, 0}, {0xd, 1},
    {0x8000'0000, kAny}, {0x8000'0001, kAny}, {0x8000'0007, kAny}, {0x8000'0008, kAny},
};

void RestoreFlags(Emitter* out) {
  out->Bytes({0x04, 0x7f});  // add al, 0x7f: overflows if al is 1
  out->Byte(0x9e);           // sahf
}

// The sizes of what a jump goes over.
constexpr std::uint8_t kAnswerSize = 3 + 4 * 5 + 5;
constexpr std::uint8_t kSubleafSize = 5;

}  // namespace

std::vector<HostPc> EmitCpuidAnswers(const VirtualCpu& cpu, Emitter* out) {
  std::vector<HostPc> answered;
  out->Bytes({0x89, 0xc2});        // mov edx, eax
  out->Byte(0x9f);                 // lahf
  out->Bytes({0x0f, 0x90, 0xc0});  // seto al
  for (const Question& question : kQuestions) {
    const bool any = question.subleaf == kAny;
    out->Bytes({0x81, 0xfa});  // cmp edx, leaf
    out->Word32(question.leaf);
    out->Bytes({0x75, static_cast<std::uint8_t>(kAnswerSize + (any ? 0 : kSubleafSize))});  // jne
    if (!any) {
      out->Bytes({0x83, 0xf9, static_cast<std::uint8_t>(question.subleaf)});  // cmp ecx, subleaf
      out->Bytes({0x75, kAnswerSize});                                        // jne
    }
    const CpuidAnswer answer = cpu.Cpuid(question.leaf, any ? 0 : static_cast<std::uint32_t>(question.subleaf));
    RestoreFlags(out);
    out->Byte(0xb8), out->Word32(answer.eax);  // mov eax, imm32
    out->Byte(0xbb), out->Word32(answer.ebx);  // mov ebx, imm32
    out->Byte(0xb9), out->Word32(answer.ecx);  // mov ecx, imm32
    out->Byte(0xba), out->Word32(answer.edx);  // mov edx, imm32
    answered.push_back(out->JumpForGood());
  }
  RestoreFlags(out);
  out->Bytes({0x89, 0xd0});  // mov eax, edx
  return answered;
}

}  // namespace tally
