package tally;

import jdk.internal.org.objectweb.asm.AnnotationVisitor;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import tally.split.Visitor;

/**
 * A test is called by its framework. A solution that called the one which is running would be told by its failure what
 * was expected ("expected: &lt;3&gt;"). So each method that has an annotation (a test, what prepares it), or that JUnit 3 would
 * take for a test, first asks whether code of the solution is on the stack, or has started the thread.
 */
public final class Entrances {
  private Entrances() {}

  /** What such a method begins with. */
  @SuppressWarnings("removal")
  public static void check() {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) manager.checkPermission(new RuntimePermission("testMethod"));
  }

  static byte[] guarded(byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Visitor(writer) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        return new Guarded(next, name.startsWith("test") && descriptor.equals("()V"));
      }
    }, 0);
    return writer.toByteArray();
  }

  private static final class Guarded extends MethodVisitor {
    private boolean guarded;

    Guarded(MethodVisitor next, boolean guarded) {
      super(Visitor.API, next);
      this.guarded = guarded;
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      guarded = guarded || visible;
      return super.visitAnnotation(descriptor, visible);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (guarded) super.visitMethodInsn(Opcodes.INVOKESTATIC, "tally/Entrances", "check", "()V", false);
    }
  }
}
