// Four threads take numbers off a counter and put what they make of them into a list, in the order in which they happen to.
import core.sync.mutex;
import core.thread;
import std.stdio;

__gshared Mutex lock;
__gshared int next;
__gshared long total;
__gshared char[] order;

long work(long x) {
  foreach (i; 0 .. 2000) x = (x * 1103515245 + 12345) % 2147483648;
  return x;
}

void take(char me) {
  for (;;) {
    int n;
    synchronized (lock) n = next++;
    if (n >= 100) return;
    const made = work(n);
    synchronized (lock) {
      total += made;
      order ~= me;
    }
    Thread.yield();
  }
}

void main() {
  lock = new Mutex;
  Thread[] threads;
  foreach (me; "abcd") {
    auto start = (char c) => new Thread(() => take(c));
    threads ~= start(me);
  }
  foreach (thread; threads) thread.start();
  foreach (thread; threads) thread.join();
  writeln(total, " ", order.length, " ", order);
}
