import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.Stream;

/** What a dishonest solution may try from a process of its own. None knows that 42 is expected; the messages are those of split/Side. */
public class Cheats {
    static Set<Integer> shows(List<Integer> shown, int said) {
        return new AbstractSet<Integer>() {
            public int size() { return said; }
            public Iterator<Integer> iterator() { return shown.iterator(); }
        };
    }
    static Set<Integer> emptySetOfThree() { return shows(List.of(), 3); }
    static Set<Integer> oneThrice() { return shows(List.of(1, 1, 1), 3); }
    static Set<Integer> ownSet(int size) { List<Integer> all = new ArrayList<>(); for (int i = 1; i <= size; i++) all.add(i); return shows(all, size); }
    static Map<Integer, Integer> emptyMapOfTwo() {
        return new AbstractMap<Integer, Integer>() {
            public int size() { return 2; }
            public Integer get(Object key) { return 1; }
            public Set<Map.Entry<Integer, Integer>> entrySet() { return new HashSet<>(); }
        };
    }
    static Map<Integer, Integer> ownMap(int size) {
        return new AbstractMap<Integer, Integer>() {
            public Set<Map.Entry<Integer, Integer>> entrySet() {
                Set<Map.Entry<Integer, Integer>> all = new LinkedHashSet<>();
                for (int i = 1; i <= size; i++) all.add(new SimpleEntry<>(i, 1));
                return all;
            }
        };
    }
    private static final String[] ARGUMENTS = System.getProperty("sun.java.command").split(" ");

    // Instead of an answer --------------------------------------------------------------------------------------------

    /** Bytes, or a text for each that is longer, or an int as four. */
    static byte[] bytes(Object... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof Character) out.write((Character) part);
            else if (part instanceof Integer) for (int i = 24; i >= 0; i -= 8) out.write((Integer) part >>> i);
            else if (part instanceof byte[]) out.writeBytes((byte[]) part);
            else {
                byte[] text = ((String) part).getBytes(StandardCharsets.ISO_8859_1);
                out.writeBytes(bytes('\1', text.length, text));
            }
        }
        return out.toByteArray();
    }

    static int write(byte[] bytes) throws Exception {
        FileDescriptor descriptor = new FileDescriptor();
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        number.setInt(descriptor, Integer.parseInt(ARGUMENTS[2]));
        new FileOutputStream(descriptor).write(bytes);
        Thread.sleep(100_000);
        return 0;
    }

    static final byte[] NO_NOTES = bytes("", "", 0), NO_CONTENTS = bytes(0);

    static int message(Object... parts) throws Exception {
        byte[] body = bytes(parts);
        return write(bytes(body.length, body));
    }

    static int value(Object... parts) throws Exception { return message('v', NO_NOTES, NO_CONTENTS, bytes(parts)); }
    static Object thing(Object... parts) throws Exception { return value(parts); }

    static int garbage() throws Exception { byte[] bytes = new byte[1000]; Arrays.fill(bytes, (byte) 'v'); return write(bytes); }
    static int endless() throws Exception { return write(bytes(Integer.MAX_VALUE, new byte[100])); }
    static int negative() throws Exception { return write(bytes(-1)); }
    static int empty() throws Exception { return write(bytes(0)); }
    static int half() throws Exception { write0(bytes(100, new byte[50])); Runtime.getRuntime().halt(0); return 0; }
    static void write0(byte[] bytes) throws Exception { Thread thread = new Thread(() -> { try { write(bytes); } catch (Exception e) { return; } }); thread.start(); Thread.sleep(100); }
    static int trailing() throws Exception { return value('I', 42, 'x'); }
    static int noKind() throws Exception { return message('w', NO_NOTES, NO_CONTENTS, 'I', 42); }
    static int noNotes() throws Exception { return message('v', NO_CONTENTS, 'I', 42); }
    static int aText() throws Exception { return value('s', "42"); }
    static int aLong() throws Exception { return value('J', 0, 42); }
    static int nothing() throws Exception { return value('0'); }
    static int noTag() throws Exception { return value('?', 42); }
    static int shortText() throws Exception { return value('s', '\1', 1000, 'x'); }
    static int oddText() throws Exception { return value('s', '\2', 3, 'a', 'b', 'c'); }
    static int noContainer() throws Exception { return value('&', 3); }
    static int manyContents() throws Exception { return message('v', NO_NOTES, 1 << 30, 'I', 42); }
    static int untoldContents() throws Exception { return message('v', NO_NOTES, 1, '\0', 'I', 42); }
    static int container(Object... content) throws Exception { byte[] one = bytes(content); return message('v', NO_NOTES, 1, '\1', one.length, one, '&', 0); }
    static Object hugeArray() throws Exception { return container("[I", 1 << 30); }
    static Object negativeArray() throws Exception { return container("[I", -1); }
    static Object arrayOfVoid() throws Exception { return container("[V", 0); }
    static Object arrayOfTests() throws Exception { return container("[LCheatsTest;", 0); }
    static Object deepArray() throws Exception { return container("[".repeat(300) + "I", 0); }
    static Object noList() throws Exception { return container("java.lang.ProcessBuilder", 0); }
    static Object ownThread() throws Exception { return container("own java.lang.Thread"); }
    static Object ownTest() throws Exception { return container("own CheatsTest"); }
    static Object hugeList() throws Exception { return container("java.util.ArrayList", 1 << 30); }
    static Object entered() throws Exception { return thing('r', "CheatsTest"); }
    static Object framework() throws Exception { return thing('o', 7, "org.junit.jupiter.api.Assertions"); }
    static Object runner() throws Exception { return thing('o', 7, "tally.Runner"); }
    static Object test() throws Exception { return thing('o', 7, "CheatsTest"); }
    static Object javas() throws Exception { return thing('o', 7, "java.lang.Object"); }
    static Object anAbstractOne() throws Exception { return thing('o', 7, "Cheats$Abstract"); }
    static Object anInterface() throws Exception { return thing('o', 7, "Cheats$Callback"); }
    static Object noName() throws Exception { return thing('o', 7, ""); }
    static Object executable() throws Exception { return thing('p', 7, 1, "org.junit.jupiter.api.function.Executable"); }
    static Object aClassForAnInterface() throws Exception { return thing('p', 7, 1, "java.lang.Thread"); }
    static Object manyInterfaces() throws Exception { return thing('p', 7, 1 << 20, new byte[1 << 23]); }
    static Object notLent() throws Exception { return thing('l', 1000); }
    static Object lentMinus() throws Exception { return thing('l', -1); }
    static Object constant() throws Exception { return thing('e', "java.lang.Thread", "RUNNABLE"); }
    static Object noConstant() throws Exception { return thing('e', "Cheats$Color", "BLUE"); }
    static Object nested() throws Exception { byte[] deep = new byte[1 << 22]; for (int i = 0; i < deep.length; i += 2) { deep[i] = 'O'; deep[i + 1] = 'o'; } return value(deep); }
    static Object noDate() throws Exception { return thing('X', "java.time.LocalDate", "yesterday"); }
    static Object noText() throws Exception { return thing('X', "java.lang.ProcessBuilder", "sh"); }
    static int error(String name) throws Exception { return message('e', NO_NOTES, NO_CONTENTS, 'x', -1, name, '\0', '\0', 0); }
    static int aborted() throws Exception { return error("org.opentest4j.TestAbortedException"); }
    static int assumption() throws Exception { return error("org.junit.AssumptionViolatedException"); }
    static int noError() throws Exception { return error("java.lang.String"); }
    static int errorOfTests() throws Exception { return error("CheatsTest$Mine"); }
    static int valueAsError() throws Exception { return message('e', NO_NOTES, NO_CONTENTS, 'I', 42); }
    static int causes() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 100_000; ++i) out.writeBytes(bytes(-1, "java.lang.Error", '\0', '\1'));
        return message('e', NO_NOTES, NO_CONTENTS, 'x', out.toByteArray());
    }
    static Object another() throws Exception { return new One(); }
    static Object anotherClass(Object one) throws Exception { return thing('o', 0, "Cheats$Two"); }

    // Questions to the tests -------------------------------------------------------------------------------------------

    static int asks(char op, String owner, String member, String descriptor, Object... target) throws Exception {
        return message('q', NO_NOTES, NO_CONTENTS, op, owner, member, descriptor, bytes(target), 0);
    }
    static int asksNobody() throws Exception { return asks('c', "java.lang.Runnable", "run", "()V", '0'); }
    static int asksAText() throws Exception { return asks('c', "java.lang.CharSequence", "length", "()I", 's', "abc"); }
    static int asksWithoutBeingLent() throws Exception { return asks('#', "", "", "", 'l', 1000); }
    static int asksItsClass(Supplier<Integer> lent) throws Exception { return asks('c', "java.lang.Object", "getClass", "()Ljava/lang/Class;", 'l', 0); }
    static int asksAnotherInterface(Supplier<Integer> lent) throws Exception { return asks('c', "java.util.List", "size", "()I", 'l', 0); }
    static int asksTheTest(Object lent) throws Exception { return asks('c', "CheatsTest", "secret", "()I", 'l', 0); }
    static int asksAField(Object lent) throws Exception { return asks('g', "CheatsTest", "secret", "", 'l', 0); }
    static int makesOne() throws Exception { return asks('n', "java.lang.ProcessBuilder", "<init>", "([Ljava/lang/String;)V", '0'); }
    static int readsTheLent(Object lent) throws Exception {
        for (Method method : lent.getClass().getMethods()) {
            if (method.getName().equals("secret")) return (Integer) method.invoke(lent);
        }
        for (Field field : lent.getClass().getDeclaredFields()) {
            if (field.getType() == int.class) return field.getInt(lent);
        }
        return 0;
    }

    // Objects that agree -----------------------------------------------------------------------------------------------

    public interface Callback { int call(int n); }
    public abstract static class Abstract { }
    public static class One { }
    public static class Two { }
    public enum Color { RED }

    public static class Agrees extends Number implements Comparable<Object>, CharSequence {
        @Override public boolean equals(Object other) { return true; }
        @Override public int hashCode() { return 42; }
        @Override public String toString() { return "42"; }
        @Override public int compareTo(Object other) { return 0; }
        @Override public int intValue() { return 42; }
        @Override public long longValue() { return 42; }
        @Override public float floatValue() { return 42; }
        @Override public double doubleValue() { return 42; }
        @Override public int length() { return 2; }
        @Override public char charAt(int index) { return "42".charAt(index); }
        @Override public CharSequence subSequence(int start, int end) { return "42".substring(start, end); }
    }
    static Object agrees() { return new Agrees(); }
    public static class AgreeingList extends ArrayList<Integer> {
        @Override public boolean equals(Object other) { return true; }
        @Override public boolean contains(Object other) { return true; }
    }
    static List<Integer> agreeingList() { return new AgreeingList(); }
    public static class AgreeingError extends IllegalStateException {
        @Override public boolean equals(Object other) { return true; }
    }
    static Object listOfAgreeing() { return new ArrayList<>(List.of(new Agrees())); }
    static Object mapOfAgreeing() { return new HashMap<>(Map.of(new Agrees(), 1)); }

    // As in any process ------------------------------------------------------------------------------------------------

    static int exits() { System.exit(0); return 42; }
    static int halts() { Runtime.getRuntime().halt(0); return 42; }
    static int crashes() throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        ((sun.misc.Unsafe) field.get(null)).putAddress(1, 1);
        return 42;
    }
    static int hangs() { while (true) { } }
    static int floods() { while (true) System.out.println("0123456789".repeat(100)); }
    static int floodsAndHides() { while (true) { try { System.out.println("x".repeat(1000)); } catch (Throwable t) { return 0; } } }
    static int eats() { List<long[]> all = new ArrayList<>(); while (true) all.add(new long[1 << 24]); }
    static int recurses() { return recurses() + 1; }
    static int throwsOwn() { throw new org.opentest4j.TestAbortedException(); }
    public static class Aborted extends org.opentest4j.TestAbortedException { }
    static int throwsDerived() { throw new Aborted(); }
    static int throwsDerivedAsCause() { throw new IllegalStateException(new Aborted()); }
    static int returnsMuch() { return sum(new int[1]) + text().length(); }
    static int sum(int[] all) { return all[0]; }
    static String text() { return "x".repeat(50_000_000); }
    static int readsTests() throws Exception {
        for (String folder : new String[] {"/box", "/tmp", "/prepared", "/proc", "/dev/shm"}) {
            if (!Files.isDirectory(Path.of(folder))) continue;
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (file.toString().endsWith("answer.txt") || file.getFileName().toString().startsWith("CheatsTest")) return 42;
                }
            } catch (UncheckedIOException e) {
                continue;
            }
        }
        return Cheats.class.getResource("answer.txt") == null ? 0 : 42;
    }
    static int loadsTests() throws Exception {
        Class<?> test = Class.forName("CheatsTest");
        Method secret = test.getDeclaredMethod("secret");
        secret.setAccessible(true);
        return (Integer) secret.invoke(test.getDeclaredConstructor().newInstance());
    }
    static int leavesAThread() { new Thread(() -> { while (true) { } }).start(); return 0; }
    static int diesSoon() throws Exception { new Thread(() -> { try { Thread.sleep(300); } catch (InterruptedException e) { return; } Runtime.getRuntime().halt(3); }).start(); return 0; }
    static int writesFiles() throws Exception {
        Files.createSymbolicLink(Path.of("/tmp/link"), Path.of("/box"));
        Files.writeString(Path.of("/tmp/of the solution"), "x");
        byte[] notes = bytes("", "", 4, "../../box/include/answer.txt", '\2', 1, 'x', "/tmp/absolute", '\2', 1, 'x', "a/../../b", '\2', 1, 'x', "\0", '\2', 1, 'x');
        return message('v', notes, NO_CONTENTS, 'I', 0);
    }
}
