// Writes x86-64 machine code for the programs that tests make at random: bytes, numbers, and the few instructions that
// all of those programs need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace tally {

// General registers by their number.
enum Register : std::uint8_t { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR9, kR10, kR11, kR12, kR13, kR14, kR15 };

class MachineCode {
 public:
  // It is to lie at `begin`.
  explicit MachineCode(std::uint64_t begin) : begin_(begin) {}

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] std::size_t size() const { return code_.size(); }
  [[nodiscard]] std::uint64_t here() const { return begin_ + code_.size(); }

  void Byte(int b) { code_.push_back(static_cast<char>(b)); }
  void Bytes(std::initializer_list<int> bytes) {
    for (const int b : bytes) Byte(b);
  }
  void Append(const std::string& bytes) { code_ += bytes; }
  void Number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) Byte(static_cast<int>(value >> (8 * i) & 0xff));
  }
  void Rex(bool wide, int reg, int base) { Byte(0x40 | (wide ? 8 : 0) | (reg >> 3) << 2 | base >> 3); }
  void MoveNumber(int r, std::uint64_t value) {
    Rex(true, 0, r);
    Byte(0xb8 | (r & 7));
    Number(value, 8);
  }
  // To and from an address below 2 GiB.
  void Store(int r, std::uint64_t address) { Absolute(0x89, r, address); }
  void Load(int r, std::uint64_t address) { Absolute(0x8b, r, address); }
  void StoreNumber(std::uint64_t address, std::uint32_t value) {  // eight bytes, sign-extended
    Bytes({0x48, 0xc7, 0x04, 0x25});
    Number(address, 4);
    Number(value, 4);
  }
  // Clobbers rax, rcx, r11 and what holds the arguments.
  void SystemCall(long number, std::initializer_list<std::uint64_t> arguments);

  // Displacements of 32 bits, forwards: the first gives the address behind itself, and the second makes it lead here.
  std::size_t JumpNear();
  void PatchNear(std::size_t behind);
  void PatchNumber(std::size_t at, std::uint64_t value);  // eight bytes
  // A displacement of 32 bits that ends an instruction, to an offset in this code.
  void NearTo(std::size_t to) { Number(to - (code_.size() + 4), 4); }
  void NearToAddress(std::uint64_t to) { Number(to - (here() + 4), 4); }

 protected:
  std::string code_;

 private:
  void Absolute(int opcode, int r, std::uint64_t address) {
    Rex(true, r, 0);
    Bytes({opcode, 0x04 | (r & 7) << 3, 0x25});
    Number(address, 4);
  }

  std::uint64_t begin_;
};

}  // namespace tally
