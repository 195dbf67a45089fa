// Build-time: a seccomp filter as a graph of decisions, and its instructions (bpf(4), "classic BPF": no jump leads back).
//
// Like nodes are one node, so what two system calls are asked in the same way is written once. Write puts every node behind
// those that lead to it. Where a conditional jump would be longer than the 255 instructions it has room for, it leads to an
// unconditional one in between, or to a copy of the `ret`.
#pragma once

#include <linux/filter.h>

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace tally {

using Bpf = std::vector<sock_filter>;

class FilterGraph {
 public:
  using Node = std::uint32_t;

  // Values from `first` to the next range's lead to `node`.
  struct Range {
    std::uint32_t first;
    Node node;
    bool operator==(const Range&) const = default;
  };

  Node Return(std::uint32_t action);
  // `word` of seccomp_data (its offset in bytes), and of that the bits in `mask`, is what the next node looks at.
  Node Load(std::uint32_t word, std::uint32_t mask, Node next);
  // The value is compared as BPF_JEQ or BPF_JGE does.
  Node Test(std::uint16_t comparison, std::uint32_t value, Node yes, Node no);
  // A tree over `ranges`, of which the first begins at 0. Single values that differ from those around them are tested one after the
  // other, so many at most in a leaf: each is one comparison, and two as a range of its own.
  Node Choose(const std::vector<Range>& ranges, std::size_t most_exceptions);

  [[nodiscard]] Bpf Write(Node root) const;

 private:
  struct Step {
    std::uint16_t code;
    std::uint32_t value;
    std::uint32_t mask;
    Node yes;  // the only one but for a jump
    Node no;
    auto operator<=>(const Step&) const = default;
  };
  class Writer;
  struct Leaf;
  Node Add(const Step& step);
  Node ChooseLeaf(const Leaf* first, std::size_t count);

  std::vector<Step> steps_;
  std::map<Step, Node> known_;
};

}  // namespace tally
