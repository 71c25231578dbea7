package dev.weir.cli.common;

import dev.weir.workflow.run.WorkerPlan;
import picocli.CommandLine.Option;

/** The options of what workers take of their nodes, for all commands that have workers started. */
public final class WorkerOptions {

  @Option(
      names = "--worker-memory",
      paramLabel = "MIB",
      defaultValue = "1024",
      description =
          "Memory of each worker's container in MiB, of which it keeps 384 for itself"
              + " (default: ${DEFAULT-VALUE}).")
  private int memory;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description =
          "How much of a node's disk may hold inputs that are read several times, in MiB; 0 for"
              + " none (default: half of what is free when the first worker comes to the node;"
              + " none in stock mode).")
  private int cache = WorkerPlan.Intake.BY_DISK;

  @Option(
      names = "--large",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "From which size on an input waits for its turn to be read from another node, in MiB"
              + " (default: ${DEFAULT-VALUE}).")
  private int large;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many large inputs are read from one node at a time, those from its cache included; 0"
              + " for any number from HDFS alone, as in stock mode (default: ${DEFAULT-VALUE}).")
  private int slots;

  /**
   * The memory of a worker's container.
   *
   * @return in MiB, as it was given
   */
  public int megabytes() {
    return memory;
  }

  /**
   * How inputs come to workers.
   *
   * @return what was given or left out
   */
  public WorkerPlan.Intake intake() {
    return new WorkerPlan.Intake(cache, large, slots);
  }
}
