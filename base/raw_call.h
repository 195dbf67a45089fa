// A system call without libc: for code that runs before libc is ready, or beside it.
#pragma once

#include <cstdint>

namespace tally {

// What the kernel returns: -errno of a call that fails. syscall(2), "Architecture calling conventions".
inline std::int64_t RawCall(std::int64_t number, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0, std::uint64_t d = 0, std::uint64_t e = 0,
                            std::uint64_t f = 0) {
  register std::uint64_t fourth asm("r10") = d;
  register std::uint64_t fifth asm("r8") = e;
  register std::uint64_t sixth asm("r9") = f;
  asm volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth) : "rcx", "r11", "memory");
  return number;
}

inline std::uint64_t Address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace tally
