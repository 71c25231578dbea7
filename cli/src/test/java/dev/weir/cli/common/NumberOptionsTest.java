package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.cli.Ran;
import dev.weir.cli.run.RefusedRun;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Wrong numbers in options of {@code weir run} and {@code weir session start}. */
class NumberOptionsTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "--replication, 0, give 1 or more",
    "--replication, -3, give 1 or more",
    "--workers, -1, 'give 1 or more, or leave it out'",
    "--workers, 0, 'give 1 or more, or leave it out'",
    "--worker-cores, 0, give 1 or more",
    "--worker-memory, 384, give it more",
    "--look-ahead, -1, give 0 or more",
    "--cache, -1, 'give 0 or more with --cache, or leave it out'",
    "--large, 0, give 1 or more",
    "--slots, -1, give 0 for any number",
    "--priority, -1, give 0 or more with --priority",
    "--queue, ' ', name one with --queue",
    "--master-memory, 511, give it 512 or more with --master-memory",
  })
  void areRefusedBeforeTheClusterIsContacted(String option, String number, String said)
      throws Exception {
    assertThat(RefusedRun.errorOf(directory, option, number)).contains(said);

    Ran session = Ran.weir("session", "start", option, number);
    assertThat(session.code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(session.err()).contains(said);
  }

  @Test
  void hugeIdleTimeIsLimited() {
    assertThat(WorkerOptions.idleSeconds(Duration.ofDays(99_999))).isEqualTo(Integer.MAX_VALUE);
    assertThat(WorkerOptions.idleSeconds(Duration.ofMinutes(2))).isEqualTo(120);
    assertThat(WorkerOptions.idleSeconds(Duration.ofMillis(1))).isEqualTo(1);
  }

  /** A command with this mixin only. */
  @Command
  private static final class Replicated {
    @Mixin private ReplicationOption replication;
  }

  @ParameterizedTest
  @CsvSource({"513, , 512", "1, 2, 512", "9, 2, 8"})
  void replicationIsWithinTheNameNodesRange(String replication, @Nullable String least, int most) {
    Configuration conf = new Configuration(false);
    if (least != null) {
      conf.set("dfs.namenode.replication.min", least);
      conf.setInt("dfs.replication.max", most);
    }
    Replicated given = CommandLine.populateCommand(new Replicated(), "--replication", replication);
    assertThatExceptionOfType(CommandLine.ParameterException.class)
        .isThrownBy(() -> given.replication.requireWithin(conf))
        .withMessageContaining("--replication " + replication + ": the cluster takes ")
        .withMessageContaining(" to " + most + " ");
    CommandLine.populateCommand(new Replicated(), "--replication", "3")
        .replication
        .requireWithin(conf);
    CommandLine.populateCommand(new Replicated()).replication.requireWithin(conf);
  }
}
