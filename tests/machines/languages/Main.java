// Fills a map, so that the heap grows and is collected, with threads of the runtime's own.
import java.util.HashMap;
import java.util.Map;

public class Main {
  public static void main(String[] arguments) {
    Map<Integer, String> map = new HashMap<>();
    for (int i = 0; i < 300_000; i++) map.put(i % 50_000, "value " + i);
    System.out.println(map.size() + " " + map.get(49_999));
  }
}
