package dev.weir.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The {@code weir cluster} commands, each in its own process. */
@Execution(ExecutionMode.CONCURRENT)
class ClusterCommandsIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /**
   * The result of a command.
   *
   * @param code its exit code
   * @param out its standard output and standard error
   */
  private record Result(int code, String out) {}

  @AfterEach
  void stopLeftoverCluster() throws Exception {
    if (Files.exists(dir())) {
      weir("cluster", "stop", "--dir", dir().toString());
    }
  }

  @Test
  void aClusterIsStartedUsedInspectedAndStopped() throws Exception {
    Result start = cluster("start", "--nodes", "2");
    assertThat(start.code()).as(start.out()).isZero();
    assertThat(start.out()).contains("2 nodes are up", "registered 6/6", "hdfs://127.0.", ":9880");

    assertThat(weir("cluster", "status").out()).contains(dir().toString());
    Result status = cluster("status");
    assertThat(status.code()).as(status.out()).isZero();
    assertThat(status.out())
        .contains("2 of 2 DataNodes, 2 of 2 NodeManagers", "zookeeper", "hints");

    Path file = Files.writeString(folder.resolve("file"), "content");
    Result put =
        cluster(
            "hdfs", "--on", "n2", "dfs", "-Ddfs.replication=1", "-put", file.toString(), "/file");
    assertThat(put.code()).as(put.out()).isZero();
    HdfsFiles files = new HdfsFiles(LocalCluster.attach(dir()));
    assertThat(files.hosts("/file")).as("the writer's node").containsExactly("n2");
    files.fs().close();
    assertThat(cluster("hdfs", "dfs", "-cat", "/file").out()).contains("content");
    assertThat(cluster("hdfs", "dfs", "-test", "-e", "/nothing").code()).isEqualTo(1);
    assertThat(cluster("yarn", "node", "-list").out()).contains("n1:8041", "n2:8041");

    assertThat(cluster("exec", "n1", "--", "sh", "-c", "echo $WEIR_NODE; exit 7"))
        .isEqualTo(new Result(7, "n1\n"));
    assertThat(cluster("env").out())
        .contains("export HADOOP_CONF_DIR=" + dir() + "/conf\n", "weir-hdfs-placement");

    kill("namenode");
    await().atMost(DEADLINE).until(() -> cluster("status").out().contains("DEAD"));
    assertThat(cluster("status").out()).contains("namenode.log");

    Result stop = cluster("stop");
    assertThat(stop.code()).as(stop.out()).isZero();
    assertThat(dir()).doesNotExist();
    assertThat(weir("cluster", "status").out()).doesNotContain(dir().toString());
  }

  @Test
  void aNonEmptyDirectoryIsRefused() throws Exception {
    Files.createDirectory(dir());
    Files.createFile(dir().resolve("mine"));
    Result start = cluster("start");
    assertThat(start.code()).isEqualTo(1);
    assertThat(start.out()).contains("is not empty: give a new or an empty directory");
    assertThat(dir().resolve("mine")).exists();
    Files.delete(dir().resolve("mine"));
    Files.delete(dir());
  }

  /** Kills a daemon by the process id in the status. */
  private void kill(String daemon) throws Exception {
    String line =
        cluster("status")
            .out()
            .lines()
            .filter(text -> text.strip().startsWith(daemon))
            .findFirst()
            .orElseThrow();
    long pid = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  private Path dir() {
    return folder.resolve("cluster");
  }

  private Result cluster(String command, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("cluster", command, "--dir", dir().toString()));
    all.addAll(List.of(words));
    return weir(all.toArray(String[]::new));
  }

  private static Result weir(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.built().weir().toString());
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out);
  }
}
