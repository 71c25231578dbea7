package dev.weir.workflow.protocol;

import dev.weir.workflow.model.TaskNeeds;

/**
 * What a task needs of its worker while its command runs.
 *
 * @param cores how many, at least 1
 * @param memoryBytes bytes of memory; 0 when nothing is known
 */
public record ResourceNeeds(int cores, long memoryBytes) {

  private static final int MEBI_BITS = 20;

  /** One core, and nothing said about memory. */
  public static final ResourceNeeds ONE_CORE = new ResourceNeeds(1, 0);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when there is no core or less than no memory
   */
  public ResourceNeeds {
    if (cores < 1) {
      throw new IllegalArgumentException("A task needs " + cores + " cores: give 1 or more");
    }
    if (memoryBytes < 0) {
      throw new IllegalArgumentException(
          "A task needs " + memoryBytes + " bytes of memory: give 0 (unknown) or more");
    }
  }

  /**
   * The same with at least what others are.
   *
   * @param least so many cores and so much memory at least
   * @return the needs
   */
  public ResourceNeeds atLeast(ResourceNeeds least) {
    return new ResourceNeeds(
        Math.max(cores, least.cores()), Math.max(memoryBytes, least.memoryBytes()));
  }

  /**
   * The same with at least so much memory.
   *
   * @param bytes of memory, at least 0
   * @return the needs
   */
  public ResourceNeeds withMemory(long bytes) {
    return bytes <= memoryBytes ? this : new ResourceNeeds(cores, bytes);
  }

  /**
   * The needs for a person.
   *
   * @return such as "2 cores and 512 MiB of memory"
   */
  public String inWords() {
    return inWords(cores, memoryBytes);
  }

  /**
   * Cores and memory for a person.
   *
   * @param cores how many cores
   * @param memoryBytes bytes of memory; 0 when nothing is known, {@link Long#MAX_VALUE} without a
   *     limit: nothing is said of either
   * @return such as "2 cores and 512 MiB of memory"
   */
  public static String inWords(int cores, long memoryBytes) {
    long mebibytes = (memoryBytes >> MEBI_BITS) + (memoryBytes % (1 << MEBI_BITS) == 0 ? 0 : 1);
    boolean told = memoryBytes > 0 && memoryBytes < Long.MAX_VALUE;
    return cores
        + (cores == 1 ? " core" : " cores")
        + (!told ? "" : " and " + mebibytes + " MiB of memory");
  }

  /**
   * What a task needs as far as it is declared; one core where nothing is.
   *
   * @param declared what is declared
   * @return what is needed
   */
  public static ResourceNeeds of(TaskNeeds declared) {
    ResourceNeeds needs = new ResourceNeeds(Math.max(1, declared.cores()), declared.memoryBytes());
    // Most tasks declare nothing, and there may be very many.
    return needs.equals(ONE_CORE) ? ONE_CORE : needs;
  }
}
