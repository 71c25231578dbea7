package dev.weir.workflow.staging;

import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.time.Duration;

/**
 * The workers of a run.
 *
 * @param count number of workers; 0 for one on each node
 * @param megabytes memory of each container in MiB; the worker itself keeps {@link #OWN_MEGABYTES}
 * @param ahead tasks that each worker queues beyond those that it runs
 * @param staffing when tasks wait for workers and idle workers are released
 * @param intake how nodes read inputs
 * @param cluster what the cluster has for dedicated workers
 */
public record WorkerPlan(
    int count,
    int cores,
    int megabytes,
    int ahead,
    Staffing staffing,
    Intake intake,
    ClusterResources cluster) {

  /** Memory of the worker's own process in its container, in MiB. */
  public static final int OWN_MEGABYTES = 384;

  /**
   * Seconds of idleness until a worker is released: a minute, because starting a container takes a
   * few seconds.
   */
  public static final int IDLE_SECONDS = 60;

  /** One worker on each node, with one core and 1 GiB. Idle workers are released. */
  public static final WorkerPlan DEFAULT = new WorkerPlan(0, 1, 1024, WorkerSize.AHEAD);

  private static final int MEBI_BITS = 20;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a worker has no room for a task
   */
  public WorkerPlan {
    if (count < 0) {
      throw new IllegalArgumentException(
          "workers is " + count + ": give a number, or 0 for one on each node");
    }
    if (cores < 1) {
      throw new IllegalArgumentException("A worker has " + cores + " cores: give 1 or more");
    }
    if (megabytes <= OWN_MEGABYTES) {
      throw new IllegalArgumentException(
          "A worker has "
              + megabytes
              + " MiB and takes "
              + OWN_MEGABYTES
              + " for itself: give it more");
    }
    if (ahead < 0) {
      throw new IllegalArgumentException(
          "A worker is given " + ahead + " tasks ahead: give 0 or more");
    }
    if (count > 0 && staffing.least() > count) {
      throw new IllegalArgumentException(
          staffing.least()
              + " workers stay idle at least, of "
              + count
              + ": give at most their number");
    }
  }

  /**
   * When tasks wait for workers, and when idle workers are released.
   *
   * @param patienceMillis how long no task is assigned while workers are missing, in milliseconds;
   *     0 to start with the first worker
   * @param least number of workers that stay although they are idle
   * @param idleSeconds seconds of idleness until a worker is released
   */
  public record Staffing(long patienceMillis, int least, int idleSeconds) {

    /** Tasks start with the first worker, and all idle workers are released. */
    public static final Staffing DEFAULT = new Staffing(0, 0, IDLE_SECONDS);

    /**
     * Validates the components.
     *
     * @throws IllegalArgumentException if a number is too small
     */
    public Staffing {
      if (patienceMillis < 0) {
        throw new IllegalArgumentException(
            "Tasks cannot wait for workers for " + patienceMillis + " ms: give 0 or more");
      }
      if (least < 0) {
        throw new IllegalArgumentException(least + " workers stay idle at least: give 0 or more");
      }
      if (idleSeconds < 1) {
        throw new IllegalArgumentException(
            "A worker is released after " + idleSeconds + " s without work: give 1 or more");
      }
    }
  }

  /**
   * How nodes read inputs.
   *
   * @param cacheMegabytes disk space of a node's cache for inputs, in MiB; 0 for none, {@link
   *     #BY_DISK} to derive it from the free space
   * @param largeMegabytes size in MiB from which on an input waits for a slot of the node that it
   *     is read from
   * @param slots number of such inputs that are read from one node at a time; 0 for any number
   */
  public record Intake(int cacheMegabytes, int largeMegabytes, int slots) {

    /** The cache gets half of the free disk space at the start of the first worker of a node. */
    public static final int BY_DISK = -1;

    /**
     * Files of this size take two seconds over a link of 1 Gbit/s, so their readers wait for each
     * other.
     */
    public static final int LARGE = 256;

    /** Two transfers keep a link busy when one of them waits for a disk. */
    public static final int SLOTS = 2;

    /** The cache depends on the free disk space, and transfers of large files are coordinated. */
    public static final Intake DEFAULT = new Intake(BY_DISK);

    /**
     * Validates the components.
     *
     * @throws IllegalArgumentException if a number is too small
     */
    public Intake {
      if (cacheMegabytes < BY_DISK) {
        throw new IllegalArgumentException(
            "The cache of a node has " + cacheMegabytes + " MiB: give 0 or more");
      }
      if (largeMegabytes < 1) {
        throw new IllegalArgumentException(
            "Inputs are large from " + largeMegabytes + " MiB on: give 1 or more");
      }
      if (slots < 0) {
        throw new IllegalArgumentException(
            "A node serves " + slots + " readers of large files: give 0 for any number, or more");
      }
    }

    /**
     * Creates an intake with the transfer limits of {@link #DEFAULT}.
     *
     * @param cacheMegabytes disk space of a node's cache, in MiB
     */
    public Intake(int cacheMegabytes) {
      this(cacheMegabytes, LARGE, SLOTS);
    }

    /**
     * Returns how tasks read files that are not on their node.
     *
     * @param bytesPerSecond bytes per second of a node's link
     */
    public FetchModel fetching(long bytesPerSecond) {
      return new FetchModel(
          bytesPerSecond,
          cacheMegabytes != 0,
          slots == 0 ? Long.MAX_VALUE : FetchModel.CHAINED_BYTES,
          false);
    }
  }

  public WorkerPlan(int count, int cores, int megabytes, int ahead) {
    this(count, cores, megabytes, ahead, Staffing.DEFAULT, Intake.DEFAULT, ClusterResources.NONE);
  }

  /** Returns a copy with another number of workers. */
  public WorkerPlan withCount(int number) {
    return new WorkerPlan(
        number,
        cores,
        megabytes,
        ahead,
        new Staffing(
            staffing.patienceMillis(), Math.min(staffing.least(), number), staffing.idleSeconds()),
        intake,
        cluster);
  }

  /**
   * Returns a copy with workers of another size.
   *
   * @param workerMegabytes memory of each container in MiB
   */
  public WorkerPlan withSize(int workerCores, int workerMegabytes) {
    return new WorkerPlan(count, workerCores, workerMegabytes, ahead, staffing, intake, cluster);
  }

  /**
   * Limits the number of workers to that of tasks, unless tasks may add others. Further workers
   * would be idle and cost the ApplicationMaster memory. One worker per node stays allowed, for
   * second attempts of stragglers.
   */
  public WorkerPlan usefulFor(Workflow workflow, int nodes) {
    if (workflow.tasks().stream().anyMatch(task -> SubWorkflow.is(task.command()))) {
      return this;
    }
    int useful = Math.max(workflow.tasks().size(), nodes);
    return count <= useful ? this : withCount(useful);
  }

  /**
   * Returns a copy in which tasks wait until all workers have started. Otherwise late workers would
   * find the tasks with local files already assigned.
   */
  public WorkerPlan withPatience(Duration longest) {
    return with(new Staffing(longest.toMillis(), staffing.least(), staffing.idleSeconds()));
  }

  /**
   * Returns a copy with other limits of idle workers.
   *
   * @param fewest number of workers that stay although they are idle
   * @param seconds seconds of idleness until a worker is released
   */
  public WorkerPlan elastic(int fewest, int seconds) {
    return with(new Staffing(staffing.patienceMillis(), fewest, seconds));
  }

  /** Returns a copy with another intake. */
  public WorkerPlan with(Intake other) {
    return new WorkerPlan(count, cores, megabytes, ahead, staffing, other, cluster);
  }

  private WorkerPlan with(Staffing other) {
    return new WorkerPlan(count, cores, megabytes, ahead, other, intake, cluster);
  }

  /** Returns a copy for a cluster with other resources. */
  public WorkerPlan with(ClusterResources other) {
    return new WorkerPlan(count, cores, megabytes, ahead, staffing, intake, other);
  }

  public WorkerSize size() {
    return new WorkerSize(cores, taskBytes(megabytes), ahead, cluster);
  }

  /** Returns the memory of the container of a dedicated worker, in MiB. */
  public int megabytes(ResourceNeeds dedicated) {
    return dedicated.memoryBytes() == 0
        ? megabytes
        : (int) Math.min(Integer.MAX_VALUE, containerMegabytes(dedicated.memoryBytes()));
  }

  /** Returns the memory in MiB of a container whose tasks have the given bytes. */
  public static long containerMegabytes(long taskBytes) {
    return (taskBytes >> MEBI_BITS) + (taskBytes % (1 << MEBI_BITS) == 0 ? 0 : 1) + OWN_MEGABYTES;
  }

  /** Returns the memory in bytes that a worker of the given MiB has for its tasks. */
  public static long taskBytes(int megabytes) {
    return (long) (megabytes - OWN_MEGABYTES) << MEBI_BITS;
  }
}
