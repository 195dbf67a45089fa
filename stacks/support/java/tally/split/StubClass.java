package tally.split;

import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

/**
 * In the place of a class of the solution, for tests to be compiled with and to run with: its name, what it derives from and its members but
 * the private ones, without any of its code. Methods and constructors ask the solution's process (Remote). Constants stay; other fields
 * are for the compiler only (StubFields). An enumeration's constants are made of their names.
 */
final class StubClass extends Visitor {
  /** What is known of the classes beside this one. */
  interface Others {
    boolean isStub(String name);

    /** Methods that this class, which has no stub, leaves to who derives from it to override. The compiler need not see that they are. */
    List<InheritedMethod> inherited(String name);

    /** The descriptor of a constructor that there is for those who derive from it. */
    String constructor(String name);
  }

  static final class InheritedMethod {
    final String name, descriptor;
    final int access;

    InheritedMethod(int access, String name, String descriptor) {
      this.access = access;
      this.name = name;
      this.descriptor = descriptor;
    }
  }

  private final Others others;
  private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
  private final Set<String> declared = new HashSet<>();
  private final List<String> constants = new ArrayList<>();
  private String name, parent;
  private boolean isInterface, isEnum, isRoot;

  private StubClass(Others others) {
    super(null);
    this.others = others;
  }

  static byte[] made(byte[] content, Others others) {
    StubClass stub = new StubClass(others);
    new ClassReader(content).accept(stub, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return stub.writer.toByteArray();
  }

  @Override
  public void visit(int version, int access, String itsName, String signature, String itsParent, String[] interfaces) {
    name = itsName;
    parent = itsParent;
    isInterface = (access & ACC_INTERFACE) != 0;
    isEnum = itsParent.equals("java/lang/Enum");
    isRoot = !isInterface && !isEnum && !others.isStub(parent);
    List<String> all = new ArrayList<>(List.of(interfaces));
    if (isRoot) all.add(Code.STUB);
    int flags = isEnum ? access & ~ACC_ABSTRACT : access;
    writer.visit(Math.max(version, V1_8), flags, name, isRoot && signature != null ? signature + "L" + Code.STUB + ";" : signature, parent, all.toArray(new String[0]));
    if (isEnum) declared.addAll(List.of("values()[L" + name + ";", "valueOf(Ljava/lang/String;)L" + name + ";"));
  }

  @Override
  public void visitInnerClass(String itsName, String outer, String inner, int access) {
    writer.visitInnerClass(itsName, outer, inner, access);
  }

  @Override
  public void visitOuterClass(String owner, String method, String descriptor) {
    writer.visitOuterClass(owner, method, descriptor);
  }

  @Override
  public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
    if ((access & (ACC_PRIVATE | ACC_SYNTHETIC)) != 0) return null;
    if ((access & ACC_ENUM) != 0) constants.add(field);
    writer.visitField(access, field, descriptor, signature, value).visitEnd();
    return null;
  }

  @Override
  public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
    boolean isHidden = (access & ACC_PRIVATE) != 0 || (access & ACC_SYNTHETIC) != 0 && (access & ACC_BRIDGE) == 0;
    if (isHidden || method.equals("<clinit>") || isRootsOwn(method, descriptor) || !declared.add(method + descriptor)) return null;
    if ((access & ACC_ABSTRACT) != 0 && !isEnum) {
      writer.visitMethod(access, method, descriptor, signature, exceptions).visitEnd();
      return null;
    }
    MethodVisitor code = writer.visitMethod(access & ~(ACC_NATIVE | ACC_SYNCHRONIZED | ACC_STRICT | ACC_ABSTRACT), method, descriptor, signature, exceptions);
    if (method.equals("<init>")) constructor(code, descriptor);
    else forward(code, (access & ACC_STATIC) != 0, method, descriptor);
    return null;
  }

  private boolean isRootsOwn(String method, String descriptor) {
    String whole = method + descriptor;
    if (whole.equals("fillInStackTrace()Ljava/lang/Throwable;")) return true;
    return !isEnum && !isInterface && (whole.equals("equals(Ljava/lang/Object;)Z") || whole.equals("hashCode()I") || whole.equals("toString()Ljava/lang/String;"));
  }

  private void forward(MethodVisitor code, boolean isStatic, String method, String descriptor) {
    code.visitCode();
    code.visitLdcInsn(Type.getObjectType(name));
    code.visitLdcInsn(method);
    code.visitLdcInsn(descriptor);
    if (isStatic) code.visitInsn(ACONST_NULL);
    else code.visitVarInsn(ALOAD, 0);
    Code.arguments(code, Type.getArgumentTypes(descriptor), isStatic ? 0 : 1);
    code.visitMethodInsn(INVOKESTATIC, Code.REMOTE, "call",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", false);
    result(code, Type.getReturnType(descriptor));
  }

  private static void result(MethodVisitor code, Type type) {
    if (type.getSort() == Type.VOID) code.visitInsn(POP);
    else Code.unbox(code, type);
    code.visitInsn(type.getOpcode(IRETURN));
    end(code);
  }

  private static void end(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  // Constructors ---------------------------------------------------------------------------------------------------

  private void constructor(MethodVisitor code, String descriptor) {
    code.visitCode();
    callParent(code);
    code.visitVarInsn(ALOAD, 0);
    code.visitLdcInsn(Type.getObjectType(name));
    code.visitLdcInsn(descriptor);
    Code.arguments(code, Type.getArgumentTypes(descriptor), 1);
    code.visitMethodInsn(INVOKESTATIC, Code.REMOTE, "construct", "(L" + Code.STUB + ";Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/Object;)V", false);
    code.visitInsn(RETURN);
    end(code);
  }

  private void callParent(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 0);
    String descriptor = isRoot ? others.constructor(parent) : "(L" + Code.MADE + ";)V";
    for (Type type : Type.getArgumentTypes(descriptor)) Code.nothing(code, type);
    code.visitMethodInsn(INVOKESPECIAL, parent, "<init>", descriptor, false);
  }

  // What a stub has of its own ---------------------------------------------------------------------------------------

  @Override
  public void visitEnd() {
    if (isEnum) enumeration();
    if (!isInterface && !isEnum) {
      MethodVisitor code = writer.visitMethod(ACC_PROTECTED | ACC_SYNTHETIC, "<init>", "(L" + Code.MADE + ";)V", null, null);
      code.visitCode();
      callParent(code);
      code.visitInsn(RETURN);
      end(code);
    }
    if (isRoot) root();
    writer.visitEnd();
  }

  private void root() {
    String field = "tally$its", type = "L" + Code.HANDLE + ";";
    writer.visitField(ACC_PRIVATE | ACC_SYNTHETIC | ACC_TRANSIENT, field, type, null, null).visitEnd();
    MethodVisitor get = writer.visitMethod(ACC_PUBLIC | ACC_FINAL, "tally$handle", "()" + type, null, null);
    get.visitCode();
    get.visitVarInsn(ALOAD, 0);
    get.visitFieldInsn(GETFIELD, name, field, type);
    get.visitInsn(ARETURN);
    end(get);
    MethodVisitor set = writer.visitMethod(ACC_PUBLIC | ACC_FINAL, "tally$handle", "(" + type + ")V", null, null);
    set.visitCode();
    set.visitVarInsn(ALOAD, 0);
    set.visitVarInsn(ALOAD, 1);
    set.visitFieldInsn(PUTFIELD, name, field, type);
    set.visitInsn(RETURN);
    end(set);
    asked("equals", "(Ljava/lang/Object;)Z", "equal", "(Ljava/lang/Object;Ljava/lang/Object;)Z", IRETURN);
    asked("hashCode", "()I", "hash", "(Ljava/lang/Object;)I", IRETURN);
    asked("toString", "()Ljava/lang/String;", "text", "(Ljava/lang/Object;)Ljava/lang/String;", ARETURN);
    for (InheritedMethod one : others.inherited(parent)) {
      if (isRootsOwn(one.name, one.descriptor) || !declared.add(one.name + one.descriptor)) continue;
      forward(writer.visitMethod(one.access & (ACC_PUBLIC | ACC_PROTECTED) | ACC_SYNTHETIC, one.name, one.descriptor, null, null), false, one.name, one.descriptor);
    }
  }

  private void asked(String method, String descriptor, String remote, String remoteDescriptor, int result) {
    MethodVisitor code = writer.visitMethod(ACC_PUBLIC, method, descriptor, null, null);
    code.visitCode();
    code.visitVarInsn(ALOAD, 0);
    if (method.equals("equals")) code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKESTATIC, Code.REMOTE, remote, remoteDescriptor, false);
    code.visitInsn(result);
    end(code);
  }

  private void enumeration() {
    String array = "[L" + name + ";", own = "(Ljava/lang/String;I)V";
    MethodVisitor make = writer.visitMethod(ACC_PRIVATE, "<init>", own, null, null);
    make.visitCode();
    make.visitVarInsn(ALOAD, 0);
    make.visitVarInsn(ALOAD, 1);
    make.visitVarInsn(ILOAD, 2);
    make.visitMethodInsn(INVOKESPECIAL, "java/lang/Enum", "<init>", own, false);
    make.visitInsn(RETURN);
    end(make);
    writer.visitField(ACC_PRIVATE | ACC_STATIC | ACC_FINAL | ACC_SYNTHETIC, "$VALUES", array, null, null).visitEnd();
    MethodVisitor code = writer.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
    code.visitCode();
    code.visitIntInsn(SIPUSH, constants.size());
    code.visitTypeInsn(ANEWARRAY, name);
    for (int i = 0; i < constants.size(); ++i) {
      code.visitInsn(DUP);
      code.visitIntInsn(SIPUSH, i);
      code.visitTypeInsn(NEW, name);
      code.visitInsn(DUP);
      code.visitLdcInsn(constants.get(i));
      code.visitIntInsn(SIPUSH, i);
      code.visitMethodInsn(INVOKESPECIAL, name, "<init>", own, false);
      code.visitInsn(DUP);
      code.visitFieldInsn(PUTSTATIC, name, constants.get(i), "L" + name + ";");
      code.visitInsn(AASTORE);
    }
    code.visitFieldInsn(PUTSTATIC, name, "$VALUES", array);
    code.visitInsn(RETURN);
    end(code);
    MethodVisitor values = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "values", "()" + array, null, null);
    values.visitCode();
    values.visitFieldInsn(GETSTATIC, name, "$VALUES", array);
    values.visitMethodInsn(INVOKEVIRTUAL, array, "clone", "()Ljava/lang/Object;", false);
    values.visitTypeInsn(CHECKCAST, array);
    values.visitInsn(ARETURN);
    end(values);
    MethodVisitor valueOf = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "valueOf", "(Ljava/lang/String;)L" + name + ";", null, null);
    valueOf.visitCode();
    valueOf.visitLdcInsn(Type.getObjectType(name));
    valueOf.visitVarInsn(ALOAD, 0);
    valueOf.visitMethodInsn(INVOKESTATIC, "java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;", false);
    valueOf.visitTypeInsn(CHECKCAST, name);
    valueOf.visitInsn(ARETURN);
    end(valueOf);
  }
}
