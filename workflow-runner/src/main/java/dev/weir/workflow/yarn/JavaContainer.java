package dev.weir.workflow.yarn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A YARN container that runs one of the runner's main classes, with the runner's jars before the
 * cluster's own Hadoop.
 *
 * @param heapMegabytes maximum heap size in MiB
 * @param environment variables of its own
 */
public record JavaContainer(String mainClass, int heapMegabytes, Map<String, String> environment) {
  /**
   * An archive in HDFS with a Java runtime, which YARN unpacks once a node for each user; {@link
   * #OWN_RUNTIME}, {@link #NODES_RUNTIME}, or empty for the node's own Java if it is recent enough,
   * else as {@link #OWN_RUNTIME}.
   */
  public static final String ARCHIVE_KEY = "weir.java.archive";

  /** The value with which the client makes an image of its own Java. */
  public static final String OWN_RUNTIME = "auto";

  /** The value with which the node's own Java is used, whatever its version. */
  public static final String NODES_RUNTIME = "cluster";

  /** The directory in a container to which YARN links the unpacked archive. */
  private static final String UNPACKED = "java-runtime";

  /**
   * In the minimal locale that a NodeManager may have, Java and the C library replace characters
   * beyond ASCII in file names.
   */
  private static final String UTF8_LOCALE = "C.UTF-8";

  /**
   * VFORK starts a command in half the time of the default, a helper program. With tiny tasks a
   * worker has nearly ended before Java has compiled its code, so compilation starts after fewer
   * calls. An even lower threshold would slow its start down. The bytecode of jars that are already
   * trusted is not verified, which is a tenth of the processor time of a start.
   */
  private static final String JVM_OPTIONS =
      "-Djdk.lang.Process.launchMechanism=VFORK -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
          + " -XX:CompileThresholdScaling=0.3"
          + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
          + " -Dlog4j.configuration=container-log4j.properties"
          + " -Dyarn.app.container.log.filesize=0 -Dhadoop.root.logger=INFO,CLA -Dhadoop.root.logfile=syslog";

  /** Copies the map. */
  public JavaContainer {
    environment = Map.copyOf(environment);
  }

  /**
   * Returns how YARN starts it.
   *
   * @param conf contains the class path of Hadoop's jars
   * @param files localised from HDFS into its directory; jars are on its class path
   * @param credentials authenticate it; may be empty
   */
  public ContainerLaunchContext launchContext(
      Configuration conf, List<FileStatus> files, Credentials credentials) throws IOException {
    Map<String, LocalResource> resources = new LinkedHashMap<>();
    for (FileStatus file : files) {
      resources.put(
          file.getPath().getName(),
          LocalResource.newInstance(
              URL.fromPath(file.getPath()),
              LocalResourceType.FILE,
              visibility(file),
              file.getLen(),
              file.getModificationTime()));
    }
    String setting = conf.getTrimmed(ARCHIVE_KEY, "");
    String archive = setting.equals(NODES_RUNTIME) ? "" : setting;
    if (!archive.isEmpty()) {
      resources.put(UNPACKED, archive(new Path(archive), conf));
    }
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("LC_ALL", UTF8_LOCALE);
    if (!UserGroupInformation.isSecurityEnabled()) {
      // Without Kerberos the container would act as the NodeManager's user.
      variables.put("HADOOP_USER_NAME", UserGroupInformation.getCurrentUser().getShortUserName());
    }
    variables.put(Environment.CLASSPATH.name(), classPath(conf, resources));
    return ContainerLaunchContext.newInstance(
        resources, variables, List.of(command(setting)), Map.of(), bytes(credentials), Map.of());
  }

  private static LocalResource archive(Path path, Configuration conf) throws IOException {
    FileStatus file = path.getFileSystem(conf).getFileStatus(path);
    return LocalResource.newInstance(
        URL.fromPath(file.getPath()),
        LocalResourceType.ARCHIVE,
        LocalResourceVisibility.PRIVATE,
        file.getLen(),
        file.getModificationTime());
  }

  /** Not shared by containers, because sending the buffer consumes it. */
  private static @Nullable ByteBuffer bytes(Credentials credentials) throws IOException {
    if (credentials.numberOfTokens() == 0 && credentials.numberOfSecretKeys() == 0) {
      return null;
    }
    DataOutputBuffer bytes = new DataOutputBuffer();
    credentials.writeTokenStorageToStream(bytes);
    return ByteBuffer.wrap(bytes.getData(), 0, bytes.getLength());
  }

  /** All runs have the same jars: PRIVATE files stay on a node for later containers of the user. */
  private static LocalResourceVisibility visibility(FileStatus file) {
    return file.getPath().getName().endsWith(".jar")
        ? LocalResourceVisibility.PRIVATE
        : LocalResourceVisibility.APPLICATION;
  }

  private static String classPath(Configuration conf, Map<String, LocalResource> resources) {
    List<String> entries = new ArrayList<>();
    for (String name : resources.keySet()) {
      if (name.endsWith(".jar")) {
        entries.add(Environment.PWD.$$() + "/" + name);
      }
    }
    for (String entry :
        conf.getTrimmedStrings(
            YarnConfiguration.YARN_APPLICATION_CLASSPATH,
            YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH)) {
      entries.add(entry);
    }
    return String.join(ApplicationConstants.CLASS_PATH_SEPARATOR, entries);
  }

  private String command(String setting) {
    String logs = ApplicationConstants.LOG_DIR_EXPANSION_VAR;
    boolean isNodes = setting.isEmpty() || setting.equals(NODES_RUNTIME);
    String home = isNodes ? Environment.JAVA_HOME.$$() : Environment.PWD.$$() + "/" + UNPACKED;
    String check = isNodes ? checkVersion(home, logs) : check(setting, home, logs);
    return (setting.equals(NODES_RUNTIME) ? "" : check)
        + "exec "
        + home
        + "/bin/java -Xmx"
        + heapMegabytes
        + "m "
        + JVM_OPTIONS
        + " -Dyarn.app.container.log.dir="
        + logs
        + " "
        + mainClass
        + " 1>"
        + logs
        + "/stdout 2>"
        + logs
        + "/stderr";
  }

  /**
   * Ends the container if the node's Java is known to be too old. Reads a file of the runtime:
   * starting Java takes longer.
   */
  private static String checkVersion(String home, String logs) {
    String version =
        "$(sed -n 's/^JAVA_VERSION=.\\([0-9._]*\\).*/\\1/p' " + home + "/release 2>/dev/null)";
    return "case v"
        + version
        + " in v1.*|v8*|v9*|v1[0-6]*) echo 'The Java of this node ("
        + home
        + ") is '"
        + version
        + "', and Weir needs 17: set weir.java.archive to auto, or to an archive with a Java for"
        + " $(uname -m) and $(ldd --version 2>&1 | head -n 1)' >>"
        + logs
        + "/stderr; exit 1;; esac; ";
  }

  /**
   * A runtime of another C library or processor fails with a message that names neither. YARN puts
   * the command between double quotes, so it has none itself.
   */
  private static String check(String archive, String home, String logs) {
    return home
        + "/bin/java -version 2>"
        + logs
        + "/stderr || { echo 'The Java of "
        + archive
        + " (weir.java.archive) does not run on $(uname -m) with $(ldd --version 2>&1 | head -n 1):"
        + " make the archive on a machine like this node' >>"
        + logs
        + "/stderr; exit 1; }; ";
  }
}
