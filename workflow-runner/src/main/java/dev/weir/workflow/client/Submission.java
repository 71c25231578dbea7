package dev.weir.workflow.client;

import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ContainerTokens;
import dev.weir.workflow.yarn.JavaContainer;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An application on its way to YARN, as far as a run's and a session's are the same. One thread at
 * a time.
 */
public final class Submission {

  private static final int MASTER_ATTEMPTS = 2;

  private final Configuration conf;
  private final MasterMemory memory;
  private final ApplicationSubmissionContext context;
  private final ContainerTokens tokens;

  private Submission(
      Configuration conf,
      MasterMemory memory,
      ApplicationSubmissionContext context,
      ContainerTokens tokens) {
    this.conf = conf;
    this.memory = memory;
    this.context = context;
    this.tokens = tokens;
  }

  /**
   * As many workers as are wanted.
   *
   * @param nodes those that run; where nothing else is said each has one
   * @throws RunException when that is none
   */
  static WorkerPlan counted(WorkerPlan workers, List<NodeReport> nodes) throws RunException {
    WorkerPlan counted = workers.count() == 0 ? workers.withCount(nodes.size()) : workers;
    if (counted.count() == 0) {
      throw new RunException("YARN has no running node: start a NodeManager");
    }
    return counted;
  }

  /**
   * Has YARN give an application its number, and asks for what its containers prove with whose they
   * are.
   *
   * @param conf how to reach the cluster
   * @param memory of the ApplicationMaster
   * @throws RunException when YARN gives no containers of these sizes
   */
  static Submission begin(
      Configuration conf,
      DistributedFileSystem fs,
      YarnClient yarn,
      WorkerPlan workers,
      MasterMemory memory)
      throws IOException, YarnException {
    YarnClientApplication application = yarn.createApplication();
    requireGranted(
        workers, memory, application.getNewApplicationResponse().getMaximumResourceCapability());
    // Of what is refused no token is left behind: they live for a day.
    ContainerTokens tokens = ContainerTokens.ask(conf, fs);
    return new Submission(conf, memory, application.getApplicationSubmissionContext(), tokens);
  }

  /** YARN would refuse each ask, long after the run has begun. */
  public static void requireGranted(WorkerPlan workers, MasterMemory master, Resource largest)
      throws RunException {
    if (workers.megabytes() > largest.getMemorySize()
        || workers.cores() > largest.getVirtualCores()) {
      throw new RunException(
          "A worker of "
              + workers.cores()
              + " cores and "
              + workers.megabytes()
              + " MiB is more than YARN gives a container here ("
              + largest.getVirtualCores()
              + " cores, "
              + largest.getMemorySize()
              + " MiB): ask for less with --worker-cores and --worker-memory, or raise"
              + " yarn.scheduler.maximum-allocation-vcores and -mb");
    }
    if (master.megabytes() > largest.getMemorySize()) {
      throw new RunException(
          "An ApplicationMaster of "
              + master.megabytes()
              + " MiB is more than YARN gives a container here ("
              + largest.getMemorySize()
              + " MiB): ask for less with --master-memory, or raise"
              + " yarn.scheduler.maximum-allocation-mb");
    }
  }

  /** The application's number. */
  ApplicationId id() {
    return context.getApplicationId();
  }

  /**
   * Says how YARN is to start its ApplicationMaster.
   *
   * @param mainClass name of the class that begins it
   * @param staging its directory
   * @param library directory that holds the runner's jars
   * @param secrets what its commands get
   * @return what YARN is told, of which more may be said
   */
  ApplicationSubmissionContext master(
      String mainClass, Staging staging, Path library, TaskSecrets secrets) throws IOException {
    secrets.addTo(tokens.credentials());
    context.setResource(Resource.newInstance(memory.megabytes(), 1));
    context.setMaxAppAttempts(MASTER_ATTEMPTS);
    context.setAMContainerSpec(
        new JavaContainer(
                mainClass,
                memory.heapMegabytes(),
                Map.of(
                    Staging.DIRECTORY_VARIABLE,
                    staging.directory().toString(),
                    Staging.LIBRARY_VARIABLE,
                    library.toString()))
            .launchContext(conf, staging.withLibrary(library).masterFiles(), tokens.credentials()));
    context.setCancelTokensWhenComplete(tokens.own());
    return context;
  }
}
