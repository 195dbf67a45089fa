#include "supervisor/sandbox/seccomp/filter_graph.h"

#include <algorithm>

namespace tally {
namespace {

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
constexpr std::uint32_t kAllBits = ~0U;
constexpr std::size_t kLongestJump = 255;

}  // namespace

FilterGraph::Node FilterGraph::Add(const Step& step) {
  const auto [it, is_new] = known_.try_emplace(step, static_cast<Node>(steps_.size()));
  if (is_new) steps_.push_back(step);
  return it->second;
}

FilterGraph::Node FilterGraph::Return(std::uint32_t action) { return Add({kReturn, action, 0, 0, 0}); }

FilterGraph::Node FilterGraph::Load(std::uint32_t word, std::uint32_t mask, Node next) {
  return Add({kLoad, word, mask, next, next});
}

FilterGraph::Node FilterGraph::Test(std::uint16_t comparison, std::uint32_t value, Node yes, Node no) {
  if (yes == no) return yes;
  return Add({static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, yes, no});
}

// A range with the single values in it that lead elsewhere.
struct FilterGraph::Leaf {
  Range range;
  std::vector<Range> exceptions;
};

FilterGraph::Node FilterGraph::ChooseLeaf(const Leaf* first, std::size_t count) {
  if (count == 1) {
    Node node = first->range.node;
    for (const Range& exception : first->exceptions) node = Test(BPF_JEQ, exception.first, exception.node, node);
    return node;
  }
  const std::size_t half = count / 2;
  const Node below = ChooseLeaf(first, half);
  const Node above = ChooseLeaf(first + half, count - half);
  return Test(BPF_JGE, first[half].range.first, above, below);
}

FilterGraph::Node FilterGraph::Choose(const std::vector<Range>& ranges, std::size_t most_exceptions) {
  std::vector<Leaf> leaves;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    const bool is_single = i + 1 < ranges.size() && ranges[i + 1].first == range.first + 1;
    if (leaves.empty() || !is_single || ranges[i + 1].node != leaves.back().range.node) {
      leaves.push_back({range, {}});
      continue;
    }
    if (leaves.back().exceptions.size() == most_exceptions) leaves.push_back({{range.first, leaves.back().range.node}, {}});
    leaves.back().exceptions.push_back(range);
    ++i;  // the next range is the leaf's own again
  }
  return ChooseLeaf(leaves.data(), leaves.size());
}

// From the end to the beginning, so that where a jump leads is known.
class FilterGraph::Writer {
 public:
  explicit Writer(const FilterGraph& graph) : graph_(graph) {}

  Bpf Write(Node root) {
    Place(root);
    std::reverse(out_.begin(), out_.end());
    return std::move(out_);
  }

 private:
  void Place(Node node) {
    if (places_.contains(node)) return;
    const Step& step = graph_.steps_[node];
    if (step.code == kReturn) {
      Put(node, {step.code, 0, 0, step.value});
      return;
    }
    Place(step.no);
    Place(step.yes);
    if (step.code == kLoad) {
      if (Distance(step.yes) != 0) Repeat(step.yes);
      if (step.mask != kAllBits) out_.push_back({BPF_ALU | BPF_AND | BPF_K, 0, 0, step.mask});
      Put(node, {step.code, 0, 0, step.value});
      return;
    }
    while (Distance(step.yes) > kLongestJump || Distance(step.no) > kLongestJump) {
      Repeat(Distance(step.yes) > kLongestJump ? step.yes : step.no);
    }
    Put(node, {step.code, static_cast<std::uint8_t>(Distance(step.yes)), static_cast<std::uint8_t>(Distance(step.no)), step.value});
  }

  void Put(Node node, sock_filter instruction) {
    places_[node] = out_.size();
    out_.push_back(instruction);
  }

  // From an instruction that is put now: so many others stand in between.
  [[nodiscard]] std::size_t Distance(Node target) const { return out_.size() - places_.at(target) - 1; }

  // The node once more, here.
  void Repeat(Node node) {
    const Step& step = graph_.steps_[node];
    if (step.code == kReturn) {
      Put(node, {step.code, 0, 0, step.value});
    } else {
      Put(node, {BPF_JMP | BPF_JA, 0, 0, static_cast<std::uint32_t>(Distance(node))});
    }
  }

  const FilterGraph& graph_;
  Bpf out_;
  std::map<Node, std::size_t> places_;
};

Bpf FilterGraph::Write(Node root) const { return Writer(*this).Write(root); }

}  // namespace tally
