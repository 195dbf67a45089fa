// Build-time: says what a libseccomp filter says in fewer instructions.
//
// Theory of operation. A filter's price is paid at every start of a program: the kernel checks, translates and
// compiles it, and asks it about every call number to learn which are always allowed (kernel/seccomp.c,
// seccomp_cache_prepare). libseccomp gives each call a leaf of its own. But call numbers of like meaning stand
// together, so a tree over ranges of numbers is shorter (195 instructions instead of 337 for the plainest policy):
//
//   ld arch; one tree per ABI over the numbers whose action does not depend on arguments
//     node:  jge number        leaf:  ret action      exception within a range:  jeq number
//   the rest: libseccomp's own filter for the calls whose arguments decide ("conditional")
//
// What the tree is to say is read off libseccomp's complete filter by running it, and MakeDense compares the two
// on every number, every constant the filter compares an argument with, and their neighbours. A difference is a
// failed build.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace tally {

using Bpf = std::vector<sock_filter>;

// `complete` decides every call of the `arches` (AUDIT_ARCH_*); `conditional` has only the rules that look at
// arguments, and the same default. Exits the build with a sentence if the result would differ from `complete`.
Bpf MakeDense(const Bpf& complete, const Bpf& conditional, const std::vector<std::uint32_t>& arches);

}  // namespace tally
