package shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.Stream;

/** What an honest solution may be made of. */
public class Shop implements Comparable<Shop> {
    public static final int MOST = 12;
    public static final String NAME = "shop";
    public static final List<String> WORDS = List.of("one", "two");
    static int opened;
    public int price = 3;
    protected String label;
    final int[] cells = {1, 2, 3};
    private final List<Item> items = new ArrayList<>();

    public Shop() { this("none"); }
    public Shop(String label) {
        if (label.isEmpty()) throw new IllegalArgumentException("no label");
        this.label = label;
        ++opened;
    }

    static int add(int a, int b) { return a + b; }
    static long addLong(long a, int b, double c, char d, byte e, short f, float g, boolean h) { return a + b + (long) c + d + e + f + (long) g + (h ? 1 : 0); }
    static String join(String... words) { return String.join("-", words); }
    static String half() { return "\ud800x\u00e9"; }
    static void sort(int[] numbers) { Arrays.sort(numbers); }
    static void fill(double[][] rows) { for (double[] row : rows) Arrays.fill(row, 0.5); }
    static <T extends Comparable<T>> void sortAll(T[] things) { Arrays.sort(things); }
    static <T> void sortBy(List<T> things, Comparator<? super T> order) { things.sort(order); }
    static <T extends Comparable<T>> T largest(List<T> things) { return Collections.max(things); }
    static Map<String, Integer> count(List<String> words) {
        Map<String, Integer> count = new TreeMap<>();
        for (String word : words) count.merge(word, 1, Integer::sum);
        return count;
    }
    static List<Integer> fixed() { return List.of(1, 2); }
    static List<Object> itself() { List<Object> all = new ArrayList<>(); all.add(all); return all; }
    static Set<List<Integer>> nested() { return new HashSet<>(List.of(List.of(1, 2), List.of(3))); }
    static Optional<String> first(List<String> words) { return words.stream().findFirst(); }
    static BigInteger factorial(int n) { return n < 2 ? BigInteger.ONE : factorial(n - 1).multiply(BigInteger.valueOf(n)); }
    static LocalDate next(LocalDate day) { return day.plusDays(1); }
    static StringBuilder twice(StringBuilder text) { return text.append(text); }
    static int[] twice(int[] numbers, IntUnaryOperator by) { return Arrays.stream(numbers).map(by).toArray(); }
    static Supplier<Integer> counter() { int[] n = {0}; return () -> ++n[0]; }
    static Function<Integer, Function<Integer, Integer>> adder() { return a -> b -> a + b; }
    static Stream<Integer> numbers() { return Stream.of(1, 2, 3); }
    static void print(String text) { System.out.println(text); System.err.print("!"); }
    static String readLine() { return new Scanner(System.in).nextLine(); }
    static void write(Path file, String text) throws IOException { Files.writeString(file, text); }
    static String read(Path file) { try { return Files.readString(file); } catch (IOException e) { throw new UncheckedIOException(e); } }
    static int divide(int a, int b) { return a / b; }
    static Object nothing() { return null; }
    static void each(Iterable<Integer> all, Consumer<Integer> to) { for (int one : all) to.accept(one); }
    static int caught(Supplier<Integer> supplier) { try { return supplier.get(); } catch (IllegalStateException e) { return e.getMessage().length(); } }
    static int run(Supplier<Integer> supplier) { return supplier.get(); }
    static int inPool(Callback callback) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            int sum = 0;
            Callable<Integer> call = () -> callback.call(2);
            for (Future<Integer> one : pool.invokeAll(Collections.nCopies(5, call))) sum += one.get();
            return sum;
        } finally {
            pool.shutdown();
        }
    }

    public void add(Item item) throws FullException {
        if (items.size() == 2) throw new FullException(items.size());
        items.add(item);
    }
    public List<Item> items() { return items; }
    public Map<Item, Kind> kinds() { Map<Item, Kind> map = new HashMap<>(); for (Item item : items) map.put(item, Kind.of(item)); return map; }
    public int getPrice() { return price; }
    public Shelf shelf() { return new Shelf(7); }
    @Override public int compareTo(Shop other) { return Integer.compare(price, other.price); }
    @Override public boolean equals(Object other) { return other instanceof Shop && ((Shop) other).price == price; }
    @Override public int hashCode() { return price; }
    @Override public String toString() { return "Shop(" + label + ")"; }

    public class Shelf {
        final int length;
        Shelf(int length) { this.length = length; }
        public String where() { return label + " " + length; }
    }

    public static class Sub extends Shop {
        public Sub() { super("sub"); }
        @Override public int getPrice() { return 2 * super.getPrice(); }
    }

    public interface Callback { int call(int n); default int twice(int n) { return call(call(n)); } static Callback identity() { return n -> n; } }

    public enum Kind {
        CHEAP("c") { @Override int factor() { return 1; } }, DEAR("d") { @Override int factor() { return 10; } };
        private final String letter;
        Kind(String letter) { this.letter = letter; }
        abstract int factor();
        public String letter() { return letter; }
        static Kind of(Item item) { return item.price() < 10 ? CHEAP : DEAR; }
    }

    public record Item(String name, int price) {
        public Item { if (price < 0) throw new IllegalArgumentException("price"); }
    }

    public static class FullException extends Exception {
        private final int size;
        public FullException(int size) { super("full: " + size); this.size = size; }
        public int getSize() { return size; }
    }

    /** A list of its own. */
    public static class Chain<T> implements Iterable<T> {
        private class Link { T value; Link next; }
        private Link first;
        private int size;
        public void push(T value) { Link link = new Link(); link.value = value; link.next = first; first = link; ++size; }
        public T pop() { if (first == null) throw new NoSuchElementException("empty"); T value = first.value; first = first.next; --size; return value; }
        public boolean contains(Object value) { for (T one : this) if (one.equals(value)) return true; return false; }
        public int size() { return size; }
        @Override public Iterator<T> iterator() {
            return new Iterator<T>() {
                private Link at = first;
                @Override public boolean hasNext() { return at != null; }
                @Override public T next() { T value = at.value; at = at.next; return value; }
            };
        }
    }

    public static class Numbers extends ArrayList<Integer> {
        public int sum() { return stream().mapToInt(n -> n).sum(); }
    }

    static Node reversed(Node list) {
        Node before = null;
        while (list != null) { Node next = list.next; list.next = before; before = list; list = next; }
        return before;
    }
    static Pair swapped(Pair pair) { return new Pair(pair.second(), pair.first()); }
    static Shape square(int side) { return new Shape() { @Override public int area() { return side * side; } }; }
    static int areas(List<Shape> shapes) { return shapes.stream().mapToInt(Shape::area).sum(); }
    static Level up(Level level) { return Level.values()[level.ordinal() + 1]; }
    static void tooMuch() { throw new TooMuch(5); }
}
