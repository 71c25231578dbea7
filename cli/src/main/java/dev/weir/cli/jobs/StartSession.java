package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.MasterOption;
import dev.weir.cli.common.QueueOptions;
import dev.weir.cli.common.ReplicationOption;
import dev.weir.cli.common.SecretOption;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Usage;
import dev.weir.cli.common.WorkerOptions;
import dev.weir.workflow.client.RunnerJars;
import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir session start}. */
@Command(
    name = "start",
    description = {
      "Starts a session and prints its id when it takes workflows and jobs.",
      "It goes on until 'weir session stop'; its workers come and go with what there is to do."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  WEIR_SESSION=$(weir session start --workers 6 --idle 5m)"})
final class StartSession implements Callable<Integer> {

  private static final Duration START = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "session",
      description = "What to call it (default: ${DEFAULT-VALUE}).")
  private String name;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "weir",
      description =
          "Of jobs; each workflow has its own. stock: first come first served; locality: jobs go"
              + " where their bytes are; weir: hints of outputs are followed, too (default: ${DEFAULT-VALUE}).")
  private Mode mode;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "0",
      description = "The most workers (default: one for each node).")
  private int workers;

  @Option(
      names = "--least-workers",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Workers that stay although there is nothing to do (default: ${DEFAULT-VALUE}).")
  private int least;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpanConverter.class,
      description = "A worker without a task is let go after this (default: ${DEFAULT-VALUE}).")
  private Duration idle;

  @Option(
      names = "--worker-cores",
      paramLabel = "N",
      defaultValue = "1",
      description = "Cores of each worker, which its tasks share (default: ${DEFAULT-VALUE}).")
  private int workerCores;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many tasks a worker is given beyond those that it runs, so that their inputs come"
              + " meanwhile (default: ${DEFAULT-VALUE}).")
  private int lookAhead;

  @Mixin private ReplicationOption replication;

  @Mixin private WorkerOptions taking;

  @Mixin private MasterOption master;

  @Mixin private QueueOptions queue;

  @Mixin private SecretOption secret;

  @Mixin private ClientConfiguration cluster;

  @Override
  public Integer call() throws IOException, InterruptedException {
    WorkerPlan plan =
        Usage.checked(
            spec,
            () ->
                taking
                    .plan(workers, workerCores, lookAhead)
                    .elastic(least, WorkerOptions.idleSeconds(idle)));
    SessionStarter.Request request =
        new SessionStarter.Request(
            name,
            mode,
            plan,
            replication.number(),
            master.memory(),
            queue.request(),
            secret.values(System.getenv()));
    Configuration conf = cluster.load();
    replication.requireWithin(conf);
    String id = new SessionStarter(conf, RunnerJars.ofThisProcess()).start(request);
    try (Sessions sessions = Sessions.open(conf)) {
      // The first answer: from then on it takes jobs.
      sessions.client(id, START).session();
    }
    spec.commandLine().getOut().println(id);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
