package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.run.Sessions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir session list}. */
@Command(
    name = "list",
    aliases = "ls",
    description = "Lists your sessions.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir session list"})
final class ListSessions implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ClientConfiguration cluster;

  @Override
  public Integer call() throws IOException {
    try (Sessions sessions = Sessions.open(cluster.load())) {
      print(sessions.list());
    }
    return 0;
  }

  private void print(List<Sessions.Session> sessions) {
    PrintWriter out = spec.commandLine().getOut();
    if (sessions.isEmpty()) {
      out.println("No sessions.");
    } else {
      Table table = new Table("ID", "NAME", "STATE", "STARTED");
      for (Sessions.Session session : sessions) {
        String started = Times.of(Instant.ofEpochMilli(session.startedMillis()).toString());
        table.row(session.id(), session.name(), session.state(), started);
      }
      out.print(table);
    }
    out.flush();
  }
}
