package tally;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The cases of the test classes: what JUnit knows of before anything runs. A test with parameters is one case, for how
 * often it is called is known only when it runs.
 */
final class Cases {
  private final Launcher launcher = LauncherFactory.create();
  private final List<DiscoverySelector> selectors = new ArrayList<>();
  private final Map<String, String> ids = new LinkedHashMap<>();  // JUnit's unique id: ours

  Cases(CaseLoader loader) throws ClassNotFoundException {
    for (String name : loader.testClasses()) {
      Class<?> type = Class.forName(name, false, loader);
      boolean isInner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
      if (!isInner && !type.isAnonymousClass() && !type.isLocalClass()) selectors.add(DiscoverySelectors.selectClass(type));
    }
    TestPlan plan = launcher.discover(request(Set.of()));
    List<TestIdentifier> leaves = new ArrayList<>();
    plan.getRoots().forEach(root -> addLeaves(plan, root, leaves));
    name(leaves);
  }

  private static void addLeaves(TestPlan plan, TestIdentifier node, List<TestIdentifier> leaves) {
    Set<TestIdentifier> children = plan.getChildren(node);
    children.forEach(child -> addLeaves(plan, child, leaves));
    if (children.isEmpty() && (node.isTest() || methodOf(node) != null)) leaves.add(node);
  }

  private static MethodSource methodOf(TestIdentifier node) {
    return node.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast).orElse(null);
  }

  private void name(List<TestIdentifier> leaves) {
    Map<String, Long> count = leaves.stream().collect(Collectors.groupingBy(Cases::plainId, Collectors.counting()));
    Map<String, Integer> next = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (TestIdentifier leaf : leaves) {
      String id = plainId(leaf);
      if (count.get(id) > 1) id = leaf.getLegacyReportingName() + id.substring(id.indexOf('#'));
      while (!taken.add(id)) id = next.merge(id, 2, (a, b) -> a + 1) + ":" + id;
      ids.put(leaf.getUniqueId(), id.replaceAll("\\s+", " "));
    }
  }

  private static String plainId(TestIdentifier leaf) {
    MethodSource method = methodOf(leaf);
    return method == null ? leaf.getDisplayName() + "#" : method.getMethodName() + "#" + method.getClassName();
  }

  private LauncherDiscoveryRequest request(Set<String> skip) {
    PostDiscoveryFilter filter = (TestDescriptor node) ->
        FilterResult.includedIf(!skip.contains(ids.getOrDefault(node.getUniqueId().toString(), "")));
    return LauncherDiscoveryRequestBuilder.request().selectors(selectors).filters(filter)
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false").build();
  }

  /** Our id of a test, or of the one that it is a part of; null for a class. */
  String idOf(TestPlan plan, TestIdentifier node) {
    for (TestIdentifier at = node; at != null; at = plan.getParent(at).orElse(null)) {
      if (ids.containsKey(at.getUniqueId())) return ids.get(at.getUniqueId());
    }
    return null;
  }

  boolean isCase(TestIdentifier node) {
    return ids.containsKey(node.getUniqueId());
  }

  List<String> all() {
    return List.copyOf(ids.values());
  }

  void run(Set<String> skip, CaseListener listener) {
    launcher.execute(request(skip), listener);
  }
}
