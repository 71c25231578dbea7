package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.PoolStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir pool status}. */
@Command(
    name = "status",
    description = "Shows how many jobs and workers a pool has.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir pool status"})
final class ShowPool implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private PoolChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        client -> {
          print(client.pool());
          return 0;
        });
  }

  private void print(PoolStatus pool) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s (%s): %d jobs queued, %d running, %d succeeded, %d failed or cancelled;"
            + " %d workers, %d wanted%n",
        pool.id(),
        pool.name(),
        pool.queued(),
        pool.running(),
        pool.succeeded(),
        pool.failed(),
        pool.workers(),
        pool.wantedWorkers());
    out.flush();
  }
}
