package tally.split;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The values of one question and its answer. A value is of one of the exact types below, or stays where it is and goes by a number
 * (Others). Arrays, lists and their like (Containers) are not in a value: it names them by number, and their contents come beside it.
 * So one that is there twice or in itself stays one, and the contents of an argument, sent back with the answer, are what the callee
 * made of it.
 */
final class Values {
  /** What the two sides do each in their own way. */
  interface Others {
    void pack(Object value, Output out, Values values);

    Object unpack(int tag, Input in, Values values);

    Kinds kinds();
  }

  private final Others others;
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final List<Containers.Container> containers = new ArrayList<>();

  Values(Others others) {
    this.others = others;
  }

  Kinds kinds() {
    return others.kinds();
  }

  // Values ---------------------------------------------------------------------------------------------------------

  void pack(Object value, Output out) {
    if (value == null) out.u1('0');
    else if (value instanceof Boolean) out.u1((Boolean) value ? 'T' : 'F');
    else if (value instanceof Byte) out.u1('B').u1((Byte) value);
    else if (value instanceof Short) out.u1('S').i4((Short) value);
    else if (value instanceof Character) out.u1('C').i4((Character) value);
    else if (value instanceof Integer) out.u1('I').i4((Integer) value);
    else if (value instanceof Long) out.u1('J').i8((Long) value);
    else if (value instanceof Float) out.u1('G').i4(Float.floatToRawIntBits((Float) value));
    else if (value instanceof Double) out.u1('D').i8(Double.doubleToRawLongBits((Double) value));
    else if (value instanceof String) out.u1('s').text((String) value);
    else if (value.getClass() == BigInteger.class) out.u1('Z').block(((BigInteger) value).toByteArray());
    else if (value.getClass() == BigDecimal.class) packDecimal((BigDecimal) value, out);
    else if (Texts.isOne(value)) Texts.pack(value, out.u1('X'));
    else if (value instanceof Class && kinds().isKnown((Class<?>) value)) out.u1('k').text(kinds().descriptorOf((Class<?>) value));
    else if (packOptional(value, out)) return;
    else if (value instanceof Map.Entry && Kinds.isJava(value.getClass())) packEntry((Map.Entry<?, ?>) value, out);
    else if (kinds().isShared(value.getClass()) && Own.isRecord(value.getClass())) Own.packRecord(value, out.u1('r'), this);
    else if (!(value instanceof Stub) && Containers.isOne(value, kinds())) out.u1('&').i4(number(value));
    else others.pack(value, out, this);
  }

  private static void packDecimal(BigDecimal value, Output out) {
    out.u1('z').i4(value.scale()).block(value.unscaledValue().toByteArray());
  }

  private void packEntry(Map.Entry<?, ?> entry, Output out) {
    pack(entry.getKey(), out.u1('m'));
    pack(entry.getValue(), out);
  }

  private boolean packOptional(Object value, Output out) {
    if (value instanceof Optional) pack(((Optional<?>) value).orElse(null), out.u1('O').u1('o'));
    else if (value instanceof OptionalInt) pack(((OptionalInt) value).isPresent() ? ((OptionalInt) value).getAsInt() : null, out.u1('O').u1('i'));
    else if (value instanceof OptionalLong) pack(((OptionalLong) value).isPresent() ? ((OptionalLong) value).getAsLong() : null, out.u1('O').u1('l'));
    else if (value instanceof OptionalDouble) pack(((OptionalDouble) value).isPresent() ? ((OptionalDouble) value).getAsDouble() : null, out.u1('O').u1('d'));
    else return false;
    return true;
  }

  Object unpack(Input in) {
    int tag = in.u1();
    switch (tag) {
      case '0': return null;
      case 'T': return true;
      case 'F': return false;
      case 'B': return (byte) in.u1();
      case 'S': return (short) in.i4();
      case 'C': return (char) in.i4();
      case 'I': return in.i4();
      case 'J': return in.i8();
      case 'G': return Float.intBitsToFloat(in.i4());
      case 'D': return Double.longBitsToDouble(in.i8());
      case 's': return in.text();
      case 'Z': return new BigInteger(in.block());
      case 'z': return unpackDecimal(in);
      case 'X': return Texts.unpack(in);
      case 'k': return kinds().ofDescriptor(in.text());
      case 'O': return unpackOptional(in.u1(), unpack(in));
      case 'm': return new AbstractMap.SimpleEntry<>(unpack(in), unpack(in));
      case 'r': return Own.unpackRecord(in, this);
      case '&': return container(in.i4());
      default: return others.unpack(tag, in, this);
    }
  }

  private static Object unpackDecimal(Input in) {
    int scale = in.i4();
    return new BigDecimal(new BigInteger(in.block()), scale);
  }

  private static Object unpackOptional(int kind, Object value) {
    if (kind == 'o') return Optional.ofNullable(value);
    if (kind == 'i' && value instanceof Integer) return OptionalInt.of((Integer) value);
    if (kind == 'l' && value instanceof Long) return OptionalLong.of((Long) value);
    if (kind == 'd' && value instanceof Double) return OptionalDouble.of((Double) value);
    if (value != null) throw new Misunderstood("another value");
    return kind == 'i' ? OptionalInt.empty() : kind == 'l' ? OptionalLong.empty() : OptionalDouble.empty();
  }

  private Object container(int number) {
    if (number < 0 || number >= containers.size()) throw new Misunderstood("no container");
    return containers.get(number).thing;
  }

  // Containers -----------------------------------------------------------------------------------------------------

  private int number(Object thing) {
    Integer number = numbers.get(thing);
    if (number == null) {
      number = containers.size();
      add(Containers.of(thing, kinds()));
    }
    return number;
  }

  private void add(Containers.Container container) {
    numbers.put(container.thing, containers.size());
    containers.add(container);
  }

  /** Of all, those among them that are found on the way. */
  List<byte[]> contents() {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < containers.size(); ++i) {
      Output out = new Output();
      containers.get(i).pack(out, this);
      contents.add(out.toBytes());
    }
    return contents;
  }

  /** `before`: what is as it was then is not told again. */
  static void write(List<byte[]> contents, List<byte[]> before, Output out) {
    out.i4(contents.size());
    for (int i = 0; i < contents.size(); ++i) {
      boolean same = i < before.size() && Arrays.equals(contents.get(i), before.get(i));
      if (same) out.u1(0);
      else out.u1(1).block(contents.get(i));
    }
  }

  /** Those that are not here yet are made; those that are here become what is said of them. */
  void receive(Input in) {
    int count = in.count(1);
    if (count < containers.size()) throw new Misunderstood("no contents");
    int known = containers.size();
    List<Input> parts = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      boolean told = in.u1() == 1;
      if (!told && i >= known) throw new Misunderstood("no contents");
      parts.add(told ? new Input(in.block()) : null);
      if (i >= known) add(Containers.made(parts.get(i), kinds()));
      else if (told) containers.get(i).expect(parts.get(i), kinds());
    }
    // What is sorted or hashed comes last, and of that what is found deeper first: it asks its elements what they are.
    for (int i = 0; i < count; ++i) {
      if (!containers.get(i).asksElements()) fill(i, parts.get(i));
    }
    for (int i = count - 1; i >= 0; --i) {
      if (containers.get(i).asksElements()) fill(i, parts.get(i));
    }
  }

  private void fill(int number, Input content) {
    if (content == null) return;
    containers.get(number).fill(content, this);
    content.finish();
  }
}
