package dev.weir.workflow.model;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The resources that a workflow declares for a task, and limits of how it runs.
 *
 * @param cores number of cores; 0 if undeclared
 * @param memoryBytes memory in bytes; 0 if undeclared
 * @param diskBytes disk space of its sandbox in bytes; 0 if undeclared
 * @param timeLimitSeconds an attempt whose command runs longer is killed; 0 for no limit
 * @param singleCopy whether two attempts must not run at the same time
 * @param container the {@linkplain ContainerImage image} that its command runs in; empty for none
 * @param resources amounts of further resource types of YARN, by their names, such as {@link #GPU};
 *     the unit is that of YARN's configuration
 * @param attempts failures of its command after which it has failed permanently; 0 if undeclared
 * @param containers the number of containers in which it runs, as MPI programs do: its command runs
 *     in the first and starts processes in the others; 0 if undeclared, so that one is enough
 */
public record TaskNeeds(
    int cores,
    long memoryBytes,
    long diskBytes,
    long timeLimitSeconds,
    boolean singleCopy,
    String container,
    Map<String, Long> resources,
    int attempts,
    int containers) {

  /** No declared resources. */
  public static final TaskNeeds UNKNOWN = new TaskNeeds(0, 0, 0);

  /** YARN's name of GPUs. */
  public static final String GPU = "yarn.io/gpu";

  /** The maximum number of retries. */
  public static final int MOST_RETRIES = 99;

  /**
   * The maximum number of containers. Beyond it, mpiexec of Open MPI starts daemons by way of
   * others, which have no launcher.
   */
  public static final int MOST_CONTAINERS = 64;

  /** YARN's rule for names of resource types. */
  private static final Pattern RESOURCE_NAME =
      Pattern.compile("([a-zA-Z][\\w.-]*/)?[a-zA-Z][\\w.-]*");

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative, the image is unusable, a resource
   *     type cannot be one of YARN's, there are too many attempts or containers, or several of them
   *     and an image
   */
  public TaskNeeds {
    resources.forEach(TaskNeeds::requireUsable);
    resources = Map.copyOf(resources);
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
    if (attempts < 0 || attempts > MOST_RETRIES + 1) {
      throw new IllegalArgumentException(
          "A task cannot have "
              + attempts
              + " attempts: give 1 to "
              + (MOST_RETRIES + 1)
              + " (0 = not declared)");
    }
    if (containers < 0 || containers > MOST_CONTAINERS) {
      throw new IllegalArgumentException(
          "A task cannot have " + containers + " containers: give 1 to " + MOST_CONTAINERS);
    }
    if (containers > 1 && !container.isEmpty()) {
      throw new IllegalArgumentException(
          "A task with "
              + containers
              + " containers cannot run in an image: remove the image, or the number of containers");
    }
  }

  /**
   * Returns the resources of a task that needs GPUs.
   *
   * @param number how many; 0 for none
   */
  public static Map<String, Long> gpus(long number) {
    return number == 0 ? Map.of() : Map.of(GPU, number);
  }

  private static void requireUsable(String name, long amount) {
    if (!RESOURCE_NAME.matcher(name).matches()
        || name.equals("vcores")
        || name.equals("memory-mb")
        || name.equals("memory")) {
      throw new IllegalArgumentException(
          "'" + name + "' cannot be a resource type: name one of YARN's, such as " + GPU);
    }
    if (amount < 1) {
      throw new IllegalArgumentException(
          "A task cannot need " + amount + " of '" + name + "': give 1 or more");
    }
  }

  private static String checked(String image) {
    return new ContainerImage(image).isFile() ? FileIds.normalize(image) : image;
  }

  /** Creates needs without numbers of attempts and containers. */
  public TaskNeeds(
      int cores,
      long memoryBytes,
      long diskBytes,
      long timeLimitSeconds,
      boolean singleCopy,
      String container,
      Map<String, Long> resources) {
    this(cores, memoryBytes, diskBytes, timeLimitSeconds, singleCopy, container, resources, 0, 0);
  }

  /** Creates needs without an image and further resource types. */
  public TaskNeeds(
      int cores, long memoryBytes, long diskBytes, long timeLimitSeconds, boolean singleCopy) {
    this(cores, memoryBytes, diskBytes, timeLimitSeconds, singleCopy, "", Map.of());
  }

  /** Creates needs without limits. */
  public TaskNeeds(int cores, long memoryBytes, long diskBytes) {
    this(cores, memoryBytes, diskBytes, 0, false);
  }

  private TaskNeeds with(
      long limit, String image, Map<String, Long> amounts, int tries, int number) {
    return new TaskNeeds(
        cores, memoryBytes, diskBytes, limit, singleCopy, image, amounts, tries, number);
  }

  /** Returns a copy without resources, with the same limits. */
  public TaskNeeds withoutResources() {
    return new TaskNeeds(0, 0, 0, timeLimitSeconds, singleCopy, container, Map.of(), attempts, 0);
  }

  /**
   * Returns a copy with a time limit if there is none.
   *
   * @param seconds the limit; 0 for none
   */
  public TaskNeeds orTimeLimit(long seconds) {
    return timeLimitSeconds > 0 ? this : with(seconds, container, resources, attempts, containers);
  }

  /**
   * Returns a copy that runs in another container.
   *
   * @param image the image; empty for none
   * @throws IllegalArgumentException if it is unusable, or there are several containers
   */
  public TaskNeeds withContainer(String image) {
    return with(timeLimitSeconds, image, resources, attempts, containers);
  }

  /** Returns a copy with other amounts of further resource types, by their names. */
  public TaskNeeds withResources(Map<String, Long> amounts) {
    return with(timeLimitSeconds, container, amounts, attempts, containers);
  }

  /**
   * Returns a copy with a number of retries.
   *
   * @param retries how often the task is retried after a failure of its command, at most {@value
   *     #MOST_RETRIES}
   * @throws IllegalArgumentException if the number is negative or too large
   */
  public TaskNeeds withRetries(long retries) {
    if (retries < 0 || retries > MOST_RETRIES) {
      throw new IllegalArgumentException(
          "A task cannot have " + retries + " retries: give 0 to " + MOST_RETRIES);
    }
    return with(timeLimitSeconds, container, resources, (int) retries + 1, containers);
  }

  /**
   * Returns a copy with a number of containers.
   *
   * @param number 1 to {@value #MOST_CONTAINERS}
   * @throws IllegalArgumentException if the number is out of bounds
   */
  public TaskNeeds withContainers(long number) {
    if (number < 1 || number > MOST_CONTAINERS) {
      throw new IllegalArgumentException(
          "A task cannot have " + number + " containers: give 1 to " + MOST_CONTAINERS);
    }
    return with(timeLimitSeconds, container, resources, attempts, (int) number);
  }

  /** Returns the file of the image; empty if there is none, or the runtime of the node has it. */
  public Optional<String> imageFile() {
    return Optional.of(container)
        .filter(image -> !image.isEmpty() && new ContainerImage(image).isFile());
  }
}
