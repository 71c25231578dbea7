package dev.weir.cli.jobs;

import dev.weir.cli.common.Json;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.StatusCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir job}: the commands for single jobs. */
@Command(
    name = "job",
    description = "Submits single jobs to a session, shows them and waits for them.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = RunJob.class,
    footer = {
      "",
      "Example:",
      "  weir job run --input /data/a.fa=a.fa --output a.out=/out/a.out -- sh -c 'wc a.fa > a.out'",
      "  weir job submit align.json && weir job wait align-17"
    })
public final class JobCommand {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 success; 1 to 124 and 126 to 255 that of the job's command; 125 the job was not"
          + " run to its end (refused, cancelled, or its workers were lost); 3 no such job.";

  static final Duration FOR_EVER = Duration.ofDays(3650);

  /** EX_TEMPFAIL of sysexits.h. */
  private static final int NOT_YET = 75;

  @Spec private CommandSpec spec;

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  @Command(
      name = "submit",
      description = {
        "Submits a job to a session and prints its id.",
        "The description has the form of Confuga's and Chirp's jobs, with additional"
            + " fields (docs/engines.md)."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir job submit align.json --id align-17"})
  void submit(
      @Parameters(
              paramLabel = "FILE",
              description = "The description in JSON; - for standard input.")
          String file,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description =
                  "Id of the job, if the description has none (default: a new one). A second job"
                      + " with the same id is not run.")
          @Nullable String id,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    String json =
        file.equals("-")
            ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
            : Files.readString(Path.of(file));
    Job job;
    try {
      job = JobCodec.read(json, id == null ? "job-" + UUID.randomUUID() : id);
    } catch (InvalidJobException e) {
      throw new ParameterException(choice.command(), file + ": " + e.getMessage(), e);
    }
    out().println(choice.with(client -> client.submit(job)).id());
  }

  @Command(
      name = "wait",
      description = {
        "Waits until jobs have ended and prints their results.",
        CODES,
        "With several jobs: that of the first that did not succeed; 75 after --timeout."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir job wait align-17 align-18 --timeout 1h"})
  int waitFor(
      @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs.") List<String> ids,
      @Option(
              names = "--timeout",
              paramLabel = "TIME",
              converter = TimeSpanConverter.class,
              description = "How long to wait for each job (default: no limit).")
          @Nullable Duration timeout,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    return choice.with(client -> await(client, ids, timeout == null ? FOR_EVER : timeout));
  }

  private int await(JobClient client, List<String> ids, Duration timeout)
      throws IOException, InterruptedException {
    int code = 0;
    for (String id : ids) {
      Optional<JobStatus> end = client.await(id, timeout);
      end.ifPresent(job -> out().print(JobText.of(job)));
      int its = end.map(JobText::exitCode).orElse(NOT_YET);
      code = code == 0 ? its : code;
    }
    return code;
  }

  @Command(
      name = "status",
      description = "Shows the status of a job.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir job status align-17 --json"})
  void status(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Option(names = "--json", description = "Print all fields as JSON.") boolean json,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    JobStatus job = choice.with(client -> client.status(id));
    if (json) {
      out().println(Json.pretty(Json.parse(StatusCodec.write(job))));
    } else {
      out().print(JobText.of(job));
    }
  }

  @Command(
      name = "ls",
      description =
          "Lists the jobs of a session: all that have not ended, and the last ones that have.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir job ls --state failed"})
  void list(
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description = "List only jobs in this state: ${COMPLETION-CANDIDATES}.")
          @Nullable JobState state,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    List<JobStatus> jobs = choice.with(JobClient::list);
    out()
        .print(
            JobText.table(
                jobs.stream().filter(job -> state == null || job.state() == state).toList()));
  }

  @Command(
      name = "cancel",
      description = {
        "Cancels jobs and the jobs that depend on them. Running commands are killed.",
        "A job that has ended does not change."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir job cancel align-17"})
  int cancel(
      @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs.") List<String> ids,
      @Mixin SessionChoice choice)
      throws IOException, InterruptedException {
    return choice.with(
        client -> {
          for (String id : ids) {
            out().print(JobText.of(client.cancel(id)));
          }
          return 0;
        });
  }
}
