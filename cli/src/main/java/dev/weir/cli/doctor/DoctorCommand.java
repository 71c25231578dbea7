package dev.weir.cli.doctor;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.doctor.RuntimeCheck.Kind;
import dev.weir.hints.WeirVersion;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.delivery.RunRecordSpool;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir doctor}. */
@Command(
    name = "doctor",
    description = {
      "Checks whether a running cluster follows hints.",
      "It checks settings, versions and the hints in effect. It writes files under"
          + " hints of its own to check their placement, and deletes them again."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir doctor",
      "  weir doctor --no-probes --json",
      "",
      "Exit code: 0 nothing is wrong, 1 something keeps hints from being followed."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "Address of the hints service (default: weir.server.url of the cluster).")
  private @Nullable String server;

  @Option(names = "--no-probes", description = "Write no files; check settings and daemons only.")
  private boolean withoutProbes;

  @Option(
      names = "--probes-in",
      paramLabel = "DIR",
      description = "HDFS directory of the probe files (default: your home directory).")
  private @Nullable String probesIn;

  @Option(
      names = "--fix",
      paramLabel = "LOCAL_DIR",
      description =
          "Directory for patched copies of the files of HADOOP_CONF_DIR. They have the settings of"
              + " daemons; fs.hdfs.impl comes last and is not among them.")
  private java.nio.file.@Nullable Path fix;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** For picocli. */
  public DoctorCommand() {}

  @Override
  public Integer call() throws IOException {
    String source = fix == null ? "" : source();
    Configuration configuration = cluster.load();
    if (server != null) {
      configuration.set(ClientSettings.URL_KEY, server);
    }
    requireHdfs(FileSystem.getDefaultUri(configuration));
    UserGroupInformation.setConfiguration(configuration);
    Examination examination;
    try (HttpPages pages = new HttpPages(configuration);
        FileSystem fileSystem = FileSystem.newInstance(configuration);
        HintsClient client = HintsClient.open(configuration)) {
      examination = Examination.of(checks(configuration, pages, fileSystem, client));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        json ? Json.pretty(examination.json()) + System.lineSeparator() : examination.words());
    out.flush();
    if (fix != null) {
      fix(examination, source, fix, spec.commandLine().getErr());
    }
    return examination.isAnythingWrong() ? ExitCode.FAILED : ExitCode.DONE;
  }

  private String source() {
    String source = System.getenv("HADOOP_CONF_DIR");
    if (source == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--fix copies the files of HADOOP_CONF_DIR: set it, for a local cluster by"
              + " eval \"$(weir cluster env)\"");
    }
    return source;
  }

  private static void fix(
      Examination examination, String source, java.nio.file.Path target, PrintWriter out)
      throws IOException {
    List<Finding.Setting> settings =
        examination.remedies().stream()
            .map(Finding::setting)
            .flatMap(Stream::ofNullable)
            .distinct()
            .toList();
    for (java.nio.file.Path file :
        ConfigurationPatch.write(java.nio.file.Path.of(source), target, settings)) {
      out.println("Wrote " + file + ": install it after the jars, before the restart");
    }
  }

  private static void requireHdfs(URI fileSystem) throws IOException {
    if (!"hdfs".equals(fileSystem.getScheme())) {
      throw new IOException(
          "the default file system is "
              + fileSystem
              + ", not HDFS; set HADOOP_CONF_DIR to the configuration of a cluster, start a local one"
              + " with 'weir cluster start', or name one with --cluster DIR");
    }
  }

  private List<Check> checks(
      Configuration configuration, HttpPages pages, FileSystem fileSystem, HintsClient client)
      throws IOException {
    List<Check> checks = new ArrayList<>();
    checks.add(new ClientCheck(configuration));
    checks.addAll(daemons(configuration, pages, fileSystem));
    if (ClientSettings.from(configuration).urls().isEmpty()) {
      return checks;
    }
    checks.add(new ServiceCheck(client));
    checks.add(new HBaseCheck(fileSystem, client));
    checks.add(new SpoolCheck(RunRecordSpool.ofHome(fileSystem)));
    if (!withoutProbes) {
      Instant now = Clock.systemUTC().instant();
      Path home =
          fileSystem.makeQualified(
              probesIn == null ? fileSystem.getHomeDirectory() : new Path(probesIn));
      String owner = UserGroupInformation.getCurrentUser().getShortUserName();
      String name = "weir-doctor-" + now.toEpochMilli();
      ProbesCheck.Files files = new ProbesCheck.Files(fileSystem, configuration);
      checks.add(new ProbesCheck(files, client, new Path(home, name), owner, now));
      checks.add(
          new AttributeCheck(
              fileSystem, client, new Path(home, name + "-attribute"), AttributeCheck.TRIES));
    }
    return checks;
  }

  private static List<Check> daemons(
      Configuration configuration, HttpPages pages, FileSystem fileSystem) throws IOException {
    String version = WeirVersion.of(DoctorCommand.class);
    String home = System.getProperty("weir.home");
    PluginJars own = PluginJars.of(home == null ? null : java.nio.file.Path.of(home));
    List<URI> nameNodes = Daemons.nameNodes(configuration);
    List<URI> resourceManagers = Daemons.resourceManagers(configuration);
    List<Check> checks = new ArrayList<>();
    for (URI nameNode : nameNodes) {
      checks.add(new NameNodeCheck(nameNode, pages, version));
    }
    checks.add(new RuntimeCheck(Kind.NAME_NODES, () -> nameNodes, pages, own));
    checks.add(new ZooKeeperCheck(nameNodes, pages, ZooKeeperCheck::ask));
    if (fileSystem instanceof DistributedFileSystem hdfs) {
      checks.add(new DataNodesCheck(hdfs, Daemons.scheme(configuration), pages));
    }
    checks.add(
        new RuntimeCheck(Kind.DATA_NODES, () -> Daemons.dataNodes(nameNodes, pages), pages, own));
    checks.addAll(ResourceManagerCheck.ofEach(resourceManagers, pages, version));
    checks.add(new RuntimeCheck(Kind.RESOURCE_MANAGERS, () -> resourceManagers, pages, own));
    checks.add(
        new RuntimeCheck(
            Kind.NODE_MANAGERS,
            () -> Daemons.nodeManagers(resourceManagers, nameNodes, pages),
            pages,
            own));
    checks.add(new QueueCheck(configuration, resourceManagers, pages, YarnQueues::new));
    return checks;
  }
}
