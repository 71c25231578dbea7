package dev.weir.cli.common;

import dev.weir.workflow.run.WorkerPlan;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of what workers take of their nodes, for all commands that have workers started. */
public final class WorkerOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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
  private @Nullable Integer cache;

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
   * A plan of workers, or that the options make none.
   *
   * @param plan makes it
   * @return the plan
   * @throws ParameterException when a number is too small
   */
  public WorkerPlan checked(Supplier<WorkerPlan> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

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
   * @throws IllegalArgumentException when a number is too small
   */
  public WorkerPlan.Intake intake() {
    if (cache != null && cache < 0) {
      throw new IllegalArgumentException(
          "The cache of a node has "
              + cache
              + " MiB: give 0 or more with --cache, or leave it out");
    }
    return new WorkerPlan.Intake(cache == null ? WorkerPlan.Intake.BY_DISK : cache, large, slots);
  }
}
