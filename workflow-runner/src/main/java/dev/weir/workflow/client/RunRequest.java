package dev.weir.workflow.client;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.MasterMemory;
import dev.weir.workflow.yarn.QueueRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run and how.
 *
 * @param workflow the workflow
 * @param mode how much to make of what is known about its data
 * @param dataDir directory in HDFS that holds the inputs and receives the outputs; absolute, or
 *     relative to the user's home directory
 * @param uploadDir local directory with the workflow's inputs, copied to HDFS first where they are
 *     missing there or of another size; null for none
 * @param standIn whether stand-ins that read, pause and write take the commands' place
 * @param workers what workers to ask for
 * @param replication how many replicas the files have that it writes and no hint is for; 0 for as
 *     many as the cluster's nodes say
 * @param master how much memory its ApplicationMaster gets
 * @param queue its YARN queue, and its priority there
 * @param environment variables of each command
 * @param choices whether it goes on after a failure, and what it runs again
 * @param secrets what is handed to the containers of the run, for variables that refer to it
 */
public record RunRequest(
    Workflow workflow,
    Mode mode,
    String dataDir,
    @Nullable Path uploadDir,
    boolean standIn,
    WorkerPlan workers,
    int replication,
    MasterMemory master,
    QueueRequest queue,
    Map<String, String> environment,
    RunOptions choices,
    TaskSecrets secrets) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when a number is negative or the directory blank
   */
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
   * Begins a request with the defaults: mode weir, no upload, real commands, a worker on each node.
   *
   * @param workflow the workflow
   * @param dataDir directory in HDFS
   * @return a builder
   */
  public static Builder builder(Workflow workflow, String dataDir) {
    return new Builder(workflow, dataDir);
  }

  /**
   * The same with secrets, which commands get as variables of these names.
   *
   * @param value the secrets
   * @return the request
   */
  public RunRequest withSecrets(TaskSecrets value) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.putAll(value.references());
    return new RunRequest(
        workflow,
        mode,
        dataDir,
        uploadDir,
        standIn,
        workers,
        replication,
        master,
        queue,
        variables,
        choices,
        value);
  }

  Optional<Path> upload() {
    return Optional.ofNullable(uploadDir);
  }

  /** Builds a request. */
  public static final class Builder {

    private final Workflow workflow;
    private final String dataDir;
    private Mode mode = Mode.WEIR;
    private @Nullable Path uploadDir;
    private boolean standIn;
    private WorkerPlan workers = WorkerPlan.DEFAULT;
    private int replication;
    private MasterMemory master = MasterMemory.DEFAULT;
    private QueueRequest queue = QueueRequest.DEFAULT;
    private Map<String, String> environment = Map.of();
    private RunOptions choices = RunOptions.DEFAULT;

    private Builder(Workflow workflow, String dataDir) {
      this.workflow = workflow;
      this.dataDir = dataDir;
    }

    /**
     * Sets the mode.
     *
     * @param value how much to make of what is known
     * @return this
     */
    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    /**
     * Sets where inputs are uploaded from.
     *
     * @param value local directory
     * @return this
     */
    public Builder uploadDir(Path value) {
      uploadDir = value;
      return this;
    }

    /**
     * Sets whether stand-ins take the commands' place.
     *
     * @param value whether
     * @return this
     */
    public Builder standIn(boolean value) {
      standIn = value;
      return this;
    }

    /**
     * Sets how many workers to ask for.
     *
     * @param value 0 for one on each node
     * @return this
     */
    public Builder workers(int value) {
      return workers(workers.withCount(value));
    }

    /**
     * Sets what workers to ask for.
     *
     * @param value how many and how large
     * @return this
     */
    public Builder workers(WorkerPlan value) {
      workers = value;
      return this;
    }

    /**
     * Sets how many replicas the files have that it writes and no hint is for.
     *
     * @param value 0 for as many as the cluster's nodes say
     * @return this
     */
    public Builder replication(int value) {
      replication = value;
      return this;
    }

    /**
     * Sets how much memory its ApplicationMaster gets.
     *
     * @param value how much
     * @return this
     */
    public Builder master(MasterMemory value) {
      master = value;
      return this;
    }

    /**
     * Sets its YARN queue, and its priority there.
     *
     * @param value which
     * @return this
     */
    public Builder queue(QueueRequest value) {
      queue = value;
      return this;
    }

    /**
     * Sets variables of each command.
     *
     * @param value by name
     * @return this
     */
    public Builder environment(Map<String, String> value) {
      environment = Map.copyOf(value);
      return this;
    }

    /**
     * Sets whether it goes on after a failure, and what it runs again.
     *
     * @param value the choices
     * @return this
     */
    public Builder choices(RunOptions value) {
      choices = value;
      return this;
    }

    /**
     * Builds it.
     *
     * @return the request
     */
    public RunRequest build() {
      return new RunRequest(
          workflow,
          mode,
          dataDir,
          uploadDir,
          standIn,
          workers,
          replication,
          master,
          queue,
          environment,
          choices,
          TaskSecrets.NONE);
    }
  }
}
