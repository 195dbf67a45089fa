// Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

static class Threads {
  static readonly Queue<int> queue = new Queue<int>();
  static readonly StringBuilder order = new StringBuilder();
  static long total;

  static long Work(long x) {
    for (int i = 0; i < 2000; ++i) x = (x * 1103515245 + 12345) % 2147483648L;
    return x;
  }

  static int Next() {
    lock (queue) {
      while (queue.Count == 0) Monitor.Wait(queue);
      return queue.Dequeue();
    }
  }

  static void Take(int me) {
    for (int n; (n = Next()) >= 0;) {
      long made = Work(n);
      lock (order) {
        total += made;
        order.Append((char)('a' + me));
      }
    }
  }

  static void Put(int n) {
    lock (queue) {
      queue.Enqueue(n);
      Monitor.Pulse(queue);
    }
  }

  static void Main() {
    var threads = new List<Thread>();
    for (int i = 0; i < 4; ++i) {
      int me = i;
      threads.Add(new Thread(() => Take(me)));
      threads[i].Start();
    }
    for (int n = 0; n < 100; ++n) Put(n);
    for (int i = 0; i < 4; ++i) Put(-1);
    foreach (Thread thread in threads) thread.Join();
    Console.WriteLine("{0} {1} {2}", total, order.Length, order);
  }
}
