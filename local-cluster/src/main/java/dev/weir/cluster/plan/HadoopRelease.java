package dev.weir.cluster.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;

/**
 * The jars of a released Hadoop, which Maven fetches once for each user.
 *
 * @param directory the directory with the jars and nothing else
 */
public record HadoopRelease(Path directory) {
  private static final String VERSION = "\\d+\\.\\d+\\.\\d+";

  /** The newest release whose KMS is in Maven Central. */
  private static final String KMS_VERSION = "3.4.3";

  private static final String COPY =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

  /**
   * Returns the jars of a release from the user's cache directory, or fetches them.
   *
   * @param version such as {@code 3.4.3}
   * @throws ClusterException if there is no Maven, or Maven fails
   */
  public static HadoopRelease of(String version) throws IOException {
    if (!version.matches(VERSION)) {
      throw new ClusterException(
          "'" + version + "' is not a version of Hadoop; write one such as 3.4.3");
    }
    return of(version, version, "hadoop-release.xml");
  }

  /**
   * Returns the jars of Hadoop's key management server from the cache directory, or fetches them.
   */
  public static HadoopRelease kms() throws IOException {
    return of("kms-" + KMS_VERSION, KMS_VERSION, "hadoop-kms.xml");
  }

  private static HadoopRelease of(String name, String version, String template) throws IOException {
    Path cache = cache();
    Path directory = cache.resolve(name);
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(cache);
      Path work = Files.createTempDirectory(cache, name + ".");
      fetch(version, template, work);
      if (!Files.isDirectory(directory)) {
        // The name appears only with all jars.
        Files.move(work.resolve("jars"), directory);
      }
      FileUtil.fullyDelete(work.toFile());
    }
    return new HadoopRelease(directory);
  }

  /** The jars, sorted. */
  public List<Path> jars() throws IOException {
    return HadoopJars.jarsIn(directory);
  }

  private static Path cache() {
    String base = System.getenv("XDG_CACHE_HOME");
    Path caches =
        base == null || base.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(base);
    return caches.resolve("weir").resolve("hadoop");
  }

  private static void fetch(String version, String template, Path work) throws IOException {
    if (!ProgramLookup.missing(List.of("mvn")).isEmpty()) {
      throw new ClusterException(
          "Maven, which fetches Hadoop "
              + version
              + ", is missing: install it (apt-get install maven)");
    }
    Path pom = work.resolve("pom.xml");
    Files.writeString(pom, project(version, template));
    Path log = work.resolve("mvn.log");
    Process maven =
        new ProcessBuilder(
                "mvn",
                "-B",
                "-ntp",
                "-f",
                pom.toString(),
                COPY,
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + work.resolve("jars"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int code;
    try {
      code = maven.waitFor();
    } catch (InterruptedException e) {
      maven.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while Maven fetched Hadoop " + version);
    }
    if (code != 0) {
      throw new ClusterException("Maven cannot fetch Hadoop " + version + ": see " + log);
    }
  }

  private static String project(String version, String template) throws IOException {
    try (InputStream pom = HadoopRelease.class.getResourceAsStream(template)) {
      if (pom == null) {
        throw new IllegalStateException(template + " is not in the jar");
      }
      return new String(pom.readAllBytes(), StandardCharsets.UTF_8).replace("@VERSION@", version);
    }
  }
}
