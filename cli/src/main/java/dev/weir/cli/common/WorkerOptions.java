package dev.weir.cli.common;

import dev.weir.workflow.staging.WorkerPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the resources of workers, for all commands that start workers. */
public final class WorkerOptions {

  @Option(
      names = "--worker-memory",
      paramLabel = "MIB",
      description =
          "Memory of each worker's container in MiB (default: 1024; in 'weir run' without"
              + " --worker-cores as much as the largest task needs, if that is more). The worker"
              + " keeps 384 MiB of it for itself.")
  private @Nullable Integer memory;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description =
          "Largest size of each node's cache, in MiB; 0 for none (default: half of the disk space"
              + " that is free until YARN's limit, which is also the most; none in stock mode).")
  private @Nullable Integer cache;

  @Option(
      names = "--large",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "Smallest size in MiB of a large input (default: ${DEFAULT-VALUE}). Large inputs wait for"
              + " a slot of the node that they are read from.")
  private int large;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many large inputs are read from one node at a time (default: ${DEFAULT-VALUE}). 0"
              + " removes the limit and reads from HDFS only, as stock mode does.")
  private int slots;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many tasks are assigned to a worker beyond those that it runs; 0 for none (default:"
              + " ${DEFAULT-VALUE}). The worker stages their inputs in the meantime.")
  private int lookAhead;

  /**
   * Returns the plan of the workers.
   *
   * @param count number of workers; 0 for one on each node
   * @throws IllegalArgumentException if a number is too small
   */
  public WorkerPlan plan(int count, int cores) {
    int megabytes = memory == null ? WorkerPlan.DEFAULT.megabytes() : memory;
    return new WorkerPlan(count, cores, megabytes, lookAhead).with(intake());
  }

  /**
   * Returns the number of workers for a plan.
   *
   * @param given the option's value; null if it was not given
   * @return the number; 0 for one on each node
   * @throws IllegalArgumentException if it is less than 1
   */
  public static int count(@Nullable Integer given) {
    if (given != null && given < 1) {
      throw new IllegalArgumentException(
          "--workers " + given + ": give 1 or more, or leave it out for one on each node");
    }
    return given == null ? 0 : given;
  }

  /** Whether the memory of workers was given. */
  public boolean hasMemory() {
    return memory != null;
  }

  /**
   * Returns the idle time after which a worker is released, in seconds.
   *
   * @return at least 1, at most {@link Integer#MAX_VALUE}
   */
  public static int idleSeconds(Duration idle) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, idle.toSeconds()));
  }

  private WorkerPlan.Intake intake() {
    if (cache != null && cache < 0) {
      throw new IllegalArgumentException(
          "The cache of a node has "
              + cache
              + " MiB: give 0 or more with --cache, or leave it out");
    }
    return new WorkerPlan.Intake(cache == null ? WorkerPlan.Intake.BY_DISK : cache, large, slots);
  }
}
