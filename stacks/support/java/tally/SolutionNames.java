package tally;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;

/**
 * A part of javac while it compiles tests: refuses names of theirs that a solution has taken.
 *
 * <p>Classes of the same package come before those of java.lang and of imports with a star, inherited members before static
 * imports, and a class before a package. So a solution's Assertions, Math, Test or org could be what the tests mean by that
 * word. Tests that do mean the solution's import it by its name. Names are judged as the compiler has understood them.
 */
public final class SolutionNames implements Plugin, TaskListener {
  private static final Path SOLUTION = Path.of("/box/out/classes"), INCLUDE = Path.of("/box/include");
  private static final Set<String> ROOTS = Set.of("com", "java", "javax", "jdk", "junit", "org");

  private Trees trees;
  private Elements elements;
  private final Set<String> ofTests = new HashSet<>();  // top-level classes that have their source here

  @Override
  public String getName() {
    return "SolutionNames";
  }

  @Override
  public void init(JavacTask task, String... arguments) {
    trees = Trees.instance(task);
    elements = task.getElements();
    task.addTaskListener(this);
  }

  @Override
  public void finished(TaskEvent event) {
    if (event.getKind() == TaskEvent.Kind.ENTER && event.getCompilationUnit() != null) {
      CompilationUnitTree unit = event.getCompilationUnit();
      String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
      for (Tree type : unit.getTypeDecls()) {
        if (type instanceof com.sun.source.tree.ClassTree) ofTests.add(prefix + ((com.sun.source.tree.ClassTree) type).getSimpleName());
      }
    }
    if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getTypeElement() != null) {
      new Names(event.getCompilationUnit()).scan(trees.getPath(event.getTypeElement()), null);
    }
  }

  private final class Names extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final List<String> stars = new ArrayList<>(List.of("java.lang"));
    private final List<String> staticOwners = new ArrayList<>();
    private final Set<String> byName = new HashSet<>();

    Names(CompilationUnitTree unit) {
      this.unit = unit;
      for (ImportTree one : unit.getImports()) {
        MemberSelectTree what = (MemberSelectTree) one.getQualifiedIdentifier();
        String last = what.getIdentifier().toString();
        if (one.isStatic()) staticOwners.add(what.getExpression().toString());
        if (last.equals("*")) stars.add(what.getExpression().toString());
        else if (!one.isStatic()) byName.add(last);
      }
    }

    @Override
    public Void visitIdentifier(IdentifierTree name, Void nothing) {
      Element is = trees.getElement(getCurrentPath());
      if (is == null || is.getSimpleName() == null) return null;
      String word = name.getName().toString();
      switch (is.getKind()) {
        case CLASS: case INTERFACE: case ENUM: case ANNOTATION_TYPE: case RECORD:
          if (!byName.contains(word) && isOfSolution(is) && isTaken(word, is)) refuse(name, word, is, "import it by its name if the tests mean it");
          break;
        case METHOD: case FIELD: case ENUM_CONSTANT:
          if (isOfSolution(is) && isStaticImport(word)) refuse(name, word, is, "inherited by the tests");
          break;
        default:
      }
      return null;
    }

    private boolean isTaken(String word, Element is) {
      if (ROOTS.contains(word)) return true;
      for (String star : stars) {
        TypeElement other = elements.getTypeElement(star + "." + word);
        if (other != null && !other.equals(is) && !isOfSolution(other)) return true;
      }
      return false;
    }

    private boolean isStaticImport(String word) {
      for (String owner : staticOwners) {
        TypeElement type = elements.getTypeElement(owner);
        if (type == null || isOfSolution(type)) continue;
        for (Element member : elements.getAllMembers(type)) {
          if (member.getSimpleName().contentEquals(word)) return true;
        }
      }
      return false;
    }

    private void refuse(Tree where, String word, Element is, String why) {
      Element owner = is instanceof TypeElement ? is : is.getEnclosingElement();
      trees.printMessage(Diagnostic.Kind.ERROR, "the tests' \"" + word + "\" would be the solution's " + owner
          + ", which has taken the name (" + why + ")", where, unit);
    }
  }

  /** Of the class files that were there before: neither a test's nor an include file's. */
  private boolean isOfSolution(Element element) {
    Element top = element;
    while (top != null && !(top.getEnclosingElement() instanceof PackageElement)) top = top.getEnclosingElement();
    if (!(top instanceof TypeElement)) return false;
    String name = ((TypeElement) top).getQualifiedName().toString(), path = name.replace('.', '/');
    return !ofTests.contains(name) && Files.exists(SOLUTION.resolve(path + ".class")) && !Files.exists(INCLUDE.resolve(path + ".java"));
  }
}
