package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a worker's container gets as environment variables.
 *
 * @param masterHost host or address of the ApplicationMaster
 * @param masterPatienceMillis how long to search for another ApplicationMaster when that one is
 *     lost, unless the run's directory states it
 * @param rpc settings of the channel to the ApplicationMaster
 * @param fileSystem the HDFS that holds the data
 * @param directory the session's directory in that HDFS
 * @param runs parent of the runs' directories in that HDFS
 * @param replication number of replicas of the run's files; 0 for the node's default
 * @param hints where the worker puts the run's hint set
 * @param inForce whether the NameNode places by that set or may soon do so
 * @param node host name of the own node
 * @param logs the container's log directory
 * @param lastLogs whether only the latest output of commands stays there
 * @param outputHints where a session's worker writes the hints of its outputs; null for a run's
 * @param application the application's directory, the same for all its workers on the node
 * @param cores number of cores that its commands share
 * @param memoryBytes bytes of memory that its commands share
 * @param cache of the node; null when it has none
 * @param ports those that its cache may use
 * @param gangMembers number of further containers of its gang; 0 for none
 * @param gangFirst the first container of its gang, if it is a further one, which runs no tasks;
 *     else empty
 * @param largeBytes size from which reading a file needs a permit; {@link Long#MAX_VALUE} for none
 */
public record WorkerSettings(
    String masterHost,
    int masterPort,
    long masterPatienceMillis,
    RpcConfig rpc,
    URI fileSystem,
    String directory,
    String runs,
    int replication,
    Path hints,
    boolean inForce,
    String worker,
    String node,
    Path logs,
    boolean lastLogs,
    @Nullable Path outputHints,
    Path application,
    int cores,
    long memoryBytes,
    @Nullable Cache cache,
    PortRange ports,
    int gangMembers,
    String gangFirst,
    long largeBytes) {

  /**
   * The cache of a node.
   *
   * @param directory in the application's directory on the container's disk, so that sandboxes can
   *     link to it and YARN removes it with the application
   * @param otherDisks the directories of workers whose sandboxes are on other disks
   * @param megabytes the limit of each in MiB; negative for what the disk allows
   */
  public record Cache(Path directory, List<Path> otherDisks, int megabytes) {

    private static final String NAME = "weir-cache";
  }

  public static final String MASTER_HOST = "WEIR_MASTER_HOST";

  public static final String MASTER_PORT = "WEIR_MASTER_PORT";

  /** How long to search for another ApplicationMaster, in milliseconds. */
  public static final String MASTER_PATIENCE = "WEIR_MASTER_PATIENCE";

  public static final String RPC_PROTECTION = "WEIR_RPC_PROTECTION";

  /** How long a worker may be silent before it is considered lost, in milliseconds. */
  public static final String SILENCE = "WEIR_WORKER_SILENCE";

  public static final String FILE_SYSTEM = "WEIR_FILE_SYSTEM";

  public static final String RUNS = "WEIR_RUNS";

  /** Number of replicas of the run's files, or 0. */
  public static final String REPLICATION = "WEIR_REPLICATION";

  /**
   * Set when the NameNode places by the run's hints: then the worker does not ask the hints
   * service.
   */
  public static final String HINTS_IN_FORCE = "WEIR_HINTS_IN_FORCE";

  /** Set when the session has no end: old output of commands is deleted. */
  public static final String LAST_LOGS = "WEIR_LAST_LOGS";

  public static final String CORES = "WEIR_WORKER_CORES";

  public static final String MEMORY = "WEIR_WORKER_MEMORY";

  /** Limit of a node's cache in MiB; 0 for no cache, negative for what the disk allows. */
  public static final String CACHE = "WEIR_WORKER_CACHE";

  /** Ports of its cache; missing for any. */
  public static final String PORTS = "WEIR_WORKER_PORTS";

  /** Size in MiB from which reading a file needs a permit; 0 for none. */
  public static final String LARGE = "WEIR_LARGE_INPUTS";

  /** Number of further containers of its gang; missing for none. */
  public static final String GANG_MEMBERS = "WEIR_GANG_MEMBERS";

  /** Id of the first container of its gang, in a further one. */
  public static final String GANG_FIRST = "WEIR_GANG_FIRST";

  private static final int MEBI_BITS = 20;

  /**
   * Reads the settings.
   *
   * @param directory the container's own, to which YARN has localised its files
   */
  static WorkerSettings fromEnvironment(Map<String, String> environment, Path directory) {
    return new WorkerSettings(
        require(environment, MASTER_HOST),
        Integer.parseInt(require(environment, MASTER_PORT)),
        Long.parseLong(require(environment, MASTER_PATIENCE)),
        new RpcConfig(
            require(environment, RPC_PROTECTION),
            Duration.ofMillis(Long.parseLong(require(environment, SILENCE)))),
        URI.create(require(environment, FILE_SYSTEM)),
        require(environment, Staging.DIRECTORY_VARIABLE),
        require(environment, RUNS),
        Integer.parseInt(require(environment, REPLICATION)),
        directory.resolve(Staging.HINTS),
        environment.containsKey(HINTS_IN_FORCE),
        require(environment, "CONTAINER_ID"),
        require(environment, "NM_HOST"),
        // YARN may set several, comma-separated; it aggregates any of them.
        Path.of(require(environment, "LOG_DIRS").split(",", 2)[0]),
        environment.containsKey(LAST_LOGS),
        environment.containsKey(LAST_LOGS) ? directory.resolve("output-hints.json") : null,
        Path.of(
            environment.getOrDefault("LOCAL_DIRS", String.valueOf(directory.getParent()))
                .split(",", 2)[0]),
        Integer.parseInt(require(environment, CORES)),
        Long.parseLong(require(environment, MEMORY)),
        cache(environment, directory),
        PortRange.parse(PortRange.WORKER_KEY, environment.getOrDefault(PORTS, "")),
        Integer.parseInt(environment.getOrDefault(GANG_MEMBERS, "0")),
        environment.getOrDefault(GANG_FIRST, ""),
        large(environment));
  }

  private static long large(Map<String, String> environment) {
    long megabytes = Long.parseLong(require(environment, LARGE));
    return megabytes == 0 ? Long.MAX_VALUE : megabytes << MEBI_BITS;
  }

  private static @Nullable Cache cache(Map<String, String> environment, Path directory) {
    int megabytes = Integer.parseInt(require(environment, CACHE));
    if (megabytes == 0) {
      return null;
    }
    List<Path> disks =
        Arrays.stream(require(environment, "LOCAL_DIRS").split(",")).map(Path::of).toList();
    Path here = directory.getParent();
    Path disk =
        disks.stream()
            .filter(one -> here != null && isSame(one, here))
            .findFirst()
            .orElse(disks.get(0));
    List<Path> otherDisks =
        disks.stream()
            .filter(other -> !other.equals(disk))
            .map(other -> other.resolve(Cache.NAME))
            .toList();
    return new Cache(disk.resolve(Cache.NAME), otherDisks, megabytes);
  }

  /** YARN's paths may lead over symbolic links, that of the process does not. */
  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      return one.equals(other);
    }
  }

  private static String require(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalStateException(
          "The environment variable " + name + " is not set: a worker runs in a YARN container");
    }
    return value;
  }
}
