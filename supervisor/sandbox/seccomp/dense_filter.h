// Build-time: says what a libseccomp filter says in fewer instructions.
//
// Theory of operation. A filter's price is paid at every start of a program: the kernel checks, translates and
// compiles it, and asks it about every call number to learn which are always allowed (kernel/seccomp.c,
// seccomp_cache_prepare). libseccomp gives each call a leaf of its own, compares an argument with one value after the other, and
// looks at the upper half even of those that have none. So its filter is read, and another one written (filter_graph.h):
//
//   For each ABI and number the filter is followed with these two known. What is left looks at arguments only: a chain of
//   comparisons with one word becomes the ranges of values that lead to the same end, and a word that decides nothing is not
//   looked at. Numbers stand together by meaning, so a tree over ranges of them is short, too; calls that are asked in the same
//   way share what is asked.
//
// MakeDense compares the two on every number, every constant an argument is compared with, and their neighbours. A difference is
// a failed build. So does Divide, whose filters come in twos: what the first has of a decision need not be installed again with the second.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "supervisor/sandbox/seccomp/filter_graph.h"

namespace tally {

// `complete` decides every call of the `arches` (AUDIT_ARCH_*). Exits the build with a sentence if the result would differ from it.
Bpf MakeDense(const Bpf& complete, const std::vector<std::uint32_t>& arches);

// What has to be let through until the second filter is installed: calls of the first of the arches, by number, and of others some values of
// their first argument, an int.
struct Needs {
  std::set<std::uint32_t> numbers;
  std::map<std::uint32_t, std::vector<std::uint32_t>> options;
};
// `common` lets through what is needed and what the filters decide differently; with it, each of `own` is the one of `complete` (the kernel
// takes the stricter action of two filters, seccomp(2)).
struct Divided {
  Bpf common;
  std::vector<Bpf> own;
};
Divided Divide(const std::vector<Bpf>& complete, const std::vector<std::uint32_t>& arches, const Needs& needs);

}  // namespace tally
