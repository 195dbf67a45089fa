using System;
using System.Collections.Generic;

class Solve {
  static void Main() {
    string[] words = Console.In.ReadToEnd().Split((char[])null, StringSplitOptions.RemoveEmptyEntries);
    int n = int.Parse(words[0]);
    int[] a = new int[n];
    for (int i = 0; i < n; ++i) a[i] = int.Parse(words[i + 1]);
    var seen = new HashSet<int>(a);
    Array.Sort(a);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += (long)a[i] * (i % 7);
    Console.WriteLine(sum + " " + seen.Count + " " + a[n / 2]);
  }
}
