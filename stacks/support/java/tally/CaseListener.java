package tally;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import tally.split.TestsSide;

/** Turns JUnit's events into reports, one for each case, and keeps the time of the one that runs. */
final class CaseListener implements TestExecutionListener {
  private final Cases cases;
  private final Channel channel;
  private final CaseOutput out, err;
  private final TestsSide side;  // or null: tests and solution are one process
  private final Meter meter;     // or null
  private final long mostNanos;
  private final Set<String> judged;
  private TestPlan plan;
  private String running;     // the case's id; null between cases
  private TestIdentifier at;  // what runs, of which there may be many in a case or around it
  private long begin = System.nanoTime();
  private String fault;       // of a part of the case

  CaseListener(Cases cases, Channel channel, CaseOutput out, CaseOutput err, TestsSide side, Meter meter) {
    this.cases = cases;
    this.channel = channel;
    this.out = out;
    this.err = err;
    this.side = side;
    this.meter = meter;
    this.mostNanos = channel.number("case-ms", 10000) * 1_000_000L;
    this.judged = new HashSet<>(channel.skip);
  }

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionStarted(TestIdentifier node) {
    // Outside of the lock: it waits for another solution's process where there is none.
    if (side != null && cases.isCase(node)) side.begin();
    synchronized (this) {
      started(node);
    }
  }

  private void started(TestIdentifier node) {
    at = node;
    if (!cases.isCase(node)) {
      if (running == null) begin = System.nanoTime();
      return;
    }
    running = cases.idOf(plan, node);
    begin = System.nanoTime();
    fault = null;
    out.take();
    err.take();
    channel.write("begin", running);
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier node, String reason) {
    judgeAllBelow(node, JUnitXml.skipped(reason));
  }

  @Override
  public void executionFinished(TestIdentifier node, TestExecutionResult result) {
    // Outside of the lock: it asks the solution's exception for its words.
    String found = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? null : JUnitXml.fault(result);
    if (side != null) found = withObjection(found);
    synchronized (this) {
      finished(node, found);
    }
  }

  /** What the solution's process has to do with it, whatever the test made of that. */
  private String withObjection(String found) {
    try {
      byte[] executed = meter == null ? null : side.covered();
      if (executed != null) meter.add(executed);
    } catch (IOException | RuntimeException error) {
      // It says of its own code what nobody can read.
    }
    return side.objection() == null || JUnitXml.isTimeout(found) ? found : JUnitXml.error(side.objection());
  }

  private void finished(TestIdentifier node, String found) {
    if (running != null) {
      if (fault == null) fault = found;
      if (cases.isCase(node)) {
        judge(running, out.isFlooded() || err.isFlooded() ? JUnitXml.error("output limit exceeded") : fault);
        running = null;
        begin = System.nanoTime();
        if (JUnitXml.isTimeout(fault)) Runner.end(0);  // what JUnit gave up to wait for is running still
      }
      return;
    }
    begin = System.nanoTime();
    // A class that could not be set up: none of its cases was run. One that could not be torn down changes nothing.
    if (found != null) judgeAllBelow(node, found);
  }

  private void judgeAllBelow(TestIdentifier node, String found) {
    if (cases.isCase(node)) {
      judgeUnrun(cases.idOf(plan, node), found);
    } else {
      plan.getChildren(node).forEach(child -> judgeAllBelow(child, found));
    }
  }

  private void judgeUnrun(String id, String found) {
    if (judged.contains(id)) return;
    channel.write("begin", id);
    begin = System.nanoTime();
    judge(id, found);
  }

  private void judge(String id, String found) {
    judged.add(id);
    channel.write("report", JUnitXml.testCase(id, (System.nanoTime() - begin) / 1e9, found, out.take(), err.take()));
  }

  /** Nanoseconds until the one that runs is to be cut off. */
  synchronized long left() {
    return begin + mostNanos - System.nanoTime();
  }

  /** When nothing is left: the case that runs, or those whose class is being set up. */
  synchronized void cutOff() {
    String found = out.isFlooded() || err.isFlooded() ? JUnitXml.error("output limit exceeded")
        : JUnitXml.timeout("cut off after " + seconds() + " s");
    if (running != null) {
      judge(running, found);
    } else if (at != null) {
      judgeAllBelow(at, found);
    }
  }

  private String seconds() {
    return String.valueOf(mostNanos / 1e9).replaceAll("\\.0$", "");
  }

  /** JUnit gave up, as it does when there is no memory left. */
  synchronized void failed(Throwable error) {
    if (running != null) judge(running, JUnitXml.error(String.valueOf(error)));
  }
}
