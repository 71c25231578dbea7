package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.plan.ClusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process that creates directories in a secure HDFS ends with the start of the cluster. */
class HdfsSetupTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path dir;
  private Path log = Path.of("");

  @BeforeEach
  void writeLog() throws IOException {
    log = Files.writeString(dir.resolve("hdfs-directories.log"), "no ticket\n");
  }

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }

  @Test
  void processThatHangsIsEnded() throws Exception {
    Process hangs = shell("sleep 600; true");

    assertThatThrownBy(() -> HdfsSetup.await(hangs, Duration.ZERO, log))
        .isInstanceOf(ClusterException.class)
        .hasMessageContainingAll("not done after 0 s", log.toString(), "no ticket");
    assertThat(hangs.waitFor()).isNotZero();
  }

  @Test
  void processIsEndedWhenTheStartIsInterrupted() throws Exception {
    Process hangs = shell("sleep 600; true");

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> HdfsSetup.await(hangs, LONG, log))
        .isInstanceOf(InterruptedException.class);
    assertThat(hangs.waitFor()).isNotZero();
  }

  @Test
  void failureNamesTheLog() throws Exception {
    Process fails = shell("exit 3");

    assertThatThrownBy(() -> HdfsSetup.await(fails, LONG, log))
        .isInstanceOf(ClusterException.class)
        .hasMessageContainingAll("exit code 3", log.toString(), "no ticket");
  }

  @Test
  void successIsSilent() throws Exception {
    Process succeeds = shell("exit 0");

    assertThatCode(() -> HdfsSetup.await(succeeds, LONG, log)).doesNotThrowAnyException();
  }
}
