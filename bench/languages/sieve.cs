// Twin primes below n, by a sieve, a number of times.
class Sieve {
  static int Twins(int n) {
    var composite = new bool[n + 1];
    int twins = 0, last = -9;
    for (int i = 2; i <= n; i++) {
      if (composite[i]) continue;
      if (i - last == 2) twins++;
      last = i;
      for (long j = (long)i * i; j <= n; j += i) composite[j] = true;
    }
    return twins;
  }

  static void Main(string[] args) {
    int n = int.Parse(args[0]), rounds = int.Parse(args[1]);
    long sum = 0;
    for (int round = 0; round < rounds; round++) sum += Twins(n - round);
    System.Console.WriteLine(sum);
  }
}
