package dev.weir.workflow.session;

import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportServer;
import dev.weir.workflow.jobserver.HttpHeads;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.yarn.ProxyAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Serves the report of the live runs to YARN's web proxy. */
final class LiveReport implements AutoCloseable {

  /** The data of more attempts would need much of an ApplicationMaster's memory. */
  private static final int MAX_ATTEMPTS = 10_000;

  private final HttpHeads heads = new HttpHeads("report-heads");
  private final ReportServer server;
  private final ManagedRuns runs;
  private final Clock clock;

  private LiveReport(ManagedRuns runs, ProxyAccess access, PortRange ports, Clock clock)
      throws IOException {
    this.runs = runs;
    this.clock = clock;
    this.server =
        ports.bind(
            port ->
                new ReportServer(
                    new InetSocketAddress(port),
                    "/",
                    this::view,
                    request ->
                        access.allows(request.getRemoteAddress(), request.getRequestHeaders()),
                    new ReportServer.Threads(heads, clock::millis)));
  }

  /**
   * Starts to serve.
   *
   * @throws IOException if there is no port
   */
  static LiveReport start(YarnConfiguration conf, ManagedRuns runs, ProxyAccess access, Clock clock)
      throws IOException {
    PortRange ports = PortRange.of(conf, PortRange.MASTER_KEY);
    LiveReport report = new LiveReport(runs, access, ports, clock);
    report.server.start();
    return report;
  }

  /** Returns the port that it listens on. */
  int port() {
    return server.port();
  }

  private ReportServer.View view() throws IOException {
    int tasks = runs.all().stream().mapToInt(run -> run.plan().workflow().tasks().size()).sum();
    requireFew(tasks, "tasks");
    List<ReportRun> shown = new ArrayList<>();
    int attempts = 0;
    for (ManagedRun run : runs.all()) {
      ReportRun report = run.reportSoFar(clock.millis());
      attempts += report.record().tasks().size();
      requireFew(attempts, "attempts");
      shown.add(report);
    }
    if (shown.isEmpty()) {
      throw new IOException("this session has no live run now");
    }
    return new ReportServer.View(shown, "");
  }

  private static void requireFew(int number, String what) throws IOException {
    if (number > MAX_ATTEMPTS) {
      throw new IOException(
          "the runs have more than %s %s: see 'weir report RUN --live'"
              .formatted(MAX_ATTEMPTS, what));
    }
  }

  @Override
  public void close() {
    server.close();
    heads.close();
  }
}
