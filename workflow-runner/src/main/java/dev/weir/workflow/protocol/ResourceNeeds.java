package dev.weir.workflow.protocol;

import dev.weir.workflow.model.TaskNeeds;

/**
 * The resources that a task's command needs.
 *
 * @param cores number of cores, at least 1
 * @param memoryBytes bytes of memory; 0 if unknown
 */
public record ResourceNeeds(int cores, long memoryBytes) {

  private static final int MEBI_BITS = 20;

  /** One core and unknown memory. */
  public static final ResourceNeeds ONE_CORE = new ResourceNeeds(1, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if cores is less than 1 or memory is negative
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

  /** Returns the component-wise maximum of these and other needs. */
  public ResourceNeeds atLeast(ResourceNeeds least) {
    return new ResourceNeeds(
        Math.max(cores, least.cores()), Math.max(memoryBytes, least.memoryBytes()));
  }

  /**
   * Returns a copy with at least the given memory.
   *
   * @param bytes bytes of memory, at least 0
   */
  public ResourceNeeds withMemory(long bytes) {
    return bytes <= memoryBytes ? this : new ResourceNeeds(cores, bytes);
  }

  /**
   * Describes the needs.
   *
   * @return such as "2 cores and 512 MiB of memory"
   */
  public String inWords() {
    return inWords(cores, memoryBytes);
  }

  /**
   * Describes cores and memory.
   *
   * @param memoryBytes bytes of memory; omitted if 0 (unknown) or {@link Long#MAX_VALUE}
   *     (unlimited)
   * @return such as "2 cores and 512 MiB of memory"
   */
  public static String inWords(int cores, long memoryBytes) {
    long mebibytes = (memoryBytes >> MEBI_BITS) + (memoryBytes % (1 << MEBI_BITS) == 0 ? 0 : 1);
    boolean hasMemory = memoryBytes > 0 && memoryBytes < Long.MAX_VALUE;
    return cores
        + (cores == 1 ? " core" : " cores")
        + (!hasMemory ? "" : " and " + mebibytes + " MiB of memory");
  }

  /** Returns the needs of a task that declares some of them. The default is one core. */
  public static ResourceNeeds of(TaskNeeds declared) {
    ResourceNeeds needs = new ResourceNeeds(Math.max(1, declared.cores()), declared.memoryBytes());
    // Shares one object, because most tasks declare nothing and there may be many.
    return needs.equals(ONE_CORE) ? ONE_CORE : needs;
  }
}
