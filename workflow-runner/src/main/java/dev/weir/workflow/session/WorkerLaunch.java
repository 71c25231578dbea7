package dev.weir.workflow.session;

import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.MasterPlan;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.worker.WorkerMain;
import dev.weir.workflow.worker.WorkerSettings;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.ContainerTokens;
import dev.weir.workflow.yarn.JavaContainer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.jspecify.annotations.Nullable;

/** Builds the launch contexts of worker containers. For any thread. */
final class WorkerLaunch {
  private static final int HEAP_MEGABYTES = 256;

  private final SessionServices.Context context;
  private final List<FileStatus> files;
  private final Map<String, String> environment;
  private final WorkerTokenSecretManager workerTokens;

  /**
   * Collects what a worker's container needs.
   *
   * @param workerTokens those of the session
   * @param rpc how the channel to workers is set
   * @param port port of the worker RPC server
   */
  WorkerLaunch(
      SessionServices.Context context,
      WorkerTokenSecretManager workerTokens,
      RpcConfig rpc,
      int port)
      throws IOException {
    this.context = context;
    this.workerTokens = workerTokens;
    // No file of this run alone: YARN would start a localizer for it on each node.
    this.files = context.staging().containerFiles();
    MasterPlan plan = context.plan();
    WorkerSize size = plan.workers().size();
    this.environment =
        Map.ofEntries(
            Map.entry(WorkerSettings.MASTER_HOST, SessionServices.ownAddress()),
            Map.entry(WorkerSettings.MASTER_PORT, Integer.toString(port)),
            Map.entry(
                WorkerSettings.MASTER_PATIENCE,
                Long.toString(context.fencing().workerSearchMillis())),
            Map.entry(WorkerSettings.RPC_PROTECTION, rpc.protection()),
            Map.entry(WorkerSettings.SILENCE, Long.toString(rpc.silence().toMillis())),
            Map.entry(WorkerSettings.FILE_SYSTEM, plan.fileSystem()),
            Map.entry(Staging.DIRECTORY_VARIABLE, context.staging().directory().toString()),
            Map.entry(WorkerSettings.RUNS, context.runs().toString()),
            Map.entry(
                WorkerSettings.REPLICATION,
                plan.settings().getOrDefault(HdfsClientConfigKeys.DFS_REPLICATION_KEY, "0")),
            Map.entry(WorkerSettings.CORES, Integer.toString(size.cores())),
            Map.entry(WorkerSettings.MEMORY, Long.toString(size.memoryBytes())),
            Map.entry(WorkerSettings.CACHE, Integer.toString(cacheMegabytes(plan))),
            Map.entry(WorkerSettings.LARGE, Integer.toString(largeMegabytes(plan))));
  }

  /** Stock mode disables the cache by default, because stock Hadoop has none. */
  private static int cacheMegabytes(MasterPlan plan) {
    int wanted = plan.workers().intake().cacheMegabytes();
    return plan.mode() == Mode.STOCK && wanted == WorkerPlan.Intake.BY_DISK ? 0 : wanted;
  }

  private static int largeMegabytes(MasterPlan plan) {
    WorkerPlan.Intake intake = plan.workers().intake();
    return plan.mode() == Mode.STOCK || intake.slots() == 0 ? 0 : intake.largeMegabytes();
  }

  /**
   * Returns the command, files, environment and credentials of a container.
   *
   * @param dedicated what its worker is dedicated to; null for an ordinary worker
   * @param first the first container of its gang, if it is a further one; else empty
   */
  ContainerLaunchContext context(String container, @Nullable ResourceNeeds dedicated, String first)
      throws IOException {
    // Read for each worker, because tokens are replaced.
    Credentials own = UserGroupInformation.getCurrentUser().getCredentials();
    Credentials credentials = ContainerTokens.ofWorkers(own);
    TaskSecrets.of(own).addTo(credentials);
    workerTokens.addToken(container, credentials);
    Map<String, String> variables = new HashMap<>(environment);
    if (!first.isEmpty()) {
      variables.put(WorkerSettings.GANG_FIRST, first);
    }
    if (dedicated != null) {
      variables.put(WorkerSettings.GANG_MEMBERS, Integer.toString(dedicated.members()));
      int megabytes = context.plan().workers().megabytes(dedicated);
      variables.put(WorkerSettings.CORES, Integer.toString(dedicated.cores()));
      variables.put(WorkerSettings.MEMORY, Long.toString(WorkerPlan.taskBytes(megabytes)));
    }
    if (context.hintsInForce().getAsBoolean()) {
      variables.put(WorkerSettings.HINTS_IN_FORCE, "true");
    }
    String ports = context.conf().getTrimmed(PortRange.WORKER_KEY, "");
    if (!ports.isEmpty()) {
      variables.put(WorkerSettings.PORTS, ports);
    }
    if (context.plan().endless()) {
      variables.put(WorkerSettings.LAST_LOGS, "true");
    }
    ContainerLaunchContext launched =
        new JavaContainer(WorkerMain.class.getName(), HEAP_MEGABYTES, variables)
            .launchContext(context.conf(), files, credentials);
    // A NodeManager takes who may read the logs from the first container that it starts.
    launched.setApplicationACLs(ApplicationRequest.of(context.plan().settings()).access());
    return launched;
  }
}
