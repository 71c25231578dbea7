package dev.weir.cli.jobs;

import dev.weir.cli.common.Json;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.StatusCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = "Shows the status of a job.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir job status align-17 --json"})
final class ShowJob implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "The job.")
  private String id;

  @Option(names = "--json", description = "Print all fields as JSON.")
  private boolean json;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(
        client -> {
          PrintWriter out = spec.commandLine().getOut();
          JobStatus job = client.status(id);
          if (json) {
            out.println(Json.pretty(Json.parse(StatusCodec.write(job))));
          } else {
            out.print(JobText.of(job));
          }
          out.flush();
          return 0;
        });
  }
}
