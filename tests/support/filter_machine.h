// A small machine that runs filters of system calls.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace tally {

// As the kernel runs it (kernel/bpf/core.c), but that what leads out of the filter is a failure.
inline std::uint32_t Decide(std::span<const sock_filter> filter, const seccomp_data& call) {
  std::uint32_t a = 0;
  for (std::size_t pc = 0; pc < filter.size(); ++pc) {
    const sock_filter& f = filter[pc];
    switch (f.code) {
      case BPF_LD | BPF_W | BPF_ABS: a = reinterpret_cast<const std::uint32_t*>(&call)[f.k / 4]; break;
      case BPF_ALU | BPF_AND | BPF_K: a &= f.k; break;
      case BPF_JMP | BPF_JA: pc += f.k; break;
      case BPF_JMP | BPF_JEQ | BPF_K: pc += a == f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: pc += a >= f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JGT | BPF_K: pc += a > f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JSET | BPF_K: pc += (a & f.k) != 0 ? f.jt : f.jf; break;
      case BPF_RET | BPF_K: return f.k;
      default: throw std::logic_error("no such instruction");
    }
  }
  throw std::logic_error("it leads out of the filter");
}

}  // namespace tally
