package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.yarn.ClusterJava;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Java, the Hadoop and the Weir jars of a running daemon.
 *
 * @param java Java's version, such as 8 or 17; 0 if unknown
 * @param hadoop Hadoop's version; empty if unknown
 * @param jars paths of Weir's jars in its class path
 */
record DaemonRuntime(int java, String hadoop, List<String> jars) {
  /** The bean that Java itself has in each daemon. */
  static final String BEAN = "java.lang:type=Runtime";

  private static final Pattern HADOOP = Pattern.compile("hadoop-common-([^/:]+?)\\.jar(?::|$)");
  private static final Pattern JAR =
      Pattern.compile(
          ".*/(weir-(?:hints-api|hdfs-placement|yarn-scheduler))(?:-(\\d[^/]*))?\\.jar");

  /** A class file of version 52 needs Java 8, one of 61 Java 17. */
  private static final int CLASS_VERSION_OF_JAVA_0 = 44;

  DaemonRuntime {
    jars = List.copyOf(jars);
  }

  /** Returns the runtime that Java's own bean of a daemon describes. */
  static DaemonRuntime of(JsonNode bean) {
    String path = bean.path("ClassPath").asText();
    Matcher hadoop = HADOOP.matcher(path);
    String version = "";
    while (hadoop.find()) {
      // hadoop-common-3.4.3-tests.jar may be there, too.
      if (!hadoop.group(1).endsWith("-tests")) {
        version = hadoop.group(1);
      }
    }
    List<String> jars = new ArrayList<>();
    for (String entry : path.split(":", -1)) {
      if (JAR.matcher(entry).matches()) {
        jars.add(entry);
      }
    }
    return new DaemonRuntime(ClusterJava.feature(bean.path("SpecVersion").asText()), version, jars);
  }

  /**
   * Compares the version of Weir in a daemon with that of this client.
   *
   * @param bean the daemon's metrics MBean
   * @param own the version of this client
   */
  static void compare(JsonNode bean, String own, Findings findings) {
    String version = bean.path("tag.Version").asText("an older version");
    if (version.equals(own)) {
      findings.fine("runs Weir " + version);
    } else {
      findings.note(
          "runs Weir " + version + ", this client is " + own,
          "bring the jars to one version; daemons may be a version ahead of clients");
    }
  }

  /** Returns the Java that class files of a version need. */
  static int javaOf(int classVersion) {
    return classVersion - CLASS_VERSION_OF_JAVA_0;
  }

  /** Returns the name of a jar's file. */
  static String file(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the name of a jar without its version. */
  static String name(String path) {
    Matcher jar = JAR.matcher("/" + file(path));
    return jar.matches() ? jar.group(1) : file(path);
  }

  private static String version(String path) {
    Matcher jar = JAR.matcher("/" + file(path));
    return jar.matches() && jar.group(2) != null ? jar.group(2) : "";
  }

  /** Returns whether a jar is in the class path. */
  boolean has(String name) {
    return jars.stream().anyMatch(jar -> name(jar).equals(name));
  }

  /** Returns the paths of the jars that are not alone with their name. */
  List<String> repeated() {
    return jars.stream()
        .filter(jar -> jars.stream().filter(other -> name(other).equals(name(jar))).count() > 1)
        .toList();
  }

  /** Returns the different versions of the jars. */
  TreeSet<String> versions() {
    return jars.stream().map(DaemonRuntime::version).collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public String toString() {
    String files =
        jars.stream()
            .map(DaemonRuntime::file)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return "Java "
        + (java == 0 ? "?" : java)
        + ", Hadoop "
        + (hadoop.isEmpty() ? "?" : hadoop)
        + ", "
        + (files.isEmpty() ? "no jar of Weir" : files);
  }
}
