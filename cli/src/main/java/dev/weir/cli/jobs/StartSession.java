package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ApplicationOptions;
import dev.weir.cli.common.KeytabOption;
import dev.weir.cli.common.MasterOption;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.ReplicationOption;
import dev.weir.cli.common.SecretOption;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Usage;
import dev.weir.cli.common.WorkerOptions;
import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunnerJars;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "start",
    description = {
      "Starts a session and prints its id when it accepts workflows and jobs.",
      "It runs until 'weir session stop'. The number of its workers follows the load."
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    footer = {"", "Example:", "  WEIR_SESSION=$(weir session start --workers 6 --idle 5m)"})
@OptionSection(heading = "What to start", options = "--name --mode --secret")
@OptionSection(
    heading = "Where",
    options =
        "--cluster --queue --priority --node-label --max-time --tag --view-acl --modify-acl "
            + "--keytab --principal")
@OptionSection(
    heading = "Resources",
    options = "--workers --least-workers --worker-cores --worker-memory --idle --master-memory")
@OptionSection(heading = "Data", options = "--replication --cache")
@OptionSection(heading = "Tuning", options = "--look-ahead --large --slots")
final class StartSession implements Callable<Integer> {

  private static final Duration START = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "session",
      description = "Name of the session (default: ${DEFAULT-VALUE}).")
  private String name;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "weir",
      description =
          "How jobs are placed (default: ${DEFAULT-VALUE}); workflows have a mode of their own."
              + " stock: first come, first served; locality: jobs run near their inputs; weir: in"
              + " addition, outputs follow their hints.")
  private Mode mode;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Largest number of workers (default: one for each node).")
  private @Nullable Integer workers;

  @Option(
      names = "--least-workers",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Number of workers that are kept while they are idle (default: ${DEFAULT-VALUE}).")
  private int least;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpanConverter.class,
      description =
          "How long a worker may be idle before it is released (default: ${DEFAULT-VALUE}).")
  private Duration idle;

  @Option(
      names = "--worker-cores",
      paramLabel = "N",
      defaultValue = "1",
      description = "Cores of each worker, shared by its tasks (default: ${DEFAULT-VALUE}).")
  private int workerCores;

  @Mixin private ReplicationOption replication;

  @Mixin private WorkerOptions taking;

  @Mixin private MasterOption master;

  @Mixin private ApplicationOptions queue;

  @Mixin private SecretOption secret;

  @Mixin private KeytabOption keytab;

  @Mixin private ClientConfiguration cluster;

  @Override
  public Integer call() throws IOException, InterruptedException {
    WorkerPlan plan =
        Usage.checked(
            spec,
            () ->
                taking
                    .plan(WorkerOptions.count(workers), workerCores)
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
    Configuration conf = keytab.login(cluster.load());
    replication.requireWithin(conf);
    String id = new SessionStarter(conf, RunnerJars.ofThisProcess()).start(request);
    try (Sessions sessions = Sessions.open(conf)) {
      // The session accepts jobs from its first answer on.
      sessions.client(id, START).session();
    }
    spec.commandLine().getOut().println(id);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
