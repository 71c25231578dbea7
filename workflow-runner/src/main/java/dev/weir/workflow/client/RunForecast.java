package dev.weir.workflow.client;

import dev.weir.workflow.estimate.ClusterRates;
import dev.weir.workflow.estimate.EstimateCluster;
import dev.weir.workflow.estimate.RunEstimate;
import dev.weir.workflow.estimate.RunEstimator;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hdfs.MountedHdfs;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run will take, before it starts.
 *
 * @param estimate what its tasks take
 * @param cluster the cluster that the estimate assumes
 * @param workers number and size of its workers
 */
public record RunForecast(RunEstimate estimate, EstimateCluster cluster, WorkerPlan workers) {

  private static final Logger LOG = LoggerFactory.getLogger(RunForecast.class);

  /** The last runs, which have measured the cluster. */
  private static final int RUNS = 5;

  private static final long DEFAULT_BLOCK = 128L << 20;

  /**
   * Returns how long the whole command takes.
   *
   * @return seconds, with the start of the ApplicationMaster and of the workers
   */
  public double seconds() {
    return cluster.rates().startSeconds() + estimate.seconds();
  }

  /**
   * Estimates a run on a cluster that is not contacted. Nothing is known from earlier runs.
   *
   * @param nodes how many nodes the cluster has
   * @param bytesPerSecond rate of each node's link
   * @throws RunException if a task does not fit a worker
   */
  public static RunForecast assumed(
      RunRequest request, int nodes, Configuration conf, double bytesPerSecond)
      throws RunException {
    WorkerPlan plan = request.workers();
    if (request.sizeByTasks()) {
      WorkerSizing.Node large =
          new WorkerSizing.Node("node-0", Integer.MAX_VALUE, Integer.MAX_VALUE);
      plan =
          WorkerSizing.sized(
              plan,
              request.workflow(),
              TaskProfiles.NONE,
              new WorkerSizing.Cluster(
                  List.of(large, large), Integer.MAX_VALUE, Integer.MAX_VALUE, 0));
      plan = plan.withCount(request.workers().count());
    }
    return of(
        request,
        plan,
        new EstimateCluster(
            EstimateCluster.names(nodes),
            plan.count() == 0 ? nodes : plan.count(),
            plan.size(),
            ClusterRates.usual(bytesPerSecond),
            storage(request, conf)),
        new Known(TaskProfiles.NONE, Map.of()));
  }

  /**
   * Estimates a run on a cluster, with what the user's earlier runs have measured.
   *
   * @param bytesPerSecond rate of each node's link; null for the measured or configured one
   * @throws RunException if a task does not fit a worker
   */
  public static RunForecast on(
      RunRequest request, Configuration conf, @Nullable Double bytesPerSecond) throws IOException {
    DistributedFileSystem fs = WorkflowRunner.fileSystem(conf);
    ClusterProbe.toRead(fs.getUri(), conf);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      return on(request, conf, new Services(fs, yarn), bytesPerSecond);
    } catch (YarnException e) {
      throw new RunException("YARN does not describe its nodes: " + e.getMessage(), e);
    } finally {
      yarn.stop();
    }
  }

  private record Services(DistributedFileSystem fs, YarnClient yarn) {}

  /** What is known about a workflow's tasks and inputs. */
  private record Known(TaskProfiles profiles, Map<String, StoredFile> inputs) {}

  private static RunForecast on(
      RunRequest request, Configuration conf, Services services, @Nullable Double bytesPerSecond)
      throws IOException, YarnException {
    DistributedFileSystem fs = services.fs();
    RunRequest sized =
        request.sizeByTasks() ? WorkflowRunner.sized(request, fs, services.yarn()) : request;
    List<NodeReport> nodes = services.yarn().getNodeReports(NodeState.RUNNING);
    WorkerPlan plan =
        Submission.counted(sized.workers(), nodes).usefulFor(request.workflow(), nodes.size());
    RunDirectories directories = RunDirectories.own(fs);
    ClusterRates measured =
        ClusterRates.usual((double) LinkSpeed.of(conf)).measured(lastRuns(directories));
    ClusterRates rates = bytesPerSecond == null ? measured : measured.withLink(bytesPerSecond);
    TaskProfiles profiles = new TaskProfileStore(directories).read();
    Map<String, StoredFile> inputs = inputs(request, plan, fs);
    return of(
        withSizes(sized, inputs),
        plan,
        new EstimateCluster(
            nodes.stream().map(node -> node.getNodeId().getHost()).distinct().toList(),
            plan.count(),
            plan.size(),
            rates,
            storage(request, conf)),
        new Known(request.choices().ignoreNeeds() ? profiles.withoutNeeds() : profiles, inputs));
  }

  /** Finds the inputs that are in HDFS. */
  private static Map<String, StoredFile> inputs(
      RunRequest request, WorkerPlan plan, DistributedFileSystem fs) throws IOException {
    WorkflowRunner.Start start =
        new WorkflowRunner.Start(
            request, MountedHdfs.pathIn(fs, request.dataDir()), announced -> {});
    Map<String, StoredFile> inputs = new HashMap<>();
    InputLocations.find(fs, WorkflowRunner.plan(start, fs, plan, Map.of(), Map.of()))
        .forEach(input -> inputs.put(input.name(), input));
    return inputs;
  }

  /** Returns the request with the sizes that inputs really have. */
  private static RunRequest withSizes(RunRequest request, Map<String, StoredFile> inputs) {
    Workflow workflow = request.workflow();
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    inputs.forEach(
        (id, input) ->
            files.computeIfPresent(
                id, (same, file) -> new DataFile(id, input.sizeBytes(), file.hint())));
    return request.withWorkflow(new Workflow(workflow.name(), workflow.tasks(), files));
  }

  private static RunForecast of(
      RunRequest request, WorkerPlan plan, EstimateCluster cluster, Known known)
      throws RunException {
    WorkflowRunner.requireRoom(request, plan.size(), WorkflowRunner.LARGER_WORKERS);
    RunEstimate estimate =
        new RunEstimator(cluster, request.mode())
            .estimate(request.workflow(), known.profiles(), known.inputs());
    return new RunForecast(estimate, cluster, plan);
  }

  static EstimateCluster.Storage storage(RunRequest request, Configuration conf) {
    return new EstimateCluster.Storage(
        request.replication() > 0
            ? request.replication()
            : Math.max(1, conf.getInt("dfs.replication", 3)),
        Math.max(1, conf.getLongBytes("dfs.blocksize", DEFAULT_BLOCK)));
  }

  /** Reads the records of the last runs that have one. */
  static List<RunRecord> lastRuns(RunDirectories directories) throws IOException {
    List<RunRecord> records = new ArrayList<>();
    for (ApplicationId id : directories.ids()) {
      if (records.size() == RUNS) {
        break;
      }
      try {
        records.add(directories.directory(id.toString()).readRecord());
      } catch (IOException e) {
        LOG.debug("{} has not ended, or left no record", id, e);
      }
    }
    return records;
  }
}
