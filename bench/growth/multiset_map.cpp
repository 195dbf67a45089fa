// Growth n log n; array; 500..64000: counting in a balanced tree, numbers by scanf
#include <cstdio>
#include <map>

int main() {
  int n, most = 0;
  if (std::scanf("%d", &n) != 1) return 1;
  std::map<int, int> count;
  for (int i = 0, a; i < n && std::scanf("%d", &a) == 1; ++i) {
    const int now = ++count[a];
    if (now > most) most = now;
  }
  std::printf("%d\n", most);
}
