package dev.weir.workflow.client;

import dev.weir.workflow.delivery.Webhook;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ContainerTokens;
import dev.weir.workflow.yarn.JavaContainer;
import dev.weir.workflow.yarn.MasterMemory;
import dev.weir.workflow.yarn.UserKeytab;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The submission of an application to YARN, as far as runs and sessions do the same. Not
 * thread-safe.
 */
public final class Submission {

  private static final int MASTER_ATTEMPTS = 2;

  private final Configuration conf;
  private final MasterMemory memory;
  private final WorkerPlan workers;
  private final ApplicationSubmissionContext context;
  private final ContainerTokens tokens;

  private Submission(
      Configuration conf,
      MasterMemory memory,
      WorkerPlan workers,
      ApplicationSubmissionContext context,
      ContainerTokens tokens) {
    this.conf = conf;
    this.memory = memory;
    this.workers = workers;
    this.context = context;
    this.tokens = tokens;
  }

  /**
   * Returns the plan with a known number of workers.
   *
   * @param nodes the running nodes; by default each has one worker
   * @throws RunException if there are none
   */
  static WorkerPlan counted(WorkerPlan workers, List<NodeReport> nodes) throws RunException {
    WorkerPlan counted = workers.count() == 0 ? workers.withCount(nodes.size()) : workers;
    if (counted.count() == 0) {
      throw new RunException("YARN has no running node: start a NodeManager");
    }
    return counted;
  }

  /**
   * Requests an application id from YARN and the tokens with which its containers authenticate.
   *
   * @param plan returns the workers for the largest container that YARN gives
   * @throws RunException if YARN gives no containers of these sizes
   */
  static Submission begin(
      Configuration conf,
      YarnClient yarn,
      MasterMemory memory,
      FunctionRaisingIOE<Resource, WorkerPlan> plan)
      throws IOException, YarnException {
    YarnClientApplication application = yarn.createApplication();
    Resource largest = application.getNewApplicationResponse().getMaximumResourceCapability();
    WorkerPlan workers = plan.apply(largest);
    requireGranted(workers, memory, largest);
    // Requested last, so that a refused submission leaves no tokens, which live for a day.
    // A mount table has tokens of all its file systems, which YARN's logs may need, too.
    ContainerTokens tokens = ContainerTokens.ask(conf, FileSystem.get(conf));
    return new Submission(
        conf, memory, workers, application.getApplicationSubmissionContext(), tokens);
  }

  /**
   * Checks the container sizes. Otherwise YARN would refuse each request long after the run has
   * started.
   */
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

  /** The workers, with what the cluster has for dedicated ones. */
  WorkerPlan workers() {
    return workers;
  }

  ApplicationId id() {
    return context.getApplicationId();
  }

  /** Gives the ApplicationMaster a webhook. */
  Submission with(Webhook webhook) {
    webhook.addTo(tokens.credentials());
    return this;
  }

  /**
   * Describes how YARN starts the ApplicationMaster.
   *
   * @param library directory that holds the runner's jars
   * @param secrets values of the secrets that its commands get
   * @return the submission context, which callers may complete
   */
  ApplicationSubmissionContext master(
      String mainClass, Staging staging, Path library, TaskSecrets secrets) throws IOException {
    secrets.addTo(tokens.credentials());
    List<FileStatus> files = new ArrayList<>(staging.withLibrary(library).containerFiles());
    Optional<UserKeytab> keytab = UserKeytab.ofClient(conf);
    if (keytab.isPresent()) {
      files.add(staging.writeSecret(Staging.KEYTAB, Files.readAllBytes(keytab.get().file())));
    }
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
            .launchContext(WorkflowRunner.site(conf), files, tokens.credentials()));
    context.setCancelTokensWhenComplete(tokens.own());
    return context;
  }
}
