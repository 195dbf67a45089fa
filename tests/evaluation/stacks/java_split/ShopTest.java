package shop;

import static org.junit.jupiter.api.Assertions.*;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.CoreMatchers.is;

import java.io.*;
import java.math.BigInteger;
import java.nio.file.*;
import java.time.LocalDate;
import java.util.*;
import java.util.function.*;
import java.util.stream.Collectors;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import shop.Shop.*;

class ShopTest {
    private static Shop shared;
    @BeforeAll static void prepare() { shared = new Shop("shared"); }

    static class Person implements Comparable<Person> {
        final String name;
        Person(String name) { this.name = name; }
        @Override public int compareTo(Person other) { return name.compareTo(other.name); }
        @Override public boolean equals(Object other) { return other instanceof Person && ((Person) other).name.equals(name); }
        @Override public int hashCode() { return name.hashCode(); }
    }

    @Test void numbers() {
        assertEquals(3, Shop.add(1, 2));
        assertEquals(1 + 2 + 3 + 'd' + 5 + 6 + 7 + 1, Shop.addLong(1, 2, 3.5, 'd', (byte) 5, (short) 6, 7.5f, true));
        assertEquals(new BigInteger("2432902008176640000"), Shop.factorial(20));
    }
    @Test void texts() {
        assertEquals("a-b", Shop.join("a", "b"));
        assertEquals("\ud800x\u00e9", Shop.half());
        assertEquals("abab", Shop.twice(new StringBuilder("ab")).toString());
    }
    @Test void arraysInPlace() {
        int[] numbers = {3, 1, 2};
        Shop.sort(numbers);
        assertArrayEquals(new int[] {1, 2, 3}, numbers);
        double[][] rows = new double[2][3];
        Shop.fill(rows);
        assertEquals(0.5, rows[1][2]);
        assertArrayEquals(new int[] {2, 4}, Shop.twice(new int[] {1, 2}, n -> 2 * n));
    }
    @Test void testsOwnClasses() {
        Person a = new Person("a"), b = new Person("b");
        Person[] people = {b, a};
        Shop.sortAll(people);
        assertSame(a, people[0]);
        List<Person> list = new ArrayList<>(List.of(a, b));
        Shop.sortBy(list, Comparator.comparing((Person p) -> p.name).reversed());
        assertSame(b, list.get(0));
        assertSame(b, Shop.largest(list));
        Chain<Person> chain = new Chain<>();
        chain.push(a);
        assertTrue(chain.contains(new Person("a")));
        assertFalse(chain.contains(b));
        assertSame(a, chain.pop());
    }
    @Test void collections() {
        assertEquals(Map.of("a", 2, "b", 1), Shop.count(List.of("a", "b", "a")));
        assertEquals(List.of(1, 2), Shop.fixed());
        assertThrows(UnsupportedOperationException.class, () -> Shop.fixed().add(3));
        List<Object> itself = Shop.itself();
        assertSame(itself, itself.get(0));
        assertTrue(Shop.nested().contains(List.of(1, 2)));
        assertEquals(Optional.of("x"), Shop.first(List.of("x", "y")));
        assertEquals(LocalDate.of(2024, 3, 1), Shop.next(LocalDate.of(2024, 2, 29)));
        assertNull(Shop.nothing());
    }
    @Test void objects() throws Exception {
        Shop one = new Shop("one"), two = new Shop.Sub();
        assertEquals("Shop(one)", one.toString());
        assertEquals(one, two);
        assertNotEquals("Shop(one)", one);
        assertTrue(two instanceof Shop.Sub && two.getPrice() == 6);
        one.price = 5;
        assertEquals(5, one.getPrice());
        assertTrue(one.compareTo(two) > 0);
        assertEquals(1, new HashSet<>(List.of(two, shared)).size());
        assertEquals("one", one.label);
        assertEquals(3, one.cells.length);
        one.add(new Item("tea", 3));
        assertSame(one.items().get(0), one.items().get(0));
        assertThat(one.items(), is(List.of(new Item("tea", 3))));
        assertEquals(Map.of(new Item("tea", 3), Kind.CHEAP), one.kinds());
        assertEquals("one 7", one.shelf().where());
        assertEquals("one 2", one.new Shelf(2).where());
    }
    @Test void statics() {
        assertEquals(12, Shop.MOST);
        assertEquals("shop", Shop.NAME);
        assertEquals(List.of("one", "two"), Shop.WORDS);
        int before = Shop.opened;
        new Shop();
        assertEquals(before + 1, Shop.opened);
        Shop.opened += 2;
        assertEquals(before + 3, Shop.opened);
    }
    @Test void enumerations() {
        assertEquals(List.of(Kind.CHEAP, Kind.DEAR), List.of(Kind.values()));
        assertSame(Kind.DEAR, Kind.valueOf("DEAR"));
        assertSame(Kind.DEAR, Kind.of(new Item("wine", 30)));
        switch (Kind.of(new Item("tea", 1))) {
            case CHEAP: break;
            default: fail();
        }
        assertEquals(10, Kind.DEAR.factor());
        assertEquals("c", Kind.CHEAP.letter());
    }
    @ParameterizedTest @EnumSource(Kind.class) void eachKind(Kind kind) { assertEquals(1, kind.letter().length()); }
    @Test void records() {
        Item item = new Item("tea", 3);
        assertEquals("tea", item.name());
        assertEquals(new Item("tea", 3), item);
        assertEquals("Item[name=tea, price=3]", item.toString());
        assertEquals("price", assertThrows(IllegalArgumentException.class, () -> new Item("x", -1)).getMessage());
    }
    @Test void errors() throws Exception {
        assertThrows(ArithmeticException.class, () -> Shop.divide(1, 0));
        assertEquals("no label", assertThrows(IllegalArgumentException.class, () -> new Shop("")).getMessage());
        Shop shop = new Shop();
        shop.add(new Item("a", 1));
        shop.add(new Item("b", 2));
        FullException full = assertThrows(FullException.class, () -> shop.add(new Item("c", 3)));
        assertEquals("full: 2", full.getMessage());
        assertEquals(2, full.getSize());
        assertEquals("full: 9", new FullException(9).getMessage());
        UncheckedIOException error = assertThrows(UncheckedIOException.class, () -> Shop.read(Path.of("/tmp/nothing")));
        assertTrue(error.getCause() instanceof NoSuchFileException);
        assertThrows(NullPointerException.class, () -> Shop.first(null));
        assertThrows(NoSuchElementException.class, () -> new Chain<String>().pop());
    }
    @Test void functions() throws Exception {
        Supplier<Integer> counter = Shop.counter();
        assertEquals(1, counter.get());
        assertEquals(2, counter.get());
        assertEquals(7, Shop.adder().apply(3).apply(4));
        assertEquals(List.of(2, 4, 6), Shop.numbers().map(n -> 2 * n).collect(Collectors.toList()));
        List<Integer> seen = new ArrayList<>();
        Shop.each(List.of(1, 2), seen::add);
        assertEquals(List.of(1, 2), seen);
        Callback twice = n -> 2 * n;
        assertEquals(12, twice.twice(3));
        assertEquals(4, Callback.identity().call(4));
        assertEquals(20, Shop.inPool(twice));
        assertEquals(5, Shop.caught(() -> { throw new IllegalStateException("12345"); }));
        IllegalStateException mine = new IllegalStateException("mine");
        assertSame(mine, assertThrows(IllegalStateException.class, () -> Shop.run(() -> { throw mine; })));
        assertEquals(3, Shop.run(() -> Shop.run(() -> Shop.add(1, 2))));
    }
    @Test void iterables() {
        Chain<Integer> chain = new Chain<>();
        for (int i = 0; i < 3; ++i) chain.push(i);
        int sum = 0;
        for (int one : chain) sum = 10 * sum + one;
        assertEquals(210, sum);
        assertIterableEquals(List.of(2, 1, 0), chain);
        Numbers numbers = new Numbers();
        numbers.add(3);
        numbers.addAll(List.of(4, 5));
        assertEquals(12, numbers.sum());
        assertEquals(List.of(3, 4, 5), numbers);
        assertEquals(numbers, List.of(3, 4, 5));
        int first = numbers.get(0);
        assertEquals(3, first);
    }
    @Test void streams() {
        PrintStream out = System.out;
        InputStream in = System.in;
        ByteArrayOutputStream caught = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(caught));
            Shop.print("hello");
            System.setIn(new ByteArrayInputStream("a line\nmore\n".getBytes()));
            assertEquals("a line", Shop.readLine());
        } finally {
            System.setOut(out);
            System.setIn(in);
        }
        assertEquals("hello\n", caught.toString());
    }
    @Test void files(@TempDir Path folder) throws Exception {
        Shop.write(folder.resolve("a.txt"), "of the solution");
        assertEquals("of the solution", Files.readString(folder.resolve("a.txt")));
        Files.writeString(folder.resolve("a.txt"), "of the tests");
        assertEquals("of the tests", Shop.read(folder.resolve("a.txt")));
        assertEquals("given\n", Shop.read(Path.of("data.txt")));
    }
    @Test void includeFiles() {
        Node list = Shop.reversed(new Node(1, new Node(2, null)));
        assertEquals(2, list.value);
        assertEquals(1, list.next.value);
        assertNull(list.next.next);
        assertEquals(5, Shop.swapped(new Pair("x", 5)).first());
        assertEquals(9, Shop.square(3).area());
        assertEquals(18, Shop.square(3).twice());
        assertEquals(11, Shop.areas(List.of(Shop.square(3), () -> 2)));
        assertSame(Level.HIGH, Shop.up(Level.LOW));
        assertEquals(5, assertThrows(TooMuch.class, Shop::tooMuch).much);
    }
    @Test void many() {
        int[] numbers = new Random(1).ints(200_000).toArray(), sorted = numbers.clone();
        Arrays.sort(sorted);
        Shop.sort(numbers);
        assertArrayEquals(sorted, numbers);
        for (int i = 0; i < 3000; ++i) assertEquals(i + 1, Shop.add(i, 1));
        for (int i = 0; i < 3000; ++i) new Item("x", i);
    }
    @Nested class Inner { @Test void seesIt() { assertEquals("Shop(shared)", shared.toString()); } }
    @RepeatedTest(2) void again() { assertEquals(2, Shop.add(1, 1)); }
}
