package dev.weir.cli.common;

import dev.weir.workflow.staging.WorkerPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of what workers take of their nodes, for all commands that have workers started. */
public final class WorkerOptions {

  @Option(
      names = "--worker-memory",
      paramLabel = "MIB",
      defaultValue = "1024",
      description =
          "Memory of each worker's container in MiB (default: ${DEFAULT-VALUE}). The worker keeps"
              + " 384 MiB of it for itself.")
  private int memory;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description =
          "Size of each node's cache of inputs, in MiB; 0 for none (default: half of the disk space"
              + " that is free when the node's first worker starts; none in stock mode).")
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

  /**
   * Workers that take of their nodes what was given, or left out.
   *
   * @param count how many; 0 for one on each node
   * @param cores cores of each
   * @param ahead how many tasks each is given beyond those that it runs
   * @return the plan
   * @throws IllegalArgumentException when a number is too small
   */
  public WorkerPlan plan(int count, int cores, int ahead) {
    return new WorkerPlan(count, cores, memory, ahead).with(intake());
  }

  /**
   * After how many seconds without work a worker is let go.
   *
   * @param idle as it was given
   * @return one at least, and no more than such a plan can say: that is 68 years
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
