// Two different instantiations per level, 40 levels deep: exponential work for the compiler in three lines.
// CE with a sentence that names the limit (memory or time).
template <int N, unsigned long Path>
struct Tree {
  static constexpr int value = Tree<N - 1, Path * 2>::value + Tree<N - 1, Path * 2 + 1>::value;
};
template <unsigned long Path>
struct Tree<0, Path> {
  static constexpr int value = 1;
};
int main() { return Tree<40, 1>::value & 1; }
