package dev.weir.bench.series;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.util.VersionInfo;

/**
 * Identifies the measured software by a hash of the classes in Weir's jars that run on a cluster.
 */
public final class SoftwareVersion {
  /** The name of a distribution that does not exist. */
  public static final String UNKNOWN = "unknown";

  /** Jars of the client and of a service that these clusters do not have. */
  private static final List<String> EXCLUDED = List.of("weir-cli-", "weir-hints-service-");

  private static final String PREFIX = "weir-";
  private static final int DIGITS = 12;

  private SoftwareVersion() {}

  /**
   * Returns the parameters that all compared runs share in every experiment.
   *
   * @param own the parameters that the experiment adds
   * @param home of the unpacked distribution
   * @throws IOException if a jar of it cannot be read
   */
  public static SeriesParameters parameters(SeriesParameters own, Path home) throws IOException {
    return own.with("software", of(home))
        .with("hadoop", VersionInfo.getVersion())
        .with("java", System.getProperty("java.version"))
        .with("processors", Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns the identifier.
   *
   * @param home of the unpacked distribution
   * @throws IOException if a jar of it cannot be read
   */
  public static String of(Path home) throws IOException {
    List<Path> jars = new ArrayList<>(jars(home.resolve("plugins")));
    jars.addAll(jars(home.resolve("lib")));
    if (jars.isEmpty()) {
      return UNKNOWN;
    }
    MessageDigest sum = sha256();
    for (Path jar : jars) {
      add(jar, sum);
    }
    return HexFormat.of().formatHex(sum.digest()).substring(0, DIGITS);
  }

  private static List<Path> jars(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(SoftwareVersion::counts).sorted().toList();
    }
  }

  private static boolean counts(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(PREFIX)
        && name.endsWith(".jar")
        && EXCLUDED.stream().noneMatch(name::startsWith);
  }

  /** Adds a jar without build metadata and timestamps. */
  private static void add(Path jar, MessageDigest sum) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .filter(entry -> !entry.isDirectory() && !entry.getName().startsWith("META-INF/"))
          .sorted(Comparator.comparing(ZipEntry::getName))
          .map(entry -> entry.getName() + " " + entry.getSize() + " " + entry.getCrc() + "\n")
          .forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
