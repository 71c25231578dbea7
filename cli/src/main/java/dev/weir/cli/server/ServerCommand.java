package dev.weir.cli.server;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ExitCode;
import dev.weir.service.HintsServer;
import dev.weir.service.ServerMain;
import dev.weir.service.ServiceSettings;
import dev.weir.service.WeirConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "server",
    description = {
      "Runs the hints service in the foreground, until Ctrl-C or SIGTERM.",
      "It is configured by weir-site.xml, beside hdfs-site.xml in HADOOP_CONF_DIR."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir server",
      "  weir server --embedded-zookeeper /var/lib/weir/zookeeper --port 9880",
      "  weir server -D weir.server.admins=ann,ben",
      "",
      "Exit code: 1 when it cannot start, 2 wrong usage; 130 after Ctrl-C."
    })
public final class ServerCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--embedded-zookeeper",
      paramLabel = "DIR",
      description =
          "Start an embedded ZooKeeper with its data in this directory (default: use the"
              + " servers of weir.zookeeper.quorum).")
  private @Nullable Path embeddedZooKeeper;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "HTTP port (default: the port of weir.server.http-address).")
  private @Nullable Integer port;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Property of the configuration; may be repeated.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    speakUp();
    ServerMain.run(configured(cluster.load()), embeddedZooKeeper, this::announce);
    return ExitCode.DONE;
  }

  /** Returns the configuration, overridden by the command line. */
  Configuration configured(Configuration base) {
    Configuration configuration = new Configuration(base);
    configuration.addResource(WeirConfiguration.SITE);
    properties.forEach(configuration::set);
    if (port != null) {
      if (port < 0 || port > MAX_PORT) {
        throw new ParameterException(
            spec.commandLine(),
            "--port is " + port + "; write 1 to " + MAX_PORT + ", or 0 for any");
      }
      String address = ServiceSettings.HTTP_ADDRESS.from(configuration);
      String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
      configuration.set(ServiceSettings.HTTP_ADDRESS.key(), host + ":" + port);
    }
    return configuration;
  }

  private void announce(HintsServer server) {
    PrintWriter out = spec.commandLine().getOut();
    server.uris().forEach(uri -> out.println("The hints service is at " + uri));
    out.flush();
  }

  /**
   * Raises the log level, because clients log warnings or errors only. A level that was set for
   * Weir stays.
   */
  private static void speakUp() {
    Logger weir = LogManager.getLogger("dev.weir");
    if (weir.getLevel() == null && weir.getEffectiveLevel().isGreaterOrEqual(Level.WARN)) {
      weir.setLevel(Level.INFO);
    }
    if (LogManager.getRootLogger().getEffectiveLevel().isGreaterOrEqual(Level.ERROR)) {
      LogManager.getRootLogger().setLevel(Level.WARN);
      // Its warning about native code is irrelevant and would be the first line of the log.
      LogManager.getLogger("org.apache.hadoop.util.NativeCodeLoader").setLevel(Level.ERROR);
    }
  }
}
