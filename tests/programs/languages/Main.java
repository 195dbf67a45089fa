import java.util.Arrays;
import java.util.HashSet;
import java.util.Scanner;

public class Main {
  public static void main(String[] arguments) {
    Scanner in = new Scanner(System.in);
    int n = in.nextInt();
    int[] a = new int[n];
    HashSet<Integer> seen = new HashSet<>();
    for (int i = 0; i < n; ++i) {
      a[i] = in.nextInt();
      seen.add(a[i]);
    }
    Arrays.sort(a);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += (long) a[i] * (i % 7);
    System.out.println(sum + " " + seen.size() + " " + a[n / 2]);
  }
}
