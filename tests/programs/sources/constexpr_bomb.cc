// A long computation: the compiler stops at its own step limits, or at Tally's time limit. CE.
constexpr unsigned long Work(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i) {
    for (unsigned long k = 0; k < 200000; ++k) sum += i ^ k;
  }
  return sum;
}
constexpr unsigned long result = Work(1000000);
int main() { return result & 1; }
