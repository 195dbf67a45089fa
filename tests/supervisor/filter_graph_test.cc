// Filters as graphs: what is written decides as the graph does.
#include "supervisor/sandbox/seccomp/filter_graph.h"

#include <linux/seccomp.h>

#include <cstddef>
#include <random>

#include "supervisor/sandbox/seccomp/dense_filter.h"
#include "tests/support/catch.h"
#include "tests/support/filter_machine.h"

namespace tally {
namespace {

constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr), kArch = offsetof(seccomp_data, arch);
constexpr std::uint32_t kArgument = offsetof(seccomp_data, args), kUpperHalf = kArgument + 4;
constexpr std::uint32_t kAnArch = 7;

seccomp_data CallOf(std::uint32_t number, std::uint64_t argument = 0, std::uint32_t arch = kAnArch) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = arch;
  call.args[0] = argument;
  return call;
}

}  // namespace

TEST_CASE("filter graph: ranges and single values lead where they should, over more instructions than a jump has room for", "[filter]") {
  std::mt19937 random(1);
  for (const std::size_t exceptions : {0, 3, 64}) {
    FilterGraph graph;
    std::vector<FilterGraph::Range> ranges;
    std::vector<std::uint32_t> wanted;  // by value
    for (std::uint32_t value = 0; value < 3000; ++value) {
      const std::uint32_t action = wanted.empty() || random() % 3 == 0 ? random() % 400 : wanted.back();
      if (wanted.empty() || wanted.back() != action) ranges.push_back({value, graph.Return(action)});
      wanted.push_back(action);
    }
    const Bpf filter = graph.Write(graph.Load(kNumber, ~0U, graph.Choose(ranges, exceptions)));
    REQUIRE(filter.size() > 1000);
    for (std::uint32_t value = 0; value < wanted.size(); ++value) REQUIRE(Decide(filter, CallOf(value)) == wanted[value]);
    CHECK(Decide(filter, CallOf(~0U)) == wanted.back());
  }
}

TEST_CASE("filter graph: like questions are asked once, and a question whose answers are alike is none", "[filter]") {
  FilterGraph graph;
  const FilterGraph::Node yes = graph.Return(1), no = graph.Return(2);
  CHECK(graph.Test(BPF_JEQ, 5, yes, yes) == yes);
  const FilterGraph::Node asked = graph.Load(kArgument, 0xff, graph.Test(BPF_JEQ, 5, yes, no));
  CHECK(graph.Load(kArgument, 0xff, graph.Test(BPF_JEQ, 5, yes, no)) == asked);
  const Bpf filter = graph.Write(graph.Load(kNumber, ~0U, graph.Choose({{0, no}, {10, asked}, {20, no}, {30, asked}}, 3)));
  CHECK(filter.size() == 9);  // the number, three comparisons, the argument, its bits, one comparison, two answers
  CHECK(Decide(filter, CallOf(15, 0x1205)) == 1);
  CHECK(Decide(filter, CallOf(35, 0x1206)) == 2);
  CHECK(Decide(filter, CallOf(25, 5)) == 2);
}

TEST_CASE("dense filter: what decides nothing is not looked at, and values that stand together are a range", "[filter]") {
  // As libseccomp asks: the number; of its argument the upper half under a mask of 0, then one value after the other.
  const Bpf complete{{BPF_LD | BPF_W | BPF_ABS, 0, 0, kArch},      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kAnArch},
                     {BPF_RET | BPF_K, 0, 0, 9},                   {BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber},
                     {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 3},         {BPF_RET | BPF_K, 0, 0, 8},
                     {BPF_LD | BPF_W | BPF_ABS, 0, 0, kUpperHalf}, {BPF_ALU | BPF_AND | BPF_K, 0, 0, 0},
                     {BPF_JMP | BPF_JEQ | BPF_K, 0, 6, 0},         {BPF_LD | BPF_W | BPF_ABS, 0, 0, kArgument},
                     {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, 41},        {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 42},
                     {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 43},        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 44},
                     {BPF_RET | BPF_K, 0, 0, 1},                   {BPF_RET | BPF_K, 0, 0, 2}};
  const Bpf dense = MakeDense(complete, {kAnArch});
  CHECK(dense.size() < complete.size());
  for (const std::uint32_t arch : {kAnArch, 8U}) {
    for (const std::uint32_t number : {2U, 3U, 4U}) {
      for (std::uint64_t value = 39; value < 47; ++value) {
        for (const std::uint64_t argument : {value, std::uint64_t{value | 1ULL << 40}}) {
          const seccomp_data call = CallOf(number, argument, arch);
          CHECK(Decide(dense, call) == Decide(complete, call));
        }
      }
    }
  }
  for (const sock_filter& f : dense) CHECK_FALSE((f.code == (BPF_LD | BPF_W | BPF_ABS) && f.k == kUpperHalf));
}

// As libseccomp asks: one number after the other, and of 3 the argument.
Bpf Complete(const std::vector<std::uint32_t>& actions) {
  Bpf filter{{BPF_LD | BPF_W | BPF_ABS, 0, 0, kArch}, {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kAnArch}, {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS}};
  filter.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber});
  for (std::uint32_t number = 0; number < actions.size(); ++number) {
    if (number == 3) {
      filter.insert(filter.end(), {{BPF_JMP | BPF_JEQ | BPF_K, 0, 5, number}, {BPF_LD | BPF_W | BPF_ABS, 0, 0, kArgument}, {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 41},
                                   {BPF_RET | BPF_K, 0, 0, actions[number]}, {BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber}, {BPF_JMP | BPF_JA, 0, 0, 0}});
    } else {
      filter.insert(filter.end(), {{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number}, {BPF_RET | BPF_K, 0, 0, actions[number]}});
    }
  }
  filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | 38});
  return filter;
}

TEST_CASE("divided filter: the common one with each of the others decides as the whole does, and lets through what is needed", "[filter]") {
  constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW, kTrace = SECCOMP_RET_TRACE | 1, kOther = SECCOMP_RET_TRACE | 2, kError = SECCOMP_RET_ERRNO | 1;
  const std::vector<Bpf> complete{Complete({kAllow, kTrace, kError, kAllow, kTrace, kTrace}), Complete({kAllow, kAllow, kError, kAllow, kTrace, kOther})};
  const Needs needs{{4}, {{2, {7, 9}}}};
  const Divided divided = Divide(complete, {kAnArch}, needs);
  REQUIRE(divided.own.size() == 2);
  for (std::size_t k = 0; k < complete.size(); ++k) {
    CHECK(divided.own[k].size() < complete[k].size());
    for (const std::uint32_t arch : {kAnArch, 8U}) {
      for (std::uint32_t number = 0; number < 8; ++number) {
        for (const std::uint64_t argument : {0, 7, 8, 9, 41}) {
          CAPTURE(k, arch, number, argument);
          const seccomp_data call = CallOf(number, argument, arch);
          const std::uint32_t older = Decide(divided.common, call), newer = Decide(divided.own[k], call);
          const auto kind = [](std::uint32_t action) { return static_cast<std::int32_t>(action & SECCOMP_RET_ACTION_FULL); };
          CHECK((kind(older) < kind(newer) ? older : newer) == Decide(complete[k], call));
        }
      }
    }
  }
  CHECK(Decide(divided.common, CallOf(4)) == kAllow);
  CHECK(Decide(divided.common, CallOf(2, 7)) == kAllow);
  CHECK(Decide(divided.common, CallOf(2, 8)) == kError);
}

}  // namespace tally
