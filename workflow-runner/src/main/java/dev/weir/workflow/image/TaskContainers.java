package dev.weir.workflow.image;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.model.ContainerImage;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The containers of a worker's commands. Thread-safe. */
public final class TaskContainers implements AutoCloseable {

  /** The key of the runtimes that the administrator of a node allows. */
  public static final String KEY = ContainerRuntimes.KEY;

  /** The value of the key if it is not set. */
  public static final String DEFAULT = ContainerRuntimes.DEFAULT;

  /** Variables by which the processes of a command are found, and killed with the worker. */
  private static final List<String> MARKS =
      List.of("WEIR_WORKER", "WEIR_RUN", "WEIR_TASK", "WEIR_ATTEMPT", "TMPDIR");

  /** Variables that are right for the node's programs and wrong for the image's. */
  private static final List<String> FOREIGN = List.of("JAVA_HOME");

  /** The least memory limit in bytes: with less, no runtime starts a container. */
  private static final long LEAST_MEMORY = 32L << 20;

  private final Worker worker;
  private final Supplier<String> allowed;
  private final ImageStore images;
  private final AtomicLong numbers = new AtomicLong();
  private @Nullable ContainerRuntimes runtimes;

  /** Whether the runtime can limit memory; null until the runtime was asked. */
  private @Nullable Boolean limitsMemory;

  /**
   * The worker.
   *
   * @param id unique on the machine
   * @param node host name of the machine
   * @param memoryBytes memory of all its commands together, in bytes
   * @param application the application's directory, the same for all its workers on the node
   * @param environment variables that commands inherit
   */
  public record Worker(
      String id,
      String node,
      long memoryBytes,
      Path application,
      Map<String, String> environment) {}

  /**
   * Creates the containers of a worker.
   *
   * @param allowed reads the value of {@link #KEY}; called for the first container
   */
  public TaskContainers(Worker worker, Supplier<String> allowed) {
    this.worker = worker;
    this.allowed = allowed;
    this.images = new ImageStore(worker.application());
  }

  /**
   * Prepares the container of an attempt, and loads its image.
   *
   * @throws ContainerException when this node cannot run the container
   */
  public TaskContainer prepare(TaskOrder order, Sandbox sandbox, Map<String, String> environment)
      throws IOException, InterruptedException {
    ContainerImage image = new ContainerImage(order.container());
    RuntimeProgram program = runtimes().choose(image, worker.node());
    String name = program.kind().name(image);
    if (image.isFile()) {
      Path file = sandbox.file(image.text());
      name = program.kind().loads(image) ? images.load(program, file) : file.toString();
    }
    requireHiddenSecrets(order);
    Map<String, String> set = new TreeMap<>(Map.of("HOME", sandbox.temp().toString()));
    SortedSet<String> inherited = new TreeSet<>(MARKS);
    order
        .environment()
        .keySet()
        .forEach(
            variable -> {
              if (worker.environment().containsKey(variable)) {
                // The runtime itself needs its own value.
                set.put(variable, environment.getOrDefault(variable, ""));
              } else {
                inherited.add(variable);
              }
            });
    Map<String, String> own = new HashMap<>(environment);
    own.putAll(worker.environment());
    FOREIGN.forEach(own::remove);
    return new TaskContainer(
        image,
        program,
        new ContainerCommand(
            "weir-" + worker.id() + "-" + numbers.incrementAndGet(),
            name,
            image.isFile(),
            sandbox.root(),
            sandbox.work(),
            inherited,
            set,
            user(),
            memory(order, program),
            order.command()),
        own);
  }

  /** Only the command line of the runtime can set a variable that the runtime itself needs. */
  private void requireHiddenSecrets(TaskOrder order) throws ContainerException {
    for (String variable : TaskSecrets.variables(order.environment())) {
      if (worker.environment().containsKey(variable)) {
        throw new ContainerException(
            Result.FAILED,
            "the variable "
                + variable
                + " of the worker cannot hold a secret in a container, because each user of the"
                + " node would see it: give the secret another name");
      }
    }
  }

  private synchronized ContainerRuntimes runtimes() throws ContainerException {
    ContainerRuntimes known = runtimes;
    if (known == null) {
      known = ContainerRuntimes.of(allowed.get(), worker.environment());
      runtimes = known;
    }
    return known;
  }

  /** Returns the limit in bytes. YARN does not count the memory: the worker is not the parent. */
  private long memory(TaskOrder order, RuntimeProgram program)
      throws IOException, InterruptedException {
    if (!limitsMemory(program)) {
      return 0;
    }
    long needed = order.needs().memoryBytes();
    return Math.max(LEAST_MEMORY, needed == 0 ? worker.memoryBytes() : needed);
  }

  private synchronized boolean limitsMemory(RuntimeProgram program)
      throws IOException, InterruptedException {
    Boolean known = limitsMemory;
    if (known == null) {
      known =
          switch (program.kind()) {
            case APPTAINER -> false;
            case DOCKER -> true;
            case PODMAN ->
                program.call("info", "--format={{.Host.CgroupControllers}}").contains("memory");
          };
      limitsMemory = known;
    }
    return known;
  }

  private static ContainerCommand.User user() throws IOException {
    Map<String, Object> self = Files.readAttributes(Path.of("/proc/self"), "unix:uid,gid");
    return new ContainerCommand.User(number(self, "uid"), number(self, "gid"));
  }

  private static int number(Map<String, Object> attributes, String name) {
    return ((Number) requireNonNull(attributes.get(name))).intValue();
  }

  /** Removes the images unless another worker of the application uses them. */
  @Override
  public void close() {
    images.close();
  }
}
