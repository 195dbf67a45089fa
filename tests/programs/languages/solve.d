import std.algorithm, std.stdio;

void main() {
  int n;
  readf(" %d", &n);
  auto a = new int[n];
  bool[int] seen;
  foreach (ref x; a) {
    readf(" %d", &x);
    seen[x] = true;
  }
  sort(a);
  long sum = 0;
  foreach (i, x; a) sum += long(x) * (i % 7);
  writeln(sum, " ", seen.length, " ", a[n / 2]);
}
