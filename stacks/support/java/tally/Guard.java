package tally;

import java.io.FilePermission;
import java.lang.reflect.Field;
import java.lang.reflect.ReflectPermission;
import java.net.SocketPermission;
import java.security.AccessControlException;
import java.security.Permission;
import java.security.Policy;
import java.security.ProtectionDomain;
import java.security.Security;
import java.security.SecurityPermission;
import java.util.PropertyPermission;
import java.util.Set;
import java.util.logging.LoggingPermission;

/**
 * What a solution may do in the machine that tests it: a security manager, which Java has up to version 23.
 *
 * <p>Whatever happens while code of the solution is on the stack has the solution's permissions, and these are few: it
 * may compute, start threads, read files and write below /tmp. It may not end the machine, open private members or
 * descriptors, load classes or libraries, start programs, or name a class of JUnit or of this runner. So it reaches
 * neither the report channel nor the objects that know what became of a case.
 *
 * <p>What remains: tests and solution are often in one package, for which Java wants one class loader. By reflection
 * a solution can then read fields of a test class that are not private, and call its methods but those with an annotation
 * (Entrances); values in a method's body it cannot.
 */
@SuppressWarnings("removal")
final class Guard extends SecurityManager {
  private static final Set<String> RUNTIME = Set.of("accessDeclaredMembers", "modifyThread", "modifyThreadGroup");
  private static final String[] HIDDEN_PACKAGES = {"tally.", "org.junit.", "junit.", "org.opentest4j.", "org.hamcrest.", "org.apiguardian."};

  private final ThreadGroup runners = Thread.currentThread().getThreadGroup(), top = runners.getParent();

  private Guard() {}

  /** The solution may not touch the threads of the group that calls this. */
  static void install(ProtectionDomain tests) {
    Security.setProperty("package.access", String.join(",", HIDDEN_PACKAGES) + "," + Security.getProperty("package.access"));
    Policy.setPolicy(new SolutionPolicy(tests, Guard.class.getClassLoader()));
    keepQuiet();
    System.setSecurityManager(new Guard());
  }

  // Java warns of security managers on stderr, which is the tests'.
  private static void keepQuiet() {
    try {
      Field stream = System.class.getDeclaredField("initialErrStream");
      stream.setAccessible(true);
      stream.set(null, new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    } catch (ReflectiveOperationException | RuntimeException error) {
      // Then it warns.
    }
  }

  @Override
  public void checkExit(int status) {
    try {
      super.checkExit(status);
    } catch (AccessControlException error) {
      throw new SecurityException("the solution called System.exit(" + status + ")");
    }
  }

  @Override
  public void checkAccess(Thread thread) {
    checkGroup(thread.getThreadGroup());
  }

  @Override
  public void checkAccess(ThreadGroup group) {
    checkGroup(group);
  }

  private void checkGroup(ThreadGroup group) {
    if (group == runners || group == top) checkPermission(new RuntimePermission("runnersThread"));
  }

  private static final class SolutionPolicy extends Policy {
    private final ProtectionDomain tests;
    // Asked for once: in `implies` the question would be asked of itself.
    private final ClassLoader own, platform = ClassLoader.getPlatformClassLoader();

    SolutionPolicy(ProtectionDomain tests, ClassLoader own) {
      this.tests = tests;
      this.own = own;
    }

    @Override
    public boolean implies(ProtectionDomain domain, Permission permission) {
      return isTrusted(domain) || isHarmless(permission);
    }

    private boolean isTrusted(ProtectionDomain domain) {
      if (domain == tests) return true;
      ClassLoader loader = domain.getClassLoader();
      return domain.getCodeSource() != null && (loader == own || loader == platform);
    }

    private static boolean isHarmless(Permission permission) {
      String name = permission.getName();
      if (permission instanceof FilePermission) return isHarmlessFile(name, permission.getActions());
      if (permission instanceof PropertyPermission) return permission.getActions().equals("read");
      if (permission instanceof SecurityPermission) return name.startsWith("getProperty.");
      if (permission instanceof ReflectPermission) return name.startsWith("newProxyInPackage.");
      if (permission instanceof RuntimePermission) return RUNTIME.contains(name) || name.startsWith("getenv.");
      return permission instanceof SocketPermission || permission instanceof LoggingPermission;
    }

    private static boolean isHarmlessFile(String path, String actions) {
      if (actions.equals("read")) return !path.contains("/proc") && !path.contains("/dev/fd") && !path.contains("/dev/std");
      return !actions.contains("execute") && path.startsWith("/tmp/") && !path.contains("/..");
    }
  }
}
