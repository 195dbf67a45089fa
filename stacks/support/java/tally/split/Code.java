package tally.split;

import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/** Instructions that stubs and tests have in common. */
final class Code {
  static final String REMOTE = "tally/split/Remote", STUB = "tally/split/Stub", MADE = "tally/split/Stub$Made", HANDLE = "tally/split/Handle";

  private Code() {}

  private static String boxOf(Type type) {
    switch (type.getSort()) {
      case Type.BOOLEAN: return "java/lang/Boolean";
      case Type.BYTE: return "java/lang/Byte";
      case Type.SHORT: return "java/lang/Short";
      case Type.CHAR: return "java/lang/Character";
      case Type.INT: return "java/lang/Integer";
      case Type.LONG: return "java/lang/Long";
      case Type.FLOAT: return "java/lang/Float";
      case Type.DOUBLE: return "java/lang/Double";
      default: return null;
    }
  }

  static void box(MethodVisitor code, Type type) {
    String box = boxOf(type);
    if (box != null) code.visitMethodInsn(Opcodes.INVOKESTATIC, box, "valueOf", "(" + type.getDescriptor() + ")L" + box + ";", false);
  }

  static void unbox(MethodVisitor code, Type type) {
    String box = boxOf(type);
    code.visitTypeInsn(Opcodes.CHECKCAST, box == null ? type.getInternalName() : box);
    if (box != null) code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, box, type.getClassName() + "Value", "()" + type.getDescriptor(), false);
  }

  /** An array of what a method was given. */
  static void arguments(MethodVisitor code, Type[] types, int first) {
    code.visitIntInsn(Opcodes.SIPUSH, types.length);
    code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    int at = first;
    for (int i = 0; i < types.length; ++i) {
      code.visitInsn(Opcodes.DUP);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      code.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), at);
      box(code, types[i]);
      code.visitInsn(Opcodes.AASTORE);
      at += types[i].getSize();
    }
  }

  static void nothing(MethodVisitor code, Type type) {
    int sort = type.getSort();
    code.visitInsn(sort == Type.LONG ? Opcodes.LCONST_0 : sort == Type.FLOAT ? Opcodes.FCONST_0 : sort == Type.DOUBLE ? Opcodes.DCONST_0
        : sort == Type.OBJECT || sort == Type.ARRAY ? Opcodes.ACONST_NULL : Opcodes.ICONST_0);
  }
}
