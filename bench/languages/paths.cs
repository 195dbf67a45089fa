// Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
// which digits, counted in a map.
using System.Collections.Generic;

class Paths {
  static long state = 1;

  static int Random(int below) {
    state = state * 16807 % 2147483647;
    return (int)(state % below);
  }

  static void Push(List<long> heap, long x) {
    int i = heap.Count;
    heap.Add(x);
    while (i > 0) {
      int up = (i - 1) / 2;
      if (heap[up] <= x) break;
      heap[i] = heap[up];
      i = up;
    }
    heap[i] = x;
  }

  static long Pop(List<long> heap) {
    long first = heap[0], x = heap[heap.Count - 1];
    int n = heap.Count - 1;
    heap.RemoveAt(n);
    if (n == 0) return first;
    int i = 0;
    for (int down = 1; down < n; down = 2 * i + 1) {
      if (down + 1 < n && heap[down + 1] < heap[down]) down++;
      if (heap[down] >= x) break;
      heap[i] = heap[down];
      i = down;
    }
    heap[i] = x;
    return first;
  }

  static long[] Lengths(int n) {
    int[] to = new int[4 * n], weight = new int[4 * n];
    for (int i = 0; i < 4 * n; i++) {
      to[i] = Random(n);
      weight[i] = 1 + Random(100);
    }
    var length = new long[n];
    for (int i = 1; i < n; i++) length[i] = long.MaxValue;
    var heap = new List<long> { 0 };
    while (heap.Count > 0) {
      long next = Pop(heap);
      int at = (int)(next % n);
      if (next / n > length[at]) continue;
      for (int i = 4 * at; i < 4 * at + 4; i++) {
        long there = length[at] + weight[i];
        if (there >= length[to[i]]) continue;
        length[to[i]] = there;
        Push(heap, there * n + to[i]);
      }
    }
    return length;
  }

  static void Main(string[] args) {
    int n = int.Parse(args[0]), rounds = int.Parse(args[1]);
    long sum = 0;
    var endings = new Dictionary<string, int>();
    for (int round = 0; round < rounds; round++) {
      foreach (long length in Lengths(n)) {
        if (length == long.MaxValue) continue;
        sum += length;
        string key = "e" + length % 1000;
        int count;
        endings.TryGetValue(key, out count);
        endings[key] = count + 1;
      }
    }
    System.Console.WriteLine(sum + " " + endings.Count + " " + endings["e300"]);
  }
}
