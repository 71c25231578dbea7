package dev.weir.workflow.staging;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.WorkerSize;
import java.time.Duration;

/**
 * The workers of a run.
 *
 * @param count how many; 0 for one on each node
 * @param cores cores of each
 * @param megabytes memory of each container in MiB; the worker itself keeps {@link #OWN_MEGABYTES}
 * @param ahead how many tasks each is given beyond those that it runs
 * @param staffing who is waited for, and who is let go
 * @param intake how inputs come to a node
 */
public record WorkerPlan(
    int count, int cores, int megabytes, int ahead, Staffing staffing, Intake intake) {

  /** What the worker's own process takes of its container, in MiB. */
  public static final int OWN_MEGABYTES = 384;

  /** A minute: starting a container costs a few seconds. */
  public static final int IDLE_SECONDS = 60;

  /** One on each node, with one core and 1 GiB, none of which has to stay without work. */
  public static final WorkerPlan DEFAULT = new WorkerPlan(0, 1, 1024, WorkerSize.AHEAD);

  private static final int MEBI_BITS = 20;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a worker has no room for a task
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
          staffing.least() + " workers stay at least, of " + count + ": give no more than all");
    }
  }

  /**
   * When workers are waited for and let go.
   *
   * @param patienceMillis how long no task is given to anybody while workers are missing, in
   *     milliseconds; 0 to begin with the first
   * @param least how many stay although they have nothing to do
   * @param idleSeconds after how many seconds without anything to do a worker is let go
   */
  public record Staffing(long patienceMillis, int least, int idleSeconds) {

    /** The first begins at once, and none need stay without work. */
    public static final Staffing DEFAULT = new Staffing(0, 0, IDLE_SECONDS);

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when a number is too small
     */
    public Staffing {
      if (patienceMillis < 0) {
        throw new IllegalArgumentException(
            "Tasks cannot wait for workers for " + patienceMillis + " ms: give 0 or more");
      }
      if (least < 0) {
        throw new IllegalArgumentException(least + " workers stay at least: give 0 or more");
      }
      if (idleSeconds < 1) {
        throw new IllegalArgumentException(
            "A worker is let go after " + idleSeconds + " s without work: give 1 or more");
      }
    }
  }

  /**
   * How inputs come to a node.
   *
   * @param cacheMegabytes how much of a node's disk may hold inputs for the next task that reads
   *     them, in MiB; 0 for none, {@link #BY_DISK} for what the disk allows
   * @param largeMegabytes from which size on an input waits for its turn to be read from another
   *     node, in MiB
   * @param slots how many such inputs are read from one node at a time; 0 for any number
   */
  public record Intake(int cacheMegabytes, int largeMegabytes, int slots) {

    /** A cache of half of what is free on the disk when the first worker of a node starts. */
    public static final int BY_DISK = -1;

    /** Files of this size take two seconds over a link of 1 Gbit/s: waiting is worth asking. */
    public static final int LARGE = 256;

    /** Two keep a link busy when one of them waits for a disk. */
    public static final int SLOTS = 2;

    /** As the disk allows, and large files in turns. */
    public static final Intake DEFAULT = new Intake(BY_DISK);

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when the size of the cache is negative
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
     * Large files in the turns of {@link #DEFAULT}.
     *
     * @param cacheMegabytes how much of a node's disk may hold inputs
     */
    public Intake(int cacheMegabytes) {
      this(cacheMegabytes, LARGE, SLOTS);
    }
  }

  /**
   * Workers of which the first begins at once and none need stay without work.
   *
   * @param count how many; 0 for one on each node
   * @param cores cores of each
   * @param megabytes memory of each container in MiB
   * @param ahead how many tasks each is given beyond those that it runs
   */
  public WorkerPlan(int count, int cores, int megabytes, int ahead) {
    this(count, cores, megabytes, ahead, Staffing.DEFAULT, Intake.DEFAULT);
  }

  /**
   * The same with another number of workers.
   *
   * @param number how many
   * @return the plan
   */
  public WorkerPlan withCount(int number) {
    return new WorkerPlan(
        number,
        cores,
        megabytes,
        ahead,
        new Staffing(
            staffing.patienceMillis(), Math.min(staffing.least(), number), staffing.idleSeconds()),
        intake);
  }

  /**
   * More workers than tasks have nothing to do, but for one on each node, where a straggler may be
   * begun again; and for each an ApplicationMaster has something in mind.
   */
  public WorkerPlan usefulFor(Workflow workflow, int nodes) {
    int most = Math.max(workflow.tasks().size(), nodes);
    return count <= most ? this : withCount(most);
  }

  /**
   * The same, with tasks that wait until all workers are there: those that come late would find the
   * first tasks gone from the nodes that hold their files.
   *
   * @param longest how long they wait at most
   * @return the plan
   */
  public WorkerPlan withPatience(Duration longest) {
    return with(new Staffing(longest.toMillis(), staffing.least(), staffing.idleSeconds()));
  }

  /**
   * The same with other bounds.
   *
   * @param fewest how many stay although they have nothing to do
   * @param seconds after how many seconds without anything to do one is let go
   * @return the plan
   */
  public WorkerPlan elastic(int fewest, int seconds) {
    return with(new Staffing(staffing.patienceMillis(), fewest, seconds));
  }

  /**
   * The same with inputs that come otherwise.
   *
   * @param other how
   * @return the plan
   */
  public WorkerPlan with(Intake other) {
    return new WorkerPlan(count, cores, megabytes, ahead, staffing, other);
  }

  private WorkerPlan with(Staffing other) {
    return new WorkerPlan(count, cores, megabytes, ahead, other, intake);
  }

  /**
   * What there is room for in each.
   *
   * @return the size
   */
  public WorkerSize size() {
    return new WorkerSize(cores, taskBytes(megabytes), ahead);
  }

  /** The memory that a worker of so many MiB has for its tasks, in bytes. */
  public static long taskBytes(int megabytes) {
    return (long) (megabytes - OWN_MEGABYTES) << MEBI_BITS;
  }
}
