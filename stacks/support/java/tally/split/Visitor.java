package tally.split;

import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Of class files of whatever Java this is: ASM refuses what the version that is asked for does not know. */
public abstract class Visitor extends ClassVisitor {
  public static final int API = newest();

  protected Visitor(ClassVisitor next) {
    super(API, next);
  }

  private static int newest() {
    for (String name : new String[] {"ASM9", "ASM8", "ASM7"}) {
      try {
        return Opcodes.class.getField(name).getInt(null);
      } catch (ReflectiveOperationException error) {
        continue;
      }
    }
    throw new IllegalStateException("no ASM");
  }

  /** Which classes may derive from a sealed one the compiler has seen to. Java 17 calls it so, */
  public void visitPermittedSubclassExperimental(String name) {}

  /** and later ones so. */
  public void visitPermittedSubclass(String name) {}
}
