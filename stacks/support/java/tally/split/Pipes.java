package tally.split;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;

/**
 * The tests' ends of the pipes: what they ask, what is answered, orders to start and stop the solution's process, and notices of how it
 * has ended (evaluation/solution_side.h). Java waits for one pipe at a time, and by a selector for more; its channels for pipes have no
 * public way to be made of a descriptor.
 */
final class Pipes {
  private final Pipe.SinkChannel calls;
  private final Pipe.SourceChannel answers, notices;
  private final FileOutputStream orders;
  private final Selector reading = Selector.open(), writing = Selector.open(), hearing = Selector.open();

  /** The process has ended: a sentence. */
  static final class Ended extends Exception {
    private static final long serialVersionUID = 1;

    Ended(String how) {
      super(how, null, false, false);
    }
  }

  Pipes(int calls, int answers, int orders, int notices) throws IOException, ReflectiveOperationException {
    this.calls = (Pipe.SinkChannel) channel("SinkChannelImpl", calls);
    this.answers = (Pipe.SourceChannel) channel("SourceChannelImpl", answers);
    this.notices = (Pipe.SourceChannel) channel("SourceChannelImpl", notices);
    this.orders = new FileOutputStream(Descriptors.of(orders));
    this.answers.register(reading, SelectionKey.OP_READ);
    this.notices.register(reading, SelectionKey.OP_READ);
    this.calls.register(writing, SelectionKey.OP_WRITE);
    this.notices.register(writing, SelectionKey.OP_READ);
    this.notices.register(hearing, SelectionKey.OP_READ);
  }

  private static SelectableChannel channel(String name, int number) throws IOException, ReflectiveOperationException {
    Constructor<?> constructor = Class.forName("sun.nio.ch." + name).getDeclaredConstructor(SelectorProvider.class, FileDescriptor.class);
    constructor.setAccessible(true);
    SelectableChannel channel = (SelectableChannel) constructor.newInstance(SelectorProvider.provider(), Descriptors.of(number));
    channel.configureBlocking(false);
    return channel;
  }

  void start() throws IOException {
    orders.write("start\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether there is a notice that nobody has waited for. */
  boolean haveEnded() throws IOException {
    boolean noticed = hearing.selectNow() > 0;
    hearing.selectedKeys().clear();
    return noticed;
  }

  /** Of a process that may be there or not: what it has not read, and what was not read of it, belongs to nobody. */
  void stop() throws IOException {
    orders.write("stop\n".getBytes(StandardCharsets.US_ASCII));
    StringBuilder said = new StringBuilder();
    while (said.indexOf("stopped\n") < 0) {
      hearing.select();
      hearing.selectedKeys().clear();
      said.append(notice());
    }
    ByteBuffer rest = ByteBuffer.allocate(1 << 16);
    while (answers.read(rest) > 0) rest.clear();
  }

  /** What has been said is heard before its speaker's end is. null: the thread was interrupted. */
  byte[] read(int size) throws IOException, Ended {
    ByteBuffer bytes = ByteBuffer.allocate(Math.min(size, 1 << 16));
    while (bytes.position() < size) {
      if (!bytes.hasRemaining()) {  // not more than what has come asks for
        bytes = ByteBuffer.allocate(Math.min(size, 2 * bytes.capacity())).put(bytes.flip());
      }
      if (answers.read(bytes) > 0) continue;
      if (!await(reading, answers)) return null;
    }
    return bytes.array().length == size ? bytes.array() : java.util.Arrays.copyOf(bytes.array(), size);
  }

  boolean write(byte[] data) throws IOException, Ended {
    ByteBuffer bytes = ByteBuffer.wrap(data);
    while (bytes.hasRemaining()) {
      bytes.limit(Math.min(data.length, bytes.position() + 4096));
      int written = calls.write(bytes);
      bytes.limit(data.length);
      if (written == 0 && !await(writing, calls)) return false;
    }
    return true;
  }

  private boolean await(Selector selector, SelectableChannel wanted) throws IOException, Ended {
    selector.select();
    boolean ready = selector.selectedKeys().contains(wanted.keyFor(selector));
    boolean noticed = selector.selectedKeys().contains(notices.keyFor(selector));
    selector.selectedKeys().clear();
    if (ready) return true;
    if (Thread.currentThread().isInterrupted()) return false;
    if (noticed) throw new Ended(notice().strip());
    return true;
  }

  private String notice() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    notices.read(bytes);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }
}
