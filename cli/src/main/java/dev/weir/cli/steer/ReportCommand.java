package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.run.FailureText;
import dev.weir.cli.run.RunOutput;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportServer;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir report}. */
@Command(
    name = "report",
    description = {
      "Writes the record and the report of a run. For a live run they have the attempts that have ended.",
      "With several runs the report compares the first one with the others.",
      "The jobs of a session that has ended are a run with the id of the session."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  weir report last --out montage-report",
      "  weir report last --live",
      "  weir report 17 16 --out comparison",
      "",
      RunsBase.CODES
    })
public final class ReportCommand extends RunsBase {
  private static final long POLL_MILLIS = 2_000;
  private static final long LAST_FETCH_MILLIS = 5_000;
  private static final int TOKEN_BYTES = 16;

  @Parameters(paramLabel = "RUN", arity = "1..*", description = RUN)
  private List<String> names;

  @Option(
      names = "--out",
      paramLabel = "LOCAL_DIR",
      defaultValue = "weir-out",
      description = "Where run.json and report.html go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--force",
      description = "Replace the report of another run there; else it is renamed.")
  private boolean force;

  @Option(
      names = "--live",
      description = {
        "Serve the report of a live run on this machine until the run ends, then write it.",
        "The page shows what is new every few seconds. Other users need its address, which has a random part."
      })
  private boolean live;

  @Override
  void requireUsable() {
    if (Files.isRegularFile(out)) {
      throw unusable("--out " + out + ": is a file; name a directory, such as weir-out");
    }
  }

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    KnownRun run = runs.find(names.get(0));
    if (live && !run.view().stage().isEnd()) {
      serve(run);
    }
    List<ReportRun> shown = new ArrayList<>(List.of(shown(run)));
    for (String other : names.subList(1, names.size())) {
      shown.add(shown(runs.find(other)));
    }
    out().println("Report: " + RunOutput.write(shown, run.view().failure(), out, force));
    return ExitCode.DONE;
  }

  private static ReportRun shown(KnownRun run) throws IOException {
    Optional<RunRecord> ended = run.record();
    return new ReportRun(ended.isPresent() ? ended.get() : run.recordSoFar(), run.details());
  }

  private void serve(KnownRun run) throws IOException, InterruptedException {
    String path = "/" + token() + "/";
    try (ReportServer server =
        new ReportServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            path,
            () -> view(run),
            request -> true,
            new ReportServer.Threads(Runnable::run, System::currentTimeMillis))) {
      server.start();
      out().println("Live report: http://localhost:" + server.port() + path);
      out().flush();
      while (!run.view().stage().isEnd()) {
        Thread.sleep(POLL_MILLIS);
      }
      // The open page fetches the end of the run.
      Thread.sleep(LAST_FETCH_MILLIS);
    }
  }

  /** Other users of this machine cannot guess the address. */
  private static String token() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  private static ReportServer.View view(KnownRun run) throws IOException {
    RunFailure failure = run.view().failure();
    return new ReportServer.View(
        List.of(shown(run)), failure == null ? "" : FailureText.of(failure, run.id().toString()));
  }
}
