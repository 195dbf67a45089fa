// Virtual calls, std::function, member pointers, lambdas, std::variant: indirect calls whose target changes from
// one to the next.
#include <cstdio>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual long Area(long scale) const = 0;
  long Twice(long scale) const { return 2 * Area(scale); }
};
struct Square : Shape {
  explicit Square(long side) : side(side) {}
  long Area(long scale) const override { return side * side * scale; }
  long side;
};
struct Strip : Shape {
  explicit Strip(long length) : length(length) {}
  long Area(long scale) const override { return length + scale; }
  long length;
};
struct Nothing final : Shape {
  long Area(long) const override { return 0; }
};

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 30; ++i) {
    if (i % 3 == 0) shapes.push_back(std::make_unique<Square>(i));
    else if (i % 3 == 1) shapes.push_back(std::make_unique<Strip>(i));
    else shapes.push_back(std::make_unique<Nothing>());
  }
  long total = 0;
  const std::function<long(long)> functions[] = {
      [&](long x) { return x + total; }, [](long x) { return x * 3; }, [&](long x) { return shapes[x % 30]->Area(x); }};
  using Member = long (Shape::*)(long) const;
  const Member members[] = {&Shape::Area, &Shape::Twice};
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      total += ((*shapes[i]).*members[i & 1])(round);
      total = functions[i % 3](total) % 1000003;
      std::variant<int, long, char> value;
      if (i % 4 == 1) value = 5L;
      if (i % 4 == 2) value = 'c';
      total += std::visit([](auto x) { return static_cast<long>(x + sizeof x); }, value);
    }
  }
  std::printf("%ld\nEND\n", total);
  return 0;
}
