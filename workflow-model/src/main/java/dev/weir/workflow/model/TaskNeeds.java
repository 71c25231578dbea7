package dev.weir.workflow.model;

import java.util.Optional;

/**
 * The resources that a workflow declares for a task, and limits of how it runs.
 *
 * @param cores number of cores; 0 if undeclared
 * @param memoryBytes memory in bytes; 0 if undeclared
 * @param diskBytes disk space of its sandbox in bytes; 0 if undeclared
 * @param timeLimitSeconds an attempt whose command runs longer is killed; 0 for no limit
 * @param singleCopy whether two attempts must not run at the same time
 * @param container the {@linkplain ContainerImage image} that its command runs in; empty for none
 */
public record TaskNeeds(
    int cores,
    long memoryBytes,
    long diskBytes,
    long timeLimitSeconds,
    boolean singleCopy,
    String container) {

  /** No declared resources. */
  public static final TaskNeeds UNKNOWN = new TaskNeeds(0, 0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative or the image is unusable
   */
  public TaskNeeds {
    if (!container.isEmpty()) {
      container = checked(container);
    }
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
    if (timeLimitSeconds < 0) {
      throw new IllegalArgumentException(
          "A task cannot have the time limit " + timeLimitSeconds + " s: give 0 (none) or more");
    }
  }

  private static String checked(String image) {
    return new ContainerImage(image).isFile() ? FileIds.normalize(image) : image;
  }

  /**
   * Creates needs without a container.
   *
   * @param cores number of cores; 0 if undeclared
   * @param memoryBytes memory in bytes; 0 if undeclared
   * @param diskBytes disk space of its sandbox in bytes; 0 if undeclared
   * @param timeLimitSeconds an attempt whose command runs longer is killed; 0 for no limit
   * @param singleCopy whether two attempts must not run at the same time
   */
  public TaskNeeds(
      int cores, long memoryBytes, long diskBytes, long timeLimitSeconds, boolean singleCopy) {
    this(cores, memoryBytes, diskBytes, timeLimitSeconds, singleCopy, "");
  }

  /**
   * Creates needs without limits.
   *
   * @param cores number of cores; 0 if undeclared
   * @param memoryBytes memory in bytes; 0 if undeclared
   * @param diskBytes disk space of its sandbox in bytes; 0 if undeclared
   */
  public TaskNeeds(int cores, long memoryBytes, long diskBytes) {
    this(cores, memoryBytes, diskBytes, 0, false);
  }

  /** Returns a copy without resources, with the same limits. */
  public TaskNeeds withoutResources() {
    return new TaskNeeds(0, 0, 0, timeLimitSeconds, singleCopy, container);
  }

  /**
   * Returns a copy with a time limit if there is none.
   *
   * @param seconds the limit; 0 for none
   */
  public TaskNeeds orTimeLimit(long seconds) {
    return timeLimitSeconds > 0
        ? this
        : new TaskNeeds(cores, memoryBytes, diskBytes, seconds, singleCopy, container);
  }

  /**
   * Returns a copy that runs in another container.
   *
   * @param image the image; empty for none
   */
  public TaskNeeds withContainer(String image) {
    return new TaskNeeds(cores, memoryBytes, diskBytes, timeLimitSeconds, singleCopy, image);
  }

  /** Returns the file of the image; empty if there is none, or the runtime of the node has it. */
  public Optional<String> imageFile() {
    return Optional.of(container)
        .filter(image -> !image.isEmpty() && new ContainerImage(image).isFile());
  }
}
