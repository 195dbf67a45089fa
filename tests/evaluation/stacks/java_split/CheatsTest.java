import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.*;
import java.util.*;
import java.util.function.Supplier;
import org.junit.jupiter.api.*;

class CheatsTest {
    private final int secret = 42;
    static class Mine extends RuntimeException { }
    interface Secret { int secret(); }
    int secret() { return secret; }
    private static void is42(Object is) { assertEquals((Object) 42, is); }

//CASES
    @Test void anotherClassOfOne() throws Exception { Object one = Cheats.another(); is42(Cheats.anotherClass(one)); }
    @Test void asksItsClass() throws Exception { is42(Cheats.asksItsClass(() -> 41)); }
    @Test void asksAnotherInterface() throws Exception { is42(Cheats.asksAnotherInterface(() -> 41)); }
    @Test void asksTheTest() throws Exception { is42(Cheats.asksTheTest(this)); }
    @Test void asksAField() throws Exception { is42(Cheats.asksAField(this)); }
    @Test void readsTheLent() throws Exception { is42(Cheats.readsTheLent(this)); }
    @Test void agreesLeft() { assertEquals(Cheats.agrees(), (Object) 42); }
    @Test void agreesAsText() { assertEquals("42", Cheats.agrees()); }
    @Test void agreesWithTrue() { assertTrue(Cheats.agrees().equals(42)); }
    @Test void agreesInHamcrest() { org.hamcrest.MatcherAssert.assertThat(Cheats.agrees(), org.hamcrest.CoreMatchers.is((Object) 42)); }
    @Test void agreesInAList() { assertEquals(List.of(42), Cheats.agreeingList()); }
    @Test void agreesAsAList() { assertEquals(Cheats.agreeingList(), List.of(42)); }
    @Test void agreesInTheirList() { assertEquals(List.of(42), Cheats.listOfAgreeing()); }
    @Test void agreesInTheirMap() { assertEquals(Map.of(42, 1), Cheats.mapOfAgreeing()); }
    @Test void liesAboutItsSize() { assertEquals(Set.of(1, 2, 3), Cheats.emptySetOfThree()); }
    @Test void showsOneThrice() { assertEquals(Set.of(1, 2, 3), Cheats.oneThrice()); }
    @Test void mapLiesAboutItsSize() { assertEquals(Map.of(1, 1, 2, 1), Cheats.emptyMapOfTwo()); }
    @Test void agreesInContains() { assertTrue(List.of(42).contains(Cheats.agrees())); }
    @Test void exitsAndIsCaught() { try { Cheats.exits(); } catch (Throwable error) { return; } }
    @Test void exitsAndIsExpected() { assertThrows(Throwable.class, Cheats::exits); }
    @Test void garbageIsExpected() { assertThrows(Throwable.class, Cheats::garbage); }
    @Test void valueAsErrorIsExpected() { assertThrows(Throwable.class, Cheats::valueAsError); }
    @Test void aTextIsExpected() { assertThrows(ClassCastException.class, Cheats::aText); }
    @Test void diesSoon() throws Exception { Cheats.diesSoon(); Thread.sleep(600); is42(Cheats.leavesAThread()); }
    @Test void writesFiles() throws Exception {
        Cheats.writesFiles();
        assertFalse(Files.exists(Path.of("/tmp/absolute")) || Files.exists(Path.of("/tmp/link")) || Files.exists(Path.of("/b")));
        is42(0);
    }
    @Test @Timeout(1) void timeOut() { Cheats.hangs(); }
    @Test void preempted() { is42(assertTimeoutPreemptively(java.time.Duration.ofMillis(200), Cheats::hangs)); }
    @Test void interrupted() {
        Thread test = Thread.currentThread();
        new Thread(() -> { try { Thread.sleep(200); } catch (InterruptedException e) { return; } test.interrupt(); }).start();
        assertThrows(Throwable.class, Cheats::hangs);
    }
    @Test void honestSets() {
        assertEquals(Set.of(1, 2, 3), Cheats.ownSet(3));
        assertEquals(3, Cheats.ownSet(3).size());
        assertEquals(Map.of(1, 1, 2, 1), Cheats.ownMap(2));
    }
    @Test void honest() throws Exception { assertEquals(0, Cheats.sum(new int[] {0})); assertSame(Cheats.Color.RED, Cheats.Color.valueOf("RED")); assertEquals(7, Cheats.sum(new int[] {7})); }
    @Test void honestWithAFunction() { Supplier<Integer> seven = () -> 7; assertEquals(7, seven.get()); assertEquals("42", Cheats.agrees().toString()); }
}
