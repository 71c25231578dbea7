package dev.weir.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The unpacked distribution of this build.
 *
 * @param home the folder with {@code bin}, {@code lib}, {@code plugins} and {@code hadoop}
 */
public record Distribution(Path home) {

  /** The distribution in the directory of the system property {@code weir.home}. */
  public static Distribution built() {
    String home = System.getProperty("weir.home");
    if (home == null || !Files.isDirectory(Path.of(home))) {
      throw new IllegalStateException(
          "No distribution at weir.home=" + home + ": build it with 'mvn -pl cli -am package'");
    }
    return new Distribution(Path.of(home));
  }

  /** The three plugin jars. */
  public List<Path> plugins() {
    return jars("plugins");
  }

  /** The jars of a stock Hadoop. */
  public List<Path> hadoopJars() {
    return jars("hadoop");
  }

  /** The launcher. */
  public Path weir() {
    return home.resolve("bin/weir");
  }

  private List<Path> jars(String folder) {
    try (Stream<Path> files = Files.list(home.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
