package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.JobState;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "ls",
    description =
        "Lists the jobs of a session: all that have not ended, and the last ones that" + " have.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir job ls --state failed"})
final class ListJobs implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "List only jobs in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable JobState state;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        client -> {
          PrintWriter out = spec.commandLine().getOut();
          out.print(
              JobText.table(
                  client.list().stream()
                      .filter(job -> state == null || job.state() == state)
                      .toList()));
          out.flush();
          return 0;
        });
  }
}
