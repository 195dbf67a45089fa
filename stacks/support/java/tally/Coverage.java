package tally;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.DirectorySourceFileLocator;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.xml.XMLFormatter;

/**
 * JaCoCo without its agent: the runner loads the solution's classes itself, so it can have them instrumented itself.
 * Compiled for coverage runs only, for JaCoCo need not be on a machine. What several machines find is added up.
 */
final class Coverage implements Meter {
  private static final File CLASSES = new File("/box/out/classes");
  private static final File SOURCES = new File("/box/solution");
  private static final File DATA = new File("/box/counters/jacoco.exec");
  private static final File REPORT = new File("/box/counters/jacoco.xml");

  private final IRuntime runtime = new LoggerRuntime();
  private final RuntimeData data = new RuntimeData();
  private final ExecFileLoader loader = new ExecFileLoader();
  private final Instrumenter instrumenter = new Instrumenter(runtime);

  Coverage() throws Exception {
    runtime.startup(data);
  }

  @Override
  public byte[] instrumented(byte[] content, String name) throws IOException {
    return instrumenter.instrument(content, name);
  }

  @Override
  public byte[] executed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ExecutionDataWriter writer = new ExecutionDataWriter(bytes);
    data.collect(writer, writer, false);
    return bytes.toByteArray();
  }

  @Override
  public synchronized void add(byte[] executed) throws IOException {
    loader.load(new ByteArrayInputStream(executed));
  }

  @Override
  public synchronized void write() throws IOException {
    if (DATA.exists()) loader.load(DATA);
    data.collect(loader.getExecutionDataStore(), loader.getSessionInfoStore(), false);
    loader.save(DATA, false);
    CoverageBuilder builder = new CoverageBuilder();
    new Analyzer(loader.getExecutionDataStore(), builder).analyzeAll(CLASSES);
    try (OutputStream out = new FileOutputStream(REPORT)) {
      IReportVisitor report = new XMLFormatter().createVisitor(out);
      report.visitInfo(loader.getSessionInfoStore().getInfos(), loader.getExecutionDataStore().getContents());
      report.visitBundle(builder.getBundle("solution"), new DirectorySourceFileLocator(SOURCES, "UTF-8", 4));
      report.visitEnd();
    }
  }
}
