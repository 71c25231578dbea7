package dev.weir.workflow.model;

/**
 * What a task wants of the machine that it runs on, as its workflow declares it.
 *
 * @param cores how many cores; 0 when not declared
 * @param memoryBytes how much memory, in bytes; 0 when not declared
 * @param diskBytes how much space in its sandbox, in bytes; 0 when not declared
 */
public record TaskNeeds(int cores, long memoryBytes, long diskBytes) {

  /** Nothing is declared. */
  public static final TaskNeeds UNKNOWN = new TaskNeeds(0, 0, 0);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when one of them is negative
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
