package dev.weir.workflow.protocol;

import dev.weir.workflow.model.TaskNeeds;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources that a task's command needs.
 *
 * @param cores number of cores, at least 1
 * @param memoryBytes bytes of memory; 0 if unknown
 * @param resources amounts of further resource types of YARN, by their names
 * @param members the number of further containers of its gang, each with the same; 0 for none
 */
public record ResourceNeeds(int cores, long memoryBytes, Map<String, Long> resources, int members) {

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
    resources = Map.copyOf(resources);
  }

  /** Needs of cores and memory only. */
  public ResourceNeeds(int cores, long memoryBytes) {
    this(cores, memoryBytes, Map.of());
  }

  public ResourceNeeds(int cores, long memoryBytes, Map<String, Long> resources) {
    this(cores, memoryBytes, resources, 0);
  }

  /** Whether only a dedicated worker can have it, whatever the size of the others. */
  public boolean needDedicatedWorker() {
    return !resources.isEmpty() || members > 0;
  }

  /** Returns the component-wise maximum of these and other needs. */
  public ResourceNeeds atLeast(ResourceNeeds least) {
    Map<String, Long> most = resources;
    if (!least.resources.isEmpty()) {
      most = new HashMap<>(resources);
      for (Map.Entry<String, Long> amount : least.resources.entrySet()) {
        most.merge(amount.getKey(), amount.getValue(), Math::max);
      }
    }
    return new ResourceNeeds(
        Math.max(cores, least.cores()),
        Math.max(memoryBytes, least.memoryBytes()),
        most,
        Math.max(members, least.members()));
  }

  /**
   * Returns a copy with at least the given memory.
   *
   * @param bytes bytes of memory, at least 0
   */
  public ResourceNeeds withMemory(long bytes) {
    return bytes <= memoryBytes ? this : new ResourceNeeds(cores, bytes, resources, members);
  }

  /**
   * Describes the needs.
   *
   * @return such as "2 cores and 512 MiB of memory, and 1 of yarn.io/gpu"
   */
  public String inWords() {
    StringBuilder words = new StringBuilder();
    if (members > 0) {
      words.append(members + 1).append(" containers, each with ");
    }
    words.append(inWords(cores, memoryBytes));
    new TreeMap<>(resources)
        .forEach(
            (name, amount) -> words.append(", and ").append(amount).append(" of ").append(name));
    return words.toString();
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
    ResourceNeeds needs =
        new ResourceNeeds(
            Math.max(1, declared.cores()),
            declared.memoryBytes(),
            declared.resources(),
            Math.max(0, declared.containers() - 1));
    // Shares one object, because most tasks declare nothing and there may be many.
    return needs.equals(ONE_CORE) ? ONE_CORE : needs;
  }
}
