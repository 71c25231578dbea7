package dev.weir.workflow.model;

/**
 * The resources that a workflow declares for a task.
 *
 * @param cores number of cores; 0 if undeclared
 * @param memoryBytes memory in bytes; 0 if undeclared
 * @param diskBytes disk space of its sandbox in bytes; 0 if undeclared
 */
public record TaskNeeds(int cores, long memoryBytes, long diskBytes) {

  /** No declared resources. */
  public static final TaskNeeds UNKNOWN = new TaskNeeds(0, 0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public TaskNeeds {
    if (cores < 0 || memoryBytes < 0 || diskBytes < 0) {
      throw new IllegalArgumentException(
          "A task cannot need "
              + cores
              + " cores, "
              + memoryBytes
              + " bytes of memory and "
              + diskBytes
              + " of disk: give 0 or more each (0 = not declared)");
    }
  }
}
