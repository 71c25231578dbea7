package dev.weir.workflow.client;

import dev.weir.workflow.delivery.Webhook;
import dev.weir.workflow.fetch.SourceResolver;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.MasterMemory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to run a workflow.
 *
 * @param mode how placement and scheduling use knowledge about the data
 * @param dataDir directory in HDFS that holds the inputs and receives the outputs; absolute, or
 *     relative to the user's home directory
 * @param uploadDir local directory with the workflow's inputs, uploaded where HDFS lacks them or
 *     has another size; null for none
 * @param standIn whether stand-ins, which read, pause and write, replace the commands
 * @param sizeByTasks whether workers are made larger if a task needs more than {@code workers} says
 * @param replication replicas of its output files without a hint; 0 for the default of the
 *     cluster's nodes
 * @param master memory of its ApplicationMaster
 * @param queue its YARN queue and its priority there
 * @param choices whether it continues after a failure, which tasks it reruns, and more
 * @param secrets values of the secrets to which its variables refer, and URLs of inputs
 * @param sources the sources of inputs that are not in HDFS
 * @param webhook notified by the ApplicationMaster of the end of the run; null for none
 */
public record RunRequest(
    Workflow workflow,
    Mode mode,
    String dataDir,
    @Nullable Path uploadDir,
    boolean standIn,
    WorkerPlan workers,
    boolean sizeByTasks,
    int replication,
    MasterMemory master,
    ApplicationRequest queue,
    Map<String, String> environment,
    RunOptions choices,
    TaskSecrets secrets,
    Sources sources,
    @Nullable Webhook webhook) {

  /** Validates the components and copies the map. */
  public RunRequest {
    environment = Map.copyOf(environment);
    if (replication < 0) {
      throw new IllegalArgumentException(
          "replication is " + replication + ": give a number, or 0 for the cluster's own");
    }
    if (dataDir.isBlank()) {
      throw new IllegalArgumentException("The data directory is blank: name one in HDFS");
    }
  }

  /**
   * Creates a builder with the defaults: mode weir, no upload, real commands, a worker on each
   * node.
   */
  public static Builder builder(Workflow workflow, String dataDir) {
    return new Builder(workflow, dataDir);
  }

  /** Returns a copy with the values of the secrets to which its variables refer. */
  public RunRequest withSecrets(TaskSecrets value) {
    Builder copy = toBuilder();
    copy.secrets = value;
    return copy.build();
  }

  /** Returns a copy whose ApplicationMaster notifies a webhook of the end of the run. */
  public RunRequest withWebhook(Webhook value) {
    Builder copy = toBuilder();
    copy.webhook = value;
    return copy.build();
  }

  /** Returns a copy with workers of a known size. */
  RunRequest withWorkers(WorkerPlan value) {
    Builder copy = toBuilder();
    copy.workers = value;
    copy.sizeByTasks = false;
    return copy.build();
  }

  /** Returns a copy with another workflow. */
  RunRequest withWorkflow(Workflow value) {
    Builder copy = toBuilder();
    copy.workflow = value;
    return copy.build();
  }

  /** Returns a copy with a workflow whose sources are resolved. */
  RunRequest with(SourceResolver.Resolved resolved) {
    Builder copy = toBuilder();
    copy.workflow = resolved.workflow();
    copy.secrets = secrets.and(resolved.secrets());
    copy.sources = new Sources(sources.transfers(), resolved.local());
    return copy.build();
  }

  private Builder toBuilder() {
    Builder copy = new Builder(workflow, dataDir);
    copy.mode = mode;
    copy.uploadDir = uploadDir;
    copy.standIn = standIn;
    copy.workers = workers;
    copy.sizeByTasks = sizeByTasks;
    copy.replication = replication;
    copy.master = master;
    copy.queue = queue;
    copy.environment = environment;
    copy.choices = choices;
    copy.secrets = secrets;
    copy.sources = sources;
    copy.webhook = webhook;
    return copy;
  }

  /**
   * Where inputs come from that are not in HDFS.
   *
   * @param transfers how many external inputs are fetched at a time, at least 1
   * @param local local files that are uploaded, by file id
   */
  public record Sources(int transfers, Map<String, Path> local) {

    /** The default number of transfers at a time. */
    public static final int TRANSFERS = 5;

    /** Validates the number and copies the map. */
    public Sources {
      if (transfers < 1) {
        throw new IllegalArgumentException(transfers + " transfers at a time: give 1 or more");
      }
      local = Map.copyOf(local);
    }
  }

  Optional<Path> upload() {
    return Optional.ofNullable(uploadDir);
  }

  public static final class Builder {

    private Workflow workflow;
    private final String dataDir;
    private Mode mode = Mode.WEIR;
    private @Nullable Path uploadDir;
    private boolean standIn;
    private WorkerPlan workers = WorkerPlan.DEFAULT;
    private boolean sizeByTasks;
    private int replication;
    private MasterMemory master = MasterMemory.DEFAULT;
    private ApplicationRequest queue = ApplicationRequest.DEFAULT;
    private Map<String, String> environment = Map.of();
    private RunOptions choices = RunOptions.DEFAULT;
    private TaskSecrets secrets = TaskSecrets.NONE;
    private Sources sources = new Sources(Sources.TRANSFERS, Map.of());
    private @Nullable Webhook webhook;

    private Builder(Workflow workflow, String dataDir) {
      this.workflow = workflow;
      this.dataDir = dataDir;
    }

    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    /** Sets the local directory of the inputs. */
    public Builder uploadDir(Path value) {
      uploadDir = value;
      return this;
    }

    /** Sets whether stand-ins replace the commands. */
    public Builder standIn(boolean value) {
      standIn = value;
      return this;
    }

    /** Sets number and size of the workers. */
    public Builder workers(WorkerPlan value) {
      workers = value;
      return this;
    }

    /**
     * Sets whether workers are made larger than the plan says if a task needs more. By default such
     * a task is refused.
     */
    public Builder sizeByTasks(boolean value) {
      sizeByTasks = value;
      return this;
    }

    /**
     * Sets the replicas of output files without a hint.
     *
     * @param value 0 for the default of the cluster's nodes
     */
    public Builder replication(int value) {
      replication = value;
      return this;
    }

    public Builder master(MasterMemory value) {
      master = value;
      return this;
    }

    /** Sets the YARN queue and the priority there. */
    public Builder queue(ApplicationRequest value) {
      queue = value;
      return this;
    }

    /** Sets environment variables of each command. */
    public Builder environment(Map<String, String> value) {
      environment = Map.copyOf(value);
      return this;
    }

    /** Sets whether it continues after a failure, which tasks it reruns, and more. */
    public Builder choices(RunOptions value) {
      choices = value;
      return this;
    }

    /**
     * Sets how many external inputs are fetched at a time.
     *
     * @param value at least 1
     */
    public Builder transfers(int value) {
      sources = new Sources(value, sources.local());
      return this;
    }

    public RunRequest build() {
      return new RunRequest(
          workflow,
          mode,
          dataDir,
          uploadDir,
          standIn,
          workers,
          sizeByTasks,
          replication,
          master,
          queue,
          environment,
          choices,
          secrets,
          sources,
          webhook);
    }
  }
}
