package dev.weir.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ServerCommandTest {
  @Test
  void commandLineOverridesTheConfiguration() {
    Configuration base = new Configuration(false);
    base.set("weir.server.http-address", "127.0.0.1:9880");
    base.set("weir.server.admins", "ann");
    ServerCommand command = parsed("--port", "0", "-D", "weir.server.admins=ben");
    Configuration configuration = command.configured(base);
    assertThat(configuration.get("weir.server.http-address")).isEqualTo("127.0.0.1:0");
    assertThat(configuration.get("weir.server.admins")).isEqualTo("ben");
    assertThat(base.get("weir.server.admins")).isEqualTo("ann");
  }

  @Test
  void withoutOptionsTheConfigurationIsUnchanged() {
    Configuration base = new Configuration(false);
    assertThat(parsed().configured(base).get("weir.server.http-address")).isNull();
  }

  @Test
  void invalidPortIsWrongUsage() {
    Ran ran = Ran.weir("server", "--port", "70000");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--port is 70000");
  }

  @Test
  void missingZooKeeperIsReportedInOneLineWithRemedy() {
    Ran ran = Ran.weir("server", "--port", "0", "-D", "weir.zookeeper.quorum=");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("weir.zookeeper.quorum is not set").hasLineCount(1);
  }

  private static ServerCommand parsed(String... options) {
    ServerCommand command = new ServerCommand();
    new CommandLine(command).parseArgs(options);
    return command;
  }
}
