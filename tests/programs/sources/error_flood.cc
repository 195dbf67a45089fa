// Error messages by the megabyte: every instantiation prints its whole chain, and the names
// double in length with each level. CE; compiler_output is cut to its limit.
template <class A, class B>
struct Pair {
  using T = Pair<Pair<A, B>, Pair<B, A>>;
  static void Fail() { A::none(), B::none(), T::none; }
};
template <int N>
struct Deep {
  using T = Pair<typename Deep<N - 1>::T, typename Deep<N - 1>::T>;
  static void Fail() { T::Fail(), Deep<N - 1>::Fail(); }
};
template <>
struct Deep<0> {
  using T = int;
  static void Fail() {}
};
int main() { Deep<14>::Fail(); }
