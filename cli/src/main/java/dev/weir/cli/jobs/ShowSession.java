package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.SessionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = "Shows how many workflows, jobs and workers a session has.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir session status"})
final class ShowSession implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SESSION",
      description = "Id or name of the session; the same as --session.")
  private @Nullable String name;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        name,
        client -> {
          print(client.session());
          return 0;
        });
  }

  private void print(SessionStatus session) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
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
    out.flush();
  }
}
