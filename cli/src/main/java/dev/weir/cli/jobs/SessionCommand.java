package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.SessionStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir session}: the commands for sessions that take workflows and single jobs. */
@Command(
    name = "session",
    aliases = "pool",
    description = {
      "Starts and stops sessions: workers on a cluster that run workflows and single jobs.",
      "A session runs everything as the user who started it, and accepts work from"
          + " that user only."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = StartSession.class,
    footer = {
      "",
      "Example:",
      "  weir session start --workers 6 --worker-cores 4",
      "  weir run montage.json --session auto",
      "  weir job run --input /data/a.fa=a.fa --output a.out=/out/a.out -- sh -c 'wc a.fa > a.out'",
      "  weir session stop"
    })
public final class SessionCommand {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCommand.class);
  private static final String UNKNOWN = "-";
  private static final String SESSION = "Id or name of the session; the same as --session.";

  @Spec private CommandSpec spec;

  /**
   * A session in the list.
   *
   * @param status the status; null if the session does not answer
   */
  record Row(Sessions.Session session, @Nullable SessionStatus status) {}

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
  void list(@Mixin ClientConfiguration cluster) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (Sessions sessions = Sessions.open(cluster.load())) {
      for (Sessions.Session session : sessions.list()) {
        rows.add(new Row(session, status(sessions, session)));
      }
    }
    spec.commandLine().getOut().print(text(rows));
  }

  /** The list does not wait for a session that is starting and does not answer yet. */
  private static @Nullable SessionStatus status(Sessions sessions, Sessions.Session session)
      throws InterruptedException {
    try {
      return sessions.client(session.id(), Duration.ZERO).session();
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

  @Command(
      name = "status",
      description = "Shows how many workflows, jobs and workers a session has.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir session status"})
  void status(
      @Parameters(arity = "0..1", paramLabel = "SESSION", description = SESSION)
          @Nullable String name,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    SessionStatus session = choice.with(name, JobClient::session);
    spec.commandLine()
        .getOut()
        .printf(
            "%s (%s): %d workflows running; %d jobs queued, %d running, %d succeeded, %d failed or"
                + " cancelled; %d workers, %d wanted, %d at most, each of %d cores and %d MiB%n",
            session.id(),
            session.name(),
            session.runs(),
            session.queued(),
            session.running(),
            session.succeeded(),
            session.failed(),
            session.workers(),
            session.wantedWorkers(),
            session.offer().mostWorkers(),
            session.offer().cores(),
            session.offer().megabytes());
  }

  @Command(
      name = "stop",
      description =
          "Stops a session. Workflows and jobs that have not ended are cancelled unless"
              + " --when-idle is given.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir session stop --when-idle"})
  void stop(
      @Parameters(arity = "0..1", paramLabel = "SESSION", description = SESSION)
          @Nullable String name,
      @Mixin SessionChoice choice,
      @Option(
              names = "--when-idle",
              description =
                  "Accept no more workflows and jobs, and stop when the accepted ones have ended.")
          boolean whenIdle,
      @Option(
              names = "--kill",
              description =
                  "Kill the session through YARN. Your next session deletes its unfinished outputs.")
          boolean kill)
      throws IOException, InterruptedException {
    if (kill) {
      try (Sessions sessions = choice.sessions()) {
        sessions.kill(sessions.find(choice.named(name)));
      }
    } else {
      SessionStatus unused = choice.with(name, client -> client.stop(whenIdle));
    }
  }
}
