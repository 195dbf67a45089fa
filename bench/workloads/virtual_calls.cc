// An interpreter of expression trees by virtual calls, and shapes behind base class pointers.
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

struct Node {
  virtual ~Node() = default;
  virtual long Value(long x) const = 0;
};
struct Constant : Node {
  explicit Constant(long value) : value(value) {}
  long Value(long) const override { return value; }
  long value;
};
struct Variable : Node {
  long Value(long x) const override { return x; }
};
struct Sum : Node {
  Sum(std::unique_ptr<Node> a, std::unique_ptr<Node> b) : left(std::move(a)), right(std::move(b)) {}
  long Value(long x) const override { return left->Value(x) + right->Value(x); }
  std::unique_ptr<Node> left, right;
};
struct Product : Node {
  Product(std::unique_ptr<Node> a, std::unique_ptr<Node> b) : left(std::move(a)), right(std::move(b)) {}
  long Value(long x) const override { return left->Value(x) * right->Value(x) % 1000003; }
  std::unique_ptr<Node> left, right;
};

static unsigned long seed = 1;
static unsigned Random() { return static_cast<unsigned>((seed = seed * 6364136223846793005UL + 1) >> 33); }

static std::unique_ptr<Node> Tree(int depth) {
  if (depth == 0) {
    if (Random() % 2 == 0) return std::make_unique<Variable>();
    return std::make_unique<Constant>(Random() % 100);
  }
  auto left = Tree(depth - 1), right = Tree(depth - 1);
  if (Random() % 2 == 0) return std::make_unique<Sum>(std::move(left), std::move(right));
  return std::make_unique<Product>(std::move(left), std::move(right));
}

int main() {
  const auto tree = Tree(12);
  long checksum = 0;
  for (long x = 0; x < 14000; ++x) checksum = (checksum * 31 + tree->Value(x)) % 1000000007;
  const std::vector<std::function<long(long)>> steps = {
      [](long x) { return x * 3 + 1; }, [](long x) { return x >> 1; }, [&](long x) { return x ^ checksum; }};
  for (int i = 0; i < 90000000; ++i) checksum = steps[i % 3](checksum) & 0xffffff;
  std::printf("%ld\n", checksum);
}
