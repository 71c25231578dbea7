package dev.weir.cli.jobs;

import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "wait",
    description = {
      "Waits until jobs have ended and prints their results.",
      JobCommand.CODES,
      "With several jobs: that of the first that did not succeed; 75 after --timeout."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir job wait align-17 align-18 --timeout 1h"})
final class WaitForJobs implements Callable<Integer> {

  /** EX_TEMPFAIL of sysexits.h. */
  private static final int NOT_YET = 75;

  private static final Duration FOR_EVER = Duration.ofDays(3650);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs.")
  private List<String> ids;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description = "How long to wait for each job (default: no limit).")
  private @Nullable Duration timeout;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return choice.with(this::await);
  }

  private int await(JobClient client) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int code = 0;
    for (String id : ids) {
      Optional<JobStatus> end = client.await(id, timeout == null ? FOR_EVER : timeout);
      end.ifPresent(job -> out.print(JobText.of(job)));
      int its = end.map(JobText::exitCode).orElse(NOT_YET);
      code = code == 0 ? its : code;
    }
    out.flush();
    return code;
  }
}
