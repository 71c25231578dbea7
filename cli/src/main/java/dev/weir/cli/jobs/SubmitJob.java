package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "submit",
    description = {
      "Submits a job to a session and prints its id.",
      "The description has the form of Confuga's and Chirp's jobs, with additional"
          + " fields (docs/engines.md)."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir job submit align.json --id align-17"})
final class SubmitJob implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The description in JSON; - for standard input.")
  private String file;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Id of the job, if the description has none (default: a new one). A second job"
              + " with the same id is not run.")
  private @Nullable String id;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Job job = read();
    return choice.with(
        client -> {
          PrintWriter out = spec.commandLine().getOut();
          out.println(client.submit(job).id());
          out.flush();
          return 0;
        });
  }

  private Job read() throws IOException {
    String json =
        file.equals("-")
            ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
            : Files.readString(Path.of(file));
    try {
      return JobCodec.read(json, id == null ? "job-" + UUID.randomUUID() : id);
    } catch (InvalidJobException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage(), e);
    }
  }
}
