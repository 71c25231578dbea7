package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.JobStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "cancel",
    description = {
      "Cancels jobs and the jobs that depend on them. Running commands are killed.",
      "A job that has ended does not change."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir job cancel align-17"})
final class CancelJobs implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs.")
  private List<String> ids;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        client -> {
          PrintWriter out = spec.commandLine().getOut();
          for (String id : ids) {
            JobStatus job = client.cancel(id);
            out.print(JobText.of(job));
          }
          out.flush();
          return 0;
        });
  }
}
