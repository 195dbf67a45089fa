package tally.split;

import java.io.FileDescriptor;
import java.lang.reflect.Field;

/** A descriptor that has a number and, for Java, no name. */
public final class Descriptors {
  private Descriptors() {}

  public static FileDescriptor of(int number) throws ReflectiveOperationException {
    FileDescriptor descriptor = new FileDescriptor();
    Field field = FileDescriptor.class.getDeclaredField("fd");
    field.setAccessible(true);
    field.setInt(descriptor, number);
    return descriptor;
  }
}
