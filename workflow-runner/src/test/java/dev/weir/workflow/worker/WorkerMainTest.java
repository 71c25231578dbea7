package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerMainTest {
  @TempDir private Path directory;

  @Test
  void runWithoutHintsReadsNone() throws Exception {
    assertThat(client("0").get(PlainHdfs.HINTS_KEY)).isEqualTo("false");
  }

  @Test
  void hintsInForceAreReadFromTheFileBesideTheWorker() throws Exception {
    FileSystem store = FileSystem.getLocal(new Configuration());
    Path session = Files.createDirectory(directory.resolve("session"));
    Path target = directory.resolve("hints.json");
    WorkerMain.copyHints(store, session.toString(), target);
    assertThat(target).as("the run has none").doesNotExist();
    Files.writeString(session.resolve("hints.json"), "{}");
    WorkerMain.copyHints(store, session.toString(), target);
    assertThat(target).hasContent("{}");
    assertThat(client("0").get("weir.client.hints.file")).as("the file is unknown").isNull();
    assertThat(client("0").get(PlainHdfs.HINTS_KEY)).isEqualTo("false");

    environment.put(WorkerSettings.HINTS_IN_FORCE, "true");

    assertThat(client("0").get("weir.client.hints.file"))
        .isEqualTo(directory.resolve("hints.json").toString());
    assertThat(client("0").get(PlainHdfs.HINTS_KEY)).isNull();
  }

  @Test
  void hintsThatCannotBeReadAreLeftOut() throws Exception {
    HdfsRetry once = new HdfsRetry(Duration.ZERO, millis -> {});
    Path target = Files.writeString(directory.resolve("hints.json"), "{");

    WorkerMain.tryHints(
        once,
        () -> {
          throw new IOException("a block has no replica");
        },
        "/session",
        target);

    assertThat(target).doesNotExist();
    assertThatThrownBy(
            () ->
                WorkerMain.tryHints(
                    once,
                    () -> {
                      throw new ConnectException("Call From n1 to m failed: refused");
                    },
                    "/session",
                    target))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void runWithoutHintsHasNoHintsFile() {
    environment.put(WorkerSettings.HINTS_IN_FORCE, "true");

    assertThat(client("0").get("weir.client.hints.file")).isNull();
  }

  @Test
  void filesHaveTheReplicationOfTheRun() {
    assertThat(client("1").get(HdfsClientConfigKeys.DFS_REPLICATION_KEY)).isEqualTo("1");
    assertThat(client("0").get(HdfsClientConfigKeys.DFS_REPLICATION_KEY)).isEqualTo("2");
  }

  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              WorkerSettings.MASTER_HOST,
              "m",
              WorkerSettings.MASTER_PORT,
              "1",
              WorkerSettings.MASTER_PATIENCE,
              "1000",
              WorkerSettings.RPC_PROTECTION,
              "authentication",
              WorkerSettings.SILENCE,
              "60000",
              Staging.DIRECTORY_VARIABLE,
              "hdfs://m/staging",
              WorkerSettings.FILE_SYSTEM,
              "hdfs://m",
              "CONTAINER_ID",
              "c",
              "NM_HOST",
              "n1",
              "LOG_DIRS",
              "/logs"));

  private Configuration client(String replication) {
    environment.put(WorkerSettings.REPLICATION, replication);
    environment.put(WorkerSettings.RUNS, "hdfs://m/runs");
    environment.put(WorkerSettings.CORES, "1");
    environment.put(WorkerSettings.MEMORY, "1000000");
    environment.put(WorkerSettings.CACHE, "0");
    environment.put(WorkerSettings.LARGE, "0");
    Configuration node = new Configuration(false);
    node.set(HdfsClientConfigKeys.DFS_REPLICATION_KEY, "2");
    return WorkerMain.clientConfiguration(
        WorkerSettings.fromEnvironment(environment, directory), node);
  }
}
