package dev.weir.workflow.client;

import dev.weir.workflow.yarn.ClusterJava;
import dev.weir.workflow.yarn.JavaContainer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An image of this process's Java, for containers on nodes whose own Java is too old. It is made
 * once by {@code jlink} and kept in a local directory, and uploaded once into a directory of the
 * user that is named after its content.
 */
final class JavaImage {
  private static final Logger LOG = LoggerFactory.getLogger(JavaImage.class);
  private static final String BELOW_HOME = ".weir/java";
  private static final String MODULES =
      "java.se,jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,"
          + "jdk.security.jgss,jdk.unsupported,jdk.zipfs";

  private final Path java;
  private final Path cache;

  /**
   * Creates an image of a Java runtime.
   *
   * @param java its home directory
   * @param cache a local directory for images; created if missing
   */
  JavaImage(Path java, Path cache) {
    this.java = java;
    this.cache = cache;
  }

  /** An image of this process's Java, kept in the user's home directory. */
  static JavaImage ofThisProcess() {
    return new JavaImage(
        Path.of(System.getProperty("java.home")),
        Path.of(System.getProperty("user.home"), ".cache", "weir"));
  }

  /**
   * Sets the image's path in HDFS in a configuration, if that asks for an image ({@link
   * JavaContainer#OWN_RUNTIME}), or if it says nothing and the Java of the cluster is too old.
   */
  void resolve(Configuration conf, DistributedFileSystem fs, Clock clock) throws IOException {
    String setting = WorkflowRunner.site(conf).getTrimmed(JavaContainer.ARCHIVE_KEY, "");
    if (setting.equals(JavaContainer.OWN_RUNTIME) || (setting.isEmpty() && isTooOld(conf))) {
      Path image = make();
      org.apache.hadoop.fs.Path directory =
          new SharedJars(fs, BELOW_HOME, clock).put(List.of(image));
      conf.set(
          JavaContainer.ARCHIVE_KEY,
          new org.apache.hadoop.fs.Path(directory, image.getFileName().toString()).toString());
    }
  }

  /** Whether the cluster's Java is too old, and there is an image or the means to make one. */
  private boolean isTooOld(Configuration conf) {
    int version = ClusterJava.version(URI.create(WebAppUtils.getRMWebAppURLWithScheme(conf)));
    boolean canBeMade = Files.exists(image()) || Files.isExecutable(jlink());
    boolean isTooOld = version > 0 && version < ClusterJava.NEEDED && canBeMade;
    if (isTooOld) {
      LOG.info(
          "The cluster has Java {}: containers get an image of this client's Java, as with {} = {}",
          version,
          JavaContainer.ARCHIVE_KEY,
          JavaContainer.OWN_RUNTIME);
    }
    return isTooOld;
  }

  private Path image() {
    return cache.resolve(
        "java-" + Runtime.version() + "-" + System.getProperty("os.arch") + ".tar.gz");
  }

  private Path jlink() {
    return java.resolve("bin").resolve("jlink");
  }

  /** Returns the local image, which is made if it does not exist. */
  Path make() throws IOException {
    Path image = image();
    if (Files.exists(image)) {
      return image;
    }
    Path jlink = jlink();
    if (!Files.isExecutable(jlink)) {
      throw new IOException(
          java
              + " has no jlink, which makes an image of Java for the nodes: start weir with a JDK,"
              + " or set "
              + JavaContainer.ARCHIVE_KEY
              + " to an archive in HDFS");
    }
    LOG.info("Making an image of {} for the containers; this happens once", java);
    Files.createDirectories(cache);
    Path work = Files.createTempDirectory(cache, "image");
    Path fresh = work.resolve("image.tar.gz");
    try {
      String runtime = work.resolve("java").toString();
      run(
          List.of(
              jlink.toString(),
              "--output",
              runtime,
              "--add-modules",
              MODULES,
              "--strip-debug",
              "--no-header-files",
              "--no-man-pages"));
      run(List.of("tar", "-C", runtime, "-czf", fresh.toString(), "."));
      Files.move(fresh, image, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      run(List.of("rm", "-rf", work.toString()));
    }
    return image;
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + output.strip());
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an image of Java was made");
    }
  }
}
