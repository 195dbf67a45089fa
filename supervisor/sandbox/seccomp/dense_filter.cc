#include "supervisor/sandbox/seccomp/dense_filter.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace tally {
namespace {

constexpr std::uint32_t kNumbers = 600;  // beyond every call number of today's kernels
constexpr std::uint32_t kX32Bit = 0x40000000;
constexpr std::uint32_t kToConditional = 1;  // in place of an action: let the conditional filter decide
constexpr std::size_t kMostExceptions = 3;   // tested one after the other

[[noreturn]] void Die(const char* what, std::uint32_t detail) {
  std::fprintf(stderr, "policy_compiler: dense filter: %s (%#x)\n", what, detail);
  std::exit(1);
}

// The action for one call; nothing when it depends on an argument and `call` is not complete.
std::optional<std::uint32_t> Evaluate(const Bpf& filter, const seccomp_data& call, bool with_arguments) {
  std::uint32_t a = 0;
  for (std::size_t pc = 0; pc < filter.size(); ++pc) {
    const sock_filter& f = filter[pc];
    switch (f.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (f.k >= offsetof(seccomp_data, args) && !with_arguments) return std::nullopt;
        a = reinterpret_cast<const std::uint32_t*>(&call)[f.k / 4];
        break;
      case BPF_ALU | BPF_AND | BPF_K: a &= f.k; break;
      case BPF_JMP | BPF_JA: pc += f.k; break;
      case BPF_JMP | BPF_JEQ | BPF_K: pc += a == f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: pc += a >= f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JGT | BPF_K: pc += a > f.k ? f.jt : f.jf; break;
      case BPF_JMP | BPF_JSET | BPF_K: pc += (a & f.k) != 0 ? f.jt : f.jf; break;
      case BPF_RET | BPF_K: return f.k;
      default: Die("an instruction libseccomp did not use before", f.code);
    }
  }
  Die("a filter without an end", 0);
}

// Numbers from `first` to the next range's: all have `action`, but for the exceptions.
struct Range {
  std::uint32_t first;
  std::uint32_t action;
  std::map<std::uint32_t, std::uint32_t> exceptions;
};

std::vector<Range> PlainRanges(const Bpf& complete, std::uint32_t arch) {
  std::vector<std::uint32_t> points;
  for (std::uint32_t number = 0; number <= kNumbers; ++number) points.push_back(number);
  points.push_back(kX32Bit);
  points.push_back(~0U);  // a tracer's "no call": libseccomp tells it from x32
  std::vector<Range> ranges;
  for (const std::uint32_t number : points) {
    seccomp_data call{};
    call.nr = static_cast<int>(number);
    call.arch = arch;
    const std::uint32_t action = Evaluate(complete, call, false).value_or(kToConditional);
    if (ranges.empty() || ranges.back().action != action) ranges.push_back({number, action, {}});
  }
  return ranges;
}

// A range of one number between two of the same action becomes an exception of both: one jeq for two jge.
std::vector<Range> WithExceptions(const std::vector<Range>& plain) {
  std::vector<Range> out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const Range& range = plain[i];
    const bool single = i + 1 < plain.size() && plain[i + 1].first == range.first + 1;
    if (!out.empty() && single && plain[i + 1].action == out.back().action) {
      if (out.back().exceptions.size() == kMostExceptions) out.push_back({range.first, out.back().action, {}});
      out.back().exceptions.emplace(range.first, range.action);
      ++i;  // the next range continues out.back()
      continue;
    }
    out.push_back(range);
  }
  return out;
}

// One ABI's tree, its leaves right behind it: jumps of classic BPF reach 255 instructions.
class Tree {
 public:
  explicit Tree(const std::vector<Range>& ranges) { Leaf(Node(ranges)); }

  // Nodes were made children first, and a filter only runs forward, so they are written in reverse.
  // `behind`: how many instructions stand between this tree's end and the conditional filter.
  [[nodiscard]] Bpf Write(std::uint32_t behind) const {
    Bpf out{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step& step = steps_[i];
      const std::size_t next = out.size() + 1;
      out.push_back({step.code, Distance(step.yes, next), Distance(step.no, next), step.number});
    }
    for (std::size_t left = leaves_.size(); left-- > 0;) {
      const std::uint32_t action = leaves_[leaves_.size() - 1 - left];
      if (action == kToConditional) {
        out.push_back({BPF_JMP | BPF_JA, 0, 0, static_cast<std::uint32_t>(left) + behind});
      } else {
        out.push_back({BPF_RET | BPF_K, 0, 0, action});
      }
    }
    return out;
  }

 private:
  struct Target {
    bool is_step;
    std::uint32_t value;  // index of a step, or an action
  };
  struct Step {
    std::uint16_t code;
    std::uint32_t number;
    Target yes;
    Target no;
  };

  Target Add(std::uint16_t code, std::uint32_t number, Target yes, Target no) {
    Leaf(yes);
    Leaf(no);
    steps_.push_back({code, number, yes, no});
    return {true, static_cast<std::uint32_t>(steps_.size() - 1)};
  }

  Target Node(std::span<const Range> ranges) {
    if (ranges.size() == 1) {
      Target target{false, ranges[0].action};
      for (const auto& [number, action] : ranges[0].exceptions) {
        target = Add(BPF_JMP | BPF_JEQ | BPF_K, number, {false, action}, target);
      }
      return target;
    }
    const std::size_t half = ranges.size() / 2;
    const Target below = Node(ranges.first(half));
    const Target above = Node(ranges.subspan(half));
    return Add(BPF_JMP | BPF_JGE | BPF_K, ranges[half].first, above, below);
  }

  void Leaf(const Target& target) {
    if (!target.is_step && std::find(leaves_.begin(), leaves_.end(), target.value) == leaves_.end()) {
      leaves_.push_back(target.value);
    }
  }

  [[nodiscard]] std::uint8_t Distance(const Target& target, std::size_t next) const {
    const std::size_t at =
        target.is_step ? steps_.size() - target.value
                       : 1 + steps_.size() +
                             static_cast<std::size_t>(std::find(leaves_.begin(), leaves_.end(), target.value) -
                                                      leaves_.begin());
    if (at < next || at - next > 255) Die("a jump is too long", static_cast<std::uint32_t>(at));
    return static_cast<std::uint8_t>(at - next);
  }

  std::vector<Step> steps_;
  std::vector<std::uint32_t> leaves_;
};

// Every value an argument is compared with, and its neighbours; the low and the high word alike.
std::set<std::uint64_t> ArgumentSamples(const Bpf& conditional) {
  std::set<std::uint64_t> out{0, ~0ULL, 1ULL << 32};
  for (const sock_filter& f : conditional) {
    if (BPF_CLASS(f.code) == BPF_RET) continue;
    for (const std::uint64_t near : {-1, 0, 1}) {
      const std::uint64_t value = std::uint32_t(f.k + near);
      out.insert({value, value << 32, value | 1ULL << 32});
    }
  }
  return out;
}

void CompareOn(const Bpf& complete, const Bpf& dense, const seccomp_data& call) {
  if (Evaluate(complete, call, true) != Evaluate(dense, call, true)) {
    Die("it would decide otherwise on call number", static_cast<std::uint32_t>(call.nr));
  }
}

void Compare(const Bpf& complete, const Bpf& dense, const Bpf& conditional, std::vector<std::uint32_t> arches) {
  const std::set<std::uint64_t> samples = ArgumentSamples(conditional);
  arches.push_back(0);  // no ABI we know
  for (const std::uint32_t arch : arches) {
    for (const std::uint32_t base : {0U, kX32Bit, ~0U - kNumbers}) {
      for (std::uint32_t offset = 0; offset <= kNumbers; ++offset) {
        seccomp_data call{};
        call.nr = static_cast<int>(base + offset);
        call.arch = arch;
        CompareOn(complete, dense, call);
        if (Evaluate(complete, call, false)) continue;
        for (auto& argument : call.args) {
          for (const std::uint64_t sample : samples) {
            argument = sample;
            CompareOn(complete, dense, call);
          }
          argument = 0;
        }
      }
    }
  }
}

}  // namespace

Bpf MakeDense(const Bpf& complete, const Bpf& conditional, const std::vector<std::uint32_t>& arches) {
  std::vector<Bpf> trees;
  std::uint32_t behind = 0;
  for (std::size_t i = arches.size(); i-- > 0;) {
    const Tree tree(WithExceptions(PlainRanges(complete, arches[i])));
    trees.insert(trees.begin(), tree.Write(behind));
    behind += static_cast<std::uint32_t>(trees.front().size());
  }
  seccomp_data foreign{};
  const std::uint32_t foreign_action = Evaluate(complete, foreign, false).value();

  Bpf dense{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)}};
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < arches.size(); ++i) {
    const auto tests_left = static_cast<std::uint32_t>(arches.size() - i - 1);
    dense.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, arches[i]});
    dense.push_back({BPF_JMP | BPF_JA, 0, 0, 2 * tests_left + 1 + before});
    before += static_cast<std::uint32_t>(trees[i].size());
  }
  dense.push_back({BPF_RET | BPF_K, 0, 0, foreign_action});
  for (const Bpf& tree : trees) dense.insert(dense.end(), tree.begin(), tree.end());
  dense.insert(dense.end(), conditional.begin(), conditional.end());
  Compare(complete, dense, conditional, arches);
  return dense;
}

}  // namespace tally
