package dev.weir.cli.workflow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.cluster.LinkRateConverter;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.ReplicationOption;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Times;
import dev.weir.cli.common.Usage;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.workflow.client.RunForecast;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.estimate.ClusterRates;
import dev.weir.workflow.estimate.RunEstimate;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "estimate",
    description = {
      "Estimates what a run of a workflow will take.",
      "It simulates the dispatcher on the cluster's nodes and links. Run times are those that your"
          + " earlier runs measured, else the declared ones. With --nodes it contacts no cluster"
          + " and uses the declared ones only."
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Example:",
      "  weir workflow estimate montage.json --data mosaic",
      "  weir workflow estimate montage.json --nodes 20 --link 10gbit --json",
      "",
      WorkflowCommand.CODES
    })
@OptionSection(heading = "Workflow", options = "--format --define --args --data --ignore-needs")
@OptionSection(heading = "Cluster", options = "--cluster --nodes --link")
@OptionSection(
    heading = "Run",
    options = "--mode --workers --worker-cores --worker-memory --replication")
@OptionSection(heading = "Output", options = "--json")
final class EstimateWorkflow implements Callable<Integer> {
  private static final double MILLIS = 1_000;
  private static final int MEBI_BITS = 20;

  @Spec private CommandSpec spec;
  @Mixin private WorkflowOptions reading;
  @Mixin private ClientConfiguration cluster;
  @Mixin private ReplicationOption replication;

  @Parameters(paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Option(
      names = "--data",
      paramLabel = "HDFS_DIR",
      description =
          "HDFS directory of its inputs (default: weir/NAME in your home directory, as for 'weir"
              + " run').")
  private @Nullable String data;

  @Option(
      names = "--ignore-needs",
      description = "Ignore the cores and memory that tasks declare or that earlier runs measured.")
  private boolean ignoreNeeds;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes of a cluster that is not contacted.")
  private @Nullable Integer nodes;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      converter = LinkRateConverter.class,
      description =
          "Rate of each node's link, such as 1gbit (default: as your last runs measured it, else "
              + LinkSpeed.KEY
              + " of the configuration, else 1gbit).")
  private @Nullable LinkRate link;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "weir",
      description = "stock, locality or weir (default: ${DEFAULT-VALUE}).")
  private Mode mode;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of workers (default: one on each node).")
  private int workers;

  @Option(
      names = "--worker-cores",
      paramLabel = "N",
      description = "Cores of each worker (default: as for 'weir run').")
  private @Nullable Integer workerCores;

  @Option(
      names = "--worker-memory",
      paramLabel = "MIB",
      description = "Memory of each worker's container in MiB (default: as for 'weir run').")
  private @Nullable Integer workerMemory;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Workflow read = reading.read(file, spec.commandLine().getErr()).workflow();
    Workflow workflow = ignoreNeeds ? WorkflowRunner.withoutNeeds(read) : read;
    RunRequest request = request(workflow);
    Integer number = nodes;
    RunForecast forecast =
        number == null
            ? RunForecast.on(request, cluster.load(), bytesPerSecond())
            : assumed(request, number);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(asJson(workflow, forecast)));
    } else {
      print(out, workflow, forecast);
    }
    out.flush();
    return ExitCode.DONE;
  }

  private RunForecast assumed(RunRequest request, int number) throws IOException {
    if (number < 1) {
      throw new IllegalArgumentException("--nodes is " + number + ": give 1 or more");
    }
    Configuration conf = new Configuration();
    Double rate = bytesPerSecond();
    return RunForecast.assumed(
        request, number, conf, rate == null ? (double) LinkSpeed.of(conf) : rate);
  }

  private @Nullable Double bytesPerSecond() {
    LinkRate rate = link;
    if (rate == null) {
      return null;
    }
    if (!rate.isShaped()) {
      throw new IllegalArgumentException("--link needs a rate, such as 1gbit");
    }
    return rate.bitsPerSecond() / (double) Byte.SIZE;
  }

  private RunRequest request(Workflow workflow) {
    WorkerPlan plan =
        Usage.checked(
            spec,
            () ->
                new WorkerPlan(
                    workers,
                    workerCores == null ? WorkerPlan.DEFAULT.cores() : workerCores,
                    workerMemory == null ? WorkerPlan.DEFAULT.megabytes() : workerMemory,
                    WorkerSize.AHEAD));
    return RunRequest.builder(workflow, WorkflowOptions.dataDirectory(data, workflow))
        .mode(mode)
        .workers(plan)
        .sizeByTasks(workerCores == null && workerMemory == null)
        .replication(replication.number())
        .choices(RunOptions.DEFAULT.withKeep(RetentionPolicy.BY_MODE).withIgnoredNeeds(ignoreNeeds))
        .build();
  }

  private static void print(PrintWriter out, Workflow workflow, RunForecast forecast) {
    RunEstimate estimate = forecast.estimate();
    ClusterRates rates = forecast.cluster().rates();
    out.printf(
        Locale.ROOT,
        "%s: %d tasks on %d workers of %s, %d nodes, links of %s/s%n",
        PrintableText.of(workflow.name()),
        estimate.tasks(),
        forecast.cluster().workers(),
        ResourceNeeds.inWords(
            forecast.workers().cores(), (long) forecast.workers().megabytes() << MEBI_BITS),
        forecast.cluster().nodes().size(),
        Sizes.of(Math.round(rates.linkBytesPerSecond())));
    out.printf(
        Locale.ROOT,
        "About %s: %s for its tasks, %.1f s to start and end%n",
        time(forecast.seconds()),
        time(estimate.seconds()),
        rates.startSeconds());
    out.printf(
        Locale.ROOT,
        "Worker seconds: %.0f, of which commands take %.0f%n",
        estimate.workerSeconds(),
        estimate.commandSeconds());
    out.printf(
        "Bytes: tasks read %s; %s move between nodes%n",
        Sizes.of(estimate.bytesRead()), Sizes.of(estimate.bytesMoved()));
    if (estimate.unknownTimes() > 0) {
      out.printf(
          Locale.ROOT,
          "The run times of %d tasks are unknown: each counts as 1 s%n",
          estimate.unknownTimes());
    }
  }

  private static String time(double seconds) {
    return Times.passed(Duration.ofMillis(Math.round(seconds * MILLIS)));
  }

  private static ObjectNode asJson(Workflow workflow, RunForecast forecast) {
    RunEstimate estimate = forecast.estimate();
    ClusterRates rates = forecast.cluster().rates();
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", workflow.name())
        .put("tasks", estimate.tasks())
        .put("nodes", forecast.cluster().nodes().size())
        .put("workers", forecast.cluster().workers())
        .put("worker-cores", forecast.workers().cores())
        .put("worker-memory-mb", forecast.workers().megabytes())
        .put("link-bytes-per-second", Math.round(rates.linkBytesPerSecond()))
        .put("seconds", forecast.seconds())
        .put("task-seconds", estimate.seconds())
        .put("worker-seconds", estimate.workerSeconds())
        .put("command-seconds", estimate.commandSeconds())
        .put("bytes-read", estimate.bytesRead())
        .put("bytes-moved", estimate.bytesMoved())
        .put("unknown-times", estimate.unknownTimes());
  }
}
