package dev.weir.cluster.process;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.config.NodeEnvironment;
import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HadoopRelease;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Starts processes on the nodes of a cluster. */
public final class ProcessLauncher {
  /** The packages that Hadoop accesses by reflection on JDK 17, as in its own launcher script. */
  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.net",
          "java.base/java.io",
          "java.base/java.nio",
          "java.base/sun.nio.ch",
          "java.base/java.lang.reflect",
          "java.base/java.text");

  private static final int CLIENT_HEAP_MEGABYTES = 256;

  private final ClusterPlan plan;
  private final NodeHost host;
  private final NodeEnvironment environment;

  public ProcessLauncher(ClusterPlan plan, NodeHost host) {
    this.plan = plan;
    this.host = host;
    this.environment = new NodeEnvironment(plan);
  }

  /** The class path entry with this module's own classes: its jar, or its build directory. */
  public static String runtime() {
    try {
      return Path.of(
              ProcessLauncher.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Cannot find the jar of local-cluster", e);
    }
  }

  /** Starts a daemon in its own session, so that it does not receive the signals of a terminal. */
  public Process start(Daemon daemon) throws IOException {
    ClusterFiles files = plan.files();
    Path javaHome = daemon.kind() == DaemonKind.HINTS ? HadoopJars.ownJava() : plan.jars().java();
    List<String> java = new ArrayList<>();
    java.add(javaHome + "/bin/java");
    java.addAll(javaOptions(daemon.node(), daemon.kind().heapMegabytes()));
    java.add("-XX:+ExitOnOutOfMemoryError");
    java.add("-XX:ErrorFile=" + files.logs().resolve(daemon.name() + ".crash"));
    java.add(
        "-Dlog4j.configuration=" + files.clientConf().resolve("log4j-daemon.properties").toUri());
    if (daemon.kind() == DaemonKind.KMS) {
      java.add("-Dkms.config.dir=" + files.nodeConf(daemon.node()));
    }
    java.add(daemon.kind().mainClass());
    java.addAll(daemon.arguments());
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(host.enter(daemon.node(), java));
    ProcessBuilder builder = new ProcessBuilder(command);
    environment.apply(builder.environment(), daemon.node());
    builder.environment().put(NodeEnvironment.DAEMON, daemon.name());
    builder.environment().put("CLASSPATH", classpath(daemon));
    builder.directory(files.node(daemon.node()).toFile());
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(files.log(daemon.name()).toFile()));
    return builder.start();
  }

  /** Builds a command on a node without starting it. */
  public ProcessBuilder command(String node, List<String> argv) {
    ProcessBuilder builder = new ProcessBuilder(host.enter(node, argv));
    environment.apply(builder.environment(), node);
    return builder;
  }

  /** Builds a Java program with Hadoop's classes on a node without starting it. */
  public ProcessBuilder java(String node, String mainClass, List<String> arguments)
      throws IOException {
    List<String> java = new ArrayList<>();
    java.add(plan.jars().java() + "/bin/java");
    java.addAll(javaOptions(node, CLIENT_HEAP_MEGABYTES));
    java.add(mainClass);
    java.addAll(arguments);
    ProcessBuilder builder = command(node, java);
    // An option sets the hosts file; the variable would make the JVM print a line.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("CLASSPATH", classpath(node, plan.jars().daemonJars(), List.of()));
    return builder;
  }

  private String classpath(Daemon daemon) throws IOException {
    return switch (daemon.kind()) {
      case HINTS -> classpath(daemon.node(), plan.jars().hadoopJars(), plan.jars().service());
      // The KMS has the jars of its own release, without the plugins.
      case KMS ->
          HadoopRelease.kms().directory()
              + "/*"
              + File.pathSeparator
              + plan.files().nodeConf(daemon.node());
      default -> classpath(daemon.node(), plan.jars().daemonJars(), List.of());
    };
  }

  /**
   * Hadoop's jars, the plugins and this module. The conf directory is last, where the class data
   * archive allows it.
   */
  private String classpath(String node, List<Path> hadoop, List<Path> additional) {
    List<Path> entries = new ArrayList<>(hadoop);
    entries.addAll(plan.jars().plugins());
    entries.addAll(additional);
    entries.addAll(List.of(Path.of(runtime()), plan.files().nodeConf(node), plan.files().web()));
    return entries.stream()
        .distinct()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private List<String> javaOptions(String node, int heapMegabytes) {
    List<String> java = new ArrayList<>();
    java.add("-Xmx" + heapMegabytes + "m");
    // Many small processes share few cores: a cheap start matters more than peak speed.
    java.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k"));
    // The file would remain when the process is killed.
    java.add("-XX:-UsePerfData");
    OPENS.forEach(open -> java.add("--add-opens=" + open + "=ALL-UNNAMED"));
    java.add("-Djava.net.preferIPv4Stack=true");
    java.add("-Djava.io.tmpdir=" + plan.files().nodeTmp(node));
    java.add("-Djdk.net.hosts.file=" + plan.files().nodeHosts(node));
    if (plan.servers().secure()) {
      java.add(KerberosConfig.javaOption(plan));
    }
    return java;
  }
}
