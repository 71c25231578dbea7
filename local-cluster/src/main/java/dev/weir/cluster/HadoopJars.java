package dev.weir.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that the daemons run from.
 *
 * @param hadoop the directory with the jars of a stock Hadoop and nothing else
 * @param plugins Weir's plugin jars; empty makes a wholly stock cluster
 */
public record HadoopJars(Path hadoop, List<Path> plugins) {
  public HadoopJars {
    hadoop = hadoop.toAbsolutePath().normalize();
    plugins = plugins.stream().map(jar -> jar.toAbsolutePath().normalize()).toList();
  }

  /**
   * A cluster without any plugin.
   *
   * @param hadoop the directory with the jars of a stock Hadoop
   */
  public static HadoopJars stock(Path hadoop) {
    return new HadoopJars(hadoop, List.of());
  }

  /**
   * The jars of an unpacked distribution: {@code hadoop/} and {@code plugins/}.
   *
   * @param home the directory that holds both
   * @throws ClusterException if one of them is missing or empty
   */
  public static HadoopJars ofDistribution(Path home) throws IOException {
    Path plugins = home.resolve("plugins");
    if (!Files.isDirectory(plugins)) {
      throw new ClusterException(
          "No directory " + plugins + ": unpack the whole distribution and run its bin/weir");
    }
    HadoopJars jars = new HadoopJars(home.resolve("hadoop"), jarsIn(plugins));
    jars.hadoopJars();
    return jars;
  }

  /**
   * The jars of {@link #hadoop}, sorted, so that every daemon has the same classpath.
   *
   * @throws ClusterException if there are none
   */
  List<Path> hadoopJars() throws IOException {
    List<Path> jars = Files.isDirectory(hadoop) ? jarsIn(hadoop) : List.of();
    if (jars.isEmpty()) {
      throw new ClusterException(
          "No Hadoop jars in " + hadoop + ": build them (mvn package) or use the distribution");
    }
    return jars;
  }

  private static List<Path> jarsIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
