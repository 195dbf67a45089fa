package tally.split;

import java.lang.reflect.Method;
import java.util.function.Predicate;

/** Classes as the tests know them: those of the solution are stubs. */
final class TestsKinds extends Kinds {
  private final Predicate<String> isStub;

  TestsKinds(ClassLoader loader, Predicate<String> isStub) {
    super(loader);
    this.isStub = isStub;
  }

  @Override
  boolean isOfSolution(Class<?> kind) {
    return kind.getClassLoader() == loader && isStub.test(kind.getName());
  }

  @Override
  boolean isShared(Class<?> kind) {
    return super.isShared(kind) && !isStub.test(kind.getName());
  }

  /** Whether the tests' class has a method of its own in the place of an interface's. */
  boolean overrides(Class<?> kind, Method method) {
    try {
      return kind.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass() != method.getDeclaringClass();
    } catch (NoSuchMethodException error) {
      return false;
    }
  }
}
