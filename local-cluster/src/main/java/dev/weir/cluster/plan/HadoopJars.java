package dev.weir.cluster.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars and the Java runtime of the daemons.
 *
 * @param hadoop the directory with the jars of the stock Hadoop that Weir itself uses and nothing
 *     else
 * @param plugins Weir's plugin jars; empty for a stock cluster
 * @param service the additional class path of Weir's hints service; empty for no service
 * @param daemons the directory with the jars of the stock Hadoop that the daemons run from, which
 *     may be of another version
 * @param java the home of the daemons' Java runtime; the hints service uses this process's own
 */
public record HadoopJars(
    Path hadoop, List<Path> plugins, List<Path> service, Path daemons, Path java) {
  private static final String SERVICE_JAR = "weir-hints-service-";

  public HadoopJars {
    hadoop = absolute(hadoop);
    daemons = absolute(daemons);
    java = absolute(java);
    plugins = plugins.stream().map(HadoopJars::absolute).toList();
    service = service.stream().map(HadoopJars::absolute).toList();
    if (plugins.isEmpty() && !service.isEmpty()) {
      throw new IllegalArgumentException(
          "The hints service needs Weir's plugins: give their jars, or leave out the service");
    }
  }

  /** Creates the jars of a cluster without the hints service. */
  public HadoopJars(Path hadoop, List<Path> plugins) {
    this(hadoop, plugins, List.of());
  }

  /** Creates the jars of a cluster whose daemons run from Weir's own Hadoop and Java. */
  public HadoopJars(Path hadoop, List<Path> plugins, List<Path> service) {
    this(hadoop, plugins, service, hadoop, ownJava());
  }

  /** A copy with daemons of another Hadoop. */
  public HadoopJars withDaemons(Path otherHadoop) {
    return new HadoopJars(hadoop, plugins, service, otherHadoop, java);
  }

  /**
   * A copy with another Java runtime for the daemons.
   *
   * @throws ClusterException if there is none in the directory
   */
  public HadoopJars withJava(Path home) throws ClusterException {
    if (!Files.isExecutable(home.resolve("bin/java"))) {
      throw new ClusterException(
          "No program " + home.resolve("bin/java") + ": give the home of a Java runtime");
    }
    return new HadoopJars(hadoop, plugins, service, daemons, home);
  }

  /** A copy without plugins and service. */
  public HadoopJars withoutPlugins() {
    return new HadoopJars(hadoop, List.of(), List.of(), daemons, java);
  }

  /** The home of this process's Java runtime. */
  public static Path ownJava() {
    return Path.of(System.getProperty("java.home"));
  }

  /** Returns the jars of a cluster without plugins. */
  public static HadoopJars stock(Path hadoop) {
    return new HadoopJars(hadoop, List.of());
  }

  /**
   * Returns the jars of an unpacked distribution: {@code hadoop/}, {@code plugins/}, and {@code
   * lib/} for the hints service.
   *
   * @param home the directory that holds them
   * @throws ClusterException if one of them is missing or empty
   */
  public static HadoopJars ofDistribution(Path home) throws IOException {
    Path plugins = home.resolve("plugins");
    if (!Files.isDirectory(plugins)) {
      throw new ClusterException(
          "No directory " + plugins + ": unpack the whole distribution and run its bin/weir");
    }
    HadoopJars jars =
        new HadoopJars(home.resolve("hadoop"), jarsIn(plugins), serviceJars(home.resolve("lib")));
    jars.hadoopJars();
    return jars;
  }

  /**
   * Returns the jars of {@link #hadoop}. They are sorted, so that every daemon has the same class
   * path.
   *
   * @throws ClusterException if there are none
   */
  public List<Path> hadoopJars() throws IOException {
    return existingJars(hadoop);
  }

  /**
   * Returns the sorted jars of {@link #daemons}.
   *
   * @throws ClusterException if there are none
   */
  public List<Path> daemonJars() throws IOException {
    return existingJars(daemons);
  }

  private static List<Path> existingJars(Path directory) throws IOException {
    List<Path> jars = Files.isDirectory(directory) ? jarsIn(directory) : List.of();
    if (jars.isEmpty()) {
      throw new ClusterException(
          "No Hadoop jars in " + directory + ": build them (mvn package) or use the distribution");
    }
    return jars;
  }

  private static List<Path> serviceJars(Path lib) throws IOException {
    List<Path> jars = Files.isDirectory(lib) ? jarsIn(lib) : List.of();
    boolean service =
        jars.stream().anyMatch(jar -> jar.getFileName().toString().startsWith(SERVICE_JAR));
    return service ? jars : List.of();
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  static List<Path> jarsIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
