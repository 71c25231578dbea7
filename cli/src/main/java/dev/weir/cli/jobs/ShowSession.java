package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.SessionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir session status}. */
@Command(
    name = "status",
    description = "Shows how many jobs and workers a session has.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir session status"})
final class ShowSession implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        client -> {
          print(client.session());
          return 0;
        });
  }

  private void print(SessionStatus session) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s (%s): %d jobs queued, %d running, %d succeeded, %d failed or cancelled;"
            + " %d workers, %d wanted%n",
        session.id(),
        session.name(),
        session.queued(),
        session.running(),
        session.succeeded(),
        session.failed(),
        session.workers(),
        session.wantedWorkers());
    out.flush();
  }
}
