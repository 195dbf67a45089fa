#include "supervisor/sandbox/seccomp/dense_filter.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace tally {
namespace {

using Node = FilterGraph::Node;
using Range = FilterGraph::Range;

constexpr std::uint32_t kNumbers = 600;  // beyond every call number of today's kernels
constexpr std::uint32_t kX32Bit = 0x40000000;
constexpr std::uint32_t kNoCall = ~0U;  // a tracer's: libseccomp tells it from x32
// The kernel asks for every number, and a program for an argument now and then.
constexpr std::size_t kMostExceptionsOfNumbers = 3, kMostExceptionsOfArguments = 64;

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;

[[noreturn]] void Die(const char* what, std::uint32_t detail) {
  std::fprintf(stderr, "policy_compiler: dense filter: %s (%#x)\n", what, detail);
  std::exit(1);
}

bool IsJump(const sock_filter& f) { return BPF_CLASS(f.code) == BPF_JMP; }

// How many instructions `f` leaves out.
std::size_t JumpOf(const sock_filter& f, std::uint32_t value) {
  switch (f.code) {
    case BPF_JMP | BPF_JA: return f.k;
    case BPF_JMP | BPF_JEQ | BPF_K: return value == f.k ? f.jt : f.jf;
    case BPF_JMP | BPF_JGE | BPF_K: return value >= f.k ? f.jt : f.jf;
    case BPF_JMP | BPF_JGT | BPF_K: return value > f.k ? f.jt : f.jf;
    default: Die("a jump libseccomp did not use before", f.code);
  }
}

std::uint32_t ActionFor(const Bpf& filter, const seccomp_data& call) {
  std::uint32_t a = 0;
  for (std::size_t pc = 0; pc < filter.size(); ++pc) {
    const sock_filter& f = filter[pc];
    if (f.code == kReturn) return f.k;
    if (IsJump(f)) {
      pc += JumpOf(f, a);
    } else if (f.code == kLoad) {
      a = reinterpret_cast<const std::uint32_t*>(&call)[f.k / 4];
    } else if (f.code == kAnd) {
      a &= f.k;
    } else {
      Die("an instruction libseccomp did not use before", f.code);
    }
  }
  Die("a filter without an end", 0);
}

// Follows `filter` for one number of one ABI, and adds what is left of it to a graph.
class Reader {
 public:
  // `samples`: what arguments are compared with.
  Reader(const Bpf& filter, std::uint32_t arch, FilterGraph* graph, std::set<std::uint32_t>* samples)
      : filter_(filter), arch_(arch), graph_(*graph), samples_(*samples) {}

  Node Read(std::uint32_t number) {
    number_ = number;
    return From(0, {true, 0, 0});
  }

 private:
  // What the filter has loaded: a number that is known, or bits of a word that is not.
  struct Loaded {
    bool is_known;
    std::uint32_t value;  // or the mask
    std::uint32_t word;
  };

  Node From(std::size_t pc, Loaded a) {
    for (; pc < filter_.size(); ++pc) {
      const sock_filter& f = filter_[pc];
      if (f.code == kReturn) return graph_.Return(f.k);
      if (IsJump(f)) {
        if (!a.is_known && f.code != (BPF_JMP | BPF_JA)) return Decide(pc, a);
        pc += JumpOf(f, a.value);
      } else if (f.code == kLoad) {
        a = Load(f.k);
      } else if (f.code == kAnd) {
        a.value &= f.k;
        if (a.value == 0) a.is_known = true;
      } else {
        Die("an instruction libseccomp did not use before", f.code);
      }
    }
    Die("a filter without an end", 0);
  }

  [[nodiscard]] Loaded Load(std::uint32_t word) const {
    if (word == offsetof(seccomp_data, nr)) return {true, number_, 0};
    if (word == offsetof(seccomp_data, arch)) return {true, arch_, 0};
    if (word < offsetof(seccomp_data, args)) Die("a word libseccomp did not look at before", word);
    return {false, ~0U, word};
  }

  // From `pc` on stand comparisons of what is loaded. Between two constants all values take the same way.
  Node Decide(std::size_t pc, const Loaded& a) {
    std::set<std::uint32_t> points{0};
    AddPoints(pc, &points);
    std::vector<Range> ranges;
    for (const std::uint32_t point : points) {
      const Node node = From(EndOfComparisons(pc, point), a);
      if (ranges.empty() || ranges.back().node != node) ranges.push_back({point, node});
    }
    if (ranges.size() == 1) return ranges[0].node;
    return graph_.Load(a.word, a.value, graph_.Choose(ranges, kMostExceptionsOfArguments));
  }

  void AddPoints(std::size_t pc, std::set<std::uint32_t>* points) {
    const sock_filter& f = filter_[pc];
    if (!IsJump(f)) return;
    if (f.code == (BPF_JMP | BPF_JA)) return AddPoints(pc + 1 + f.k, points);
    samples_.insert(f.k);
    points->insert(f.k);
    if (f.k != ~0U) points->insert(f.k + 1);
    AddPoints(pc + 1 + f.jt, points);
    AddPoints(pc + 1 + f.jf, points);
  }

  [[nodiscard]] std::size_t EndOfComparisons(std::size_t pc, std::uint32_t value) const {
    while (IsJump(filter_[pc])) pc += 1 + JumpOf(filter_[pc], value);
    return pc;
  }

  const Bpf& filter_;
  std::uint32_t arch_;
  std::uint32_t number_ = 0;
  FilterGraph& graph_;
  std::set<std::uint32_t>& samples_;
};

std::vector<std::uint32_t> NumbersToRead() {
  std::vector<std::uint32_t> out;
  for (std::uint32_t number = 0; number <= kNumbers; ++number) out.push_back(number);
  out.push_back(kX32Bit);
  out.push_back(kNoCall);
  return out;
}

// Each and its neighbours, in the low and in the high word.
std::set<std::uint64_t> Neighbours(const std::set<std::uint32_t>& constants) {
  std::set<std::uint64_t> out{0, ~0ULL, 1ULL << 32};
  for (const std::uint32_t constant : constants) {
    for (const std::uint32_t near : {constant - 1, constant, constant + 1}) {
      const std::uint64_t value = near;
      out.insert({value, value << 32, value | 1ULL << 32});
    }
  }
  return out;
}

// The stricter of two, and of like ones the newest filter's (kernel/seccomp.c, seccomp_run_filters).
std::uint32_t ActionOfBoth(const Bpf& older, const Bpf& newer, const seccomp_data& call) {
  const std::uint32_t first = ActionFor(newer, call), second = ActionFor(older, call);
  const auto kind = [](std::uint32_t action) { return static_cast<std::int32_t>(action & SECCOMP_RET_ACTION_FULL); };
  return kind(second) < kind(first) ? second : first;
}

void CompareOn(const Bpf& complete, const Bpf& older, const Bpf& newer, const seccomp_data& call) {
  if (ActionFor(complete, call) != ActionOfBoth(older, newer, call)) {
    Die("it would decide otherwise on call number", static_cast<std::uint32_t>(call.nr));
  }
}

// Arguments of the calls that depend on none are not gone through: that they depend on none was read off `complete`.
void Compare(const Bpf& complete, const Bpf& older, const Bpf& newer, const std::set<std::uint32_t>& constants, std::vector<std::uint32_t> arches) {
  const std::set<std::uint64_t> samples = Neighbours(constants);
  arches.push_back(0);  // no ABI we know
  for (const std::uint32_t arch : arches) {
    FilterGraph graph;
    std::set<std::uint32_t> unused;
    Reader reader(complete, arch, &graph, &unused);
    for (const std::uint32_t base : {0U, kX32Bit, ~0U - kNumbers}) {
      for (std::uint32_t offset = 0; offset <= kNumbers; ++offset) {
        seccomp_data call{};
        call.nr = static_cast<int>(base + offset);
        call.arch = arch;
        CompareOn(complete, older, newer, call);
        unused.clear();
        reader.Read(base + offset);
        if (unused.empty()) continue;
        for (auto& argument : call.args) {
          for (const std::uint64_t sample : samples) {
            argument = sample;
            CompareOn(complete, older, newer, call);
          }
          argument = 0;
        }
      }
    }
  }
}

// What is decided by ABI and number, as a filter.
class Numbers {
 public:
  explicit Numbers(FilterGraph* graph) : graph_(*graph) {}

  void Add(std::uint32_t number, Node node) {
    if (ranges_.empty() || ranges_.back().node != node) ranges_.push_back({number, node});
  }
  // Of calls of `arch`; `other`: of those of none that was ended before.
  Node End(std::uint32_t arch, Node other) {
    const Node of_numbers = ranges_.size() == 1 ? ranges_[0].node : graph_.Load(offsetof(seccomp_data, nr), ~0U, graph_.Choose(ranges_, kMostExceptionsOfNumbers));
    ranges_.clear();
    return graph_.Test(BPF_JEQ, arch, of_numbers, other);
  }

 private:
  FilterGraph& graph_;
  std::vector<Range> ranges_;
};

Bpf WriteByArch(FilterGraph* graph, Node root) { return graph->Write(graph->Load(offsetof(seccomp_data, arch), ~0U, root)); }

// An int option as first argument: some lead to `chosen`.
Node ByOption(FilterGraph* graph, const std::vector<std::uint32_t>& options, Node chosen, Node other) {
  Node node = other;
  for (const std::uint32_t option : options) node = graph->Test(BPF_JEQ, option, chosen, node);
  return graph->Load(offsetof(seccomp_data, args), ~0U, node);
}

const Bpf& NothingMore() {
  static const Bpf allow{{kReturn, 0, 0, SECCOMP_RET_ALLOW}};
  return allow;
}

}  // namespace

Bpf MakeDense(const Bpf& complete, const std::vector<std::uint32_t>& arches) {
  FilterGraph graph;
  std::set<std::uint32_t> constants;
  Numbers numbers(&graph);
  Node root = Reader(complete, 0, &graph, &constants).Read(0);  // of an ABI that is none of these
  for (std::size_t i = arches.size(); i-- > 0;) {
    Reader reader(complete, arches[i], &graph, &constants);
    for (const std::uint32_t number : NumbersToRead()) numbers.Add(number, reader.Read(number));
    root = numbers.End(arches[i], root);
  }
  const Bpf dense = WriteByArch(&graph, root);
  Compare(complete, NothingMore(), dense, constants, arches);
  return dense;
}

Divided Divide(const std::vector<Bpf>& complete, const std::vector<std::uint32_t>& arches, const Needs& needs) {
  FilterGraph graph;
  std::set<std::uint32_t> constants;
  const Node allow = graph.Return(SECCOMP_RET_ALLOW);
  Node common = Reader(complete[0], 0, &graph, &constants).Read(0);
  std::vector<Node> own(complete.size(), allow);
  Numbers of_common(&graph);
  std::vector<Numbers> of_own(complete.size(), Numbers(&graph));
  for (std::size_t i = arches.size(); i-- > 0;) {
    std::vector<Reader> readers;
    for (const Bpf& one : complete) readers.emplace_back(one, arches[i], &graph, &constants);
    for (const std::uint32_t number : NumbersToRead()) {
      std::vector<Node> nodes;
      for (Reader& reader : readers) nodes.push_back(reader.Read(number));
      const bool is_same = std::all_of(nodes.begin(), nodes.end(), [&](Node node) { return node == nodes[0]; });
      const bool is_left = !is_same || (i == 0 && needs.numbers.contains(number));
      const auto options = i == 0 && !is_left ? needs.options.find(number) : needs.options.end();
      const bool has_options = options != needs.options.end();
      of_common.Add(number, is_left ? allow : has_options ? ByOption(&graph, options->second, allow, nodes[0]) : nodes[0]);
      for (std::size_t k = 0; k < own.size(); ++k) {
        of_own[k].Add(number, is_left ? nodes[k] : has_options ? ByOption(&graph, options->second, nodes[k], allow) : allow);
      }
    }
    common = of_common.End(arches[i], common);
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = of_own[k].End(arches[i], own[k]);
  }
  for (const auto& [number, options] : needs.options) constants.insert(options.begin(), options.end());
  Divided divided{WriteByArch(&graph, common), {}};
  for (std::size_t k = 0; k < own.size(); ++k) {
    divided.own.push_back(WriteByArch(&graph, own[k]));
    Compare(complete[k], divided.common, divided.own[k], constants, arches);
  }
  return divided;
}

}  // namespace tally
