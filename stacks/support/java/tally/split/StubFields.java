package tally.split;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Fields of the solution's objects are in its process: where tests use one they ask for it. A stub keeps its constants alone when it is
 * loaded, so that who looks for a field by reflection finds none rather than a wrong value.
 */
public final class StubFields {
  private final Map<String, Set<String>> kept = new HashMap<>();  // by stub

  /** What of the stub is loaded. */
  public byte[] withoutFields(byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new Visitor(writer) {
      @Override
      public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        return isKept(access, value) ? super.visitField(access, name, descriptor, signature, value) : null;
      }
    }, 0);
    return writer.toByteArray();
  }

  private static boolean isKept(int access, Object value) {
    return (access & (Opcodes.ACC_ENUM | Opcodes.ACC_SYNTHETIC)) != 0 || value != null && (access & Opcodes.ACC_STATIC) != 0;
  }

  public void add(byte[] content) {
    ClassReader reader = new ClassReader(content);
    Set<String> names = kept.computeIfAbsent(reader.getClassName(), name -> new HashSet<>());
    reader.accept(new Visitor(null) {
      @Override
      public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        if (isKept(access, value)) names.add(name);
        return null;
      }
    }, ClassReader.SKIP_CODE);
  }

  /** A class of the tests, which asks. */
  public byte[] asking(byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Visitor(writer) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Asking(super.visitMethod(access, name, descriptor, signature, exceptions));
      }
    }, 0);
    return writer.toByteArray();
  }

  private final class Asking extends MethodVisitor {
    Asking(MethodVisitor next) {
      super(Visitor.API, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (!kept.containsKey(owner) || kept.get(owner).contains(name)) {
        super.visitFieldInsn(opcode, owner, name, descriptor);
        return;
      }
      Type type = Type.getType(descriptor);
      boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
      boolean sets = opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
      if (sets) Code.box(this, type);
      if (isStatic) super.visitInsn(Opcodes.ACONST_NULL);
      if (isStatic && sets) super.visitInsn(Opcodes.SWAP);
      super.visitLdcInsn(Type.getObjectType(owner));
      super.visitLdcInsn(name);
      if (sets) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Code.REMOTE, isStatic ? "setStatic" : "set",
            "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/String;)V", false);
        return;
      }
      super.visitLdcInsn(descriptor);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, Code.REMOTE, isStatic ? "getStatic" : "get",
          "(Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;", false);
      Code.unbox(this, type);
    }
  }
}
