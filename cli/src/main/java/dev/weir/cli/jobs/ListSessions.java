package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.SessionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    aliases = "ls",
    description = {
      "Lists your sessions, the newest first.",
      "It prints their numbers of workers, and of workflows and jobs that have not"
          + " ended. These are unknown if a session does not answer, for example while it"
          + " starts."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir session list"})
final class ListSessions implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ListSessions.class);
  private static final String UNKNOWN = "-";

  /** A session that is starting does not answer yet; the list does not wait for it. */
  private static final Duration PATIENCE = Duration.ZERO;

  @Spec private CommandSpec spec;

  @Mixin private ClientConfiguration cluster;

  /**
   * A session in the list.
   *
   * @param status the status; null if the session does not answer
   */
  record Row(Sessions.Session session, @Nullable SessionStatus status) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (Sessions sessions = Sessions.open(cluster.load())) {
      for (Sessions.Session session : sessions.list()) {
        rows.add(new Row(session, status(sessions, session)));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(text(rows));
    out.flush();
    return 0;
  }

  private static @Nullable SessionStatus status(Sessions sessions, Sessions.Session session)
      throws InterruptedException {
    try {
      return sessions.client(session.id(), PATIENCE).session();
    } catch (IOException e) {
      LOG.debug("{} does not answer", session.id(), e);
      return null;
    }
  }

  /** Formats the list for the terminal. */
  static String text(List<Row> rows) {
    if (rows.isEmpty()) {
      return "No sessions." + System.lineSeparator();
    }
    Table table = new Table("ID", "NAME", "STATE", "STARTED", "WORKERS#", "WORKFLOWS#", "JOBS#");
    for (Row row : rows) {
      Sessions.Session session = row.session();
      SessionStatus status = row.status();
      table.row(
          session.id(),
          session.name(),
          session.state(),
          Times.of(Instant.ofEpochMilli(session.startedMillis()).toString()),
          status == null ? UNKNOWN : status.workers(),
          status == null ? UNKNOWN : status.runs(),
          status == null ? UNKNOWN : status.queued() + status.running());
    }
    return table.toString();
  }
}
