// Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

public class Threads {
  static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
  static final StringBuilder order = new StringBuilder();
  static long total = 0;

  static long work(int seed) {
    long x = seed;
    for (int i = 0; i < 2000; ++i) x = (x * 1103515245 + 12345) % 2147483648L;
    return x;
  }

  static int take(int me) throws InterruptedException {
    int taken = 0;
    for (;;) {
      int n = queue.take();
      if (n < 0) return taken;
      long made = work(n);
      synchronized (order) {
        total += made;
        order.append((char) ('a' + me));
      }
      ++taken;
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<Integer>> counts = new ArrayList<>();
    for (int i = 0; i < 4; ++i) {
      final int me = i;
      counts.add(pool.submit(() -> take(me)));
    }
    for (int n = 0; n < 100; ++n) queue.put(n);
    for (int i = 0; i < 4; ++i) queue.put(-1);
    int taken = 0;
    for (Future<Integer> count : counts) taken += count.get();
    pool.shutdown();
    System.out.println(total + " " + taken + " " + order);
  }
}
