// Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
// which digits, counted in a map.
import java.util.*;

public class Paths {
  static long state = 1;

  static int random(int below) {
    state = state * 16807 % 2147483647;
    return (int) (state % below);
  }

  static long[] lengths(int n) {
    int[] to = new int[4 * n], weight = new int[4 * n];
    for (int i = 0; i < 4 * n; i++) {
      to[i] = random(n);
      weight[i] = 1 + random(100);
    }
    long[] length = new long[n];
    Arrays.fill(length, Long.MAX_VALUE);
    length[0] = 0;
    PriorityQueue<Long> queue = new PriorityQueue<>();
    queue.add(0L);
    while (!queue.isEmpty()) {
      long next = queue.poll();
      int at = (int) (next % n);
      if (next / n > length[at]) continue;
      for (int i = 4 * at; i < 4 * at + 4; i++) {
        long there = length[at] + weight[i];
        if (there >= length[to[i]]) continue;
        length[to[i]] = there;
        queue.add(there * n + to[i]);
      }
    }
    return length;
  }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
    long sum = 0;
    Map<String, Integer> endings = new HashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (long length : lengths(n)) {
        if (length == Long.MAX_VALUE) continue;
        sum += length;
        endings.merge("e" + length % 1000, 1, Integer::sum);
      }
    }
    System.out.println(sum + " " + endings.size() + " " + endings.get("e300"));
  }
}
