// Twin primes below n, by a sieve, argv[1] times.
public class Sieve {
  static int twins(int n) {
    boolean[] composite = new boolean[n + 1];
    int twins = 0, last = -9;
    for (int i = 2; i <= n; i++) {
      if (composite[i]) continue;
      if (i - last == 2) twins++;
      last = i;
      for (long j = (long) i * i; j <= n; j += i) composite[(int) j] = true;
    }
    return twins;
  }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
    long sum = 0;
    for (int round = 0; round < rounds; round++) sum += twins(n - round);
    System.out.println(sum);
  }
}
