package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several nodes write one file with {@code weir gather}. */
@ExtendWith(ClusterExtension.class)
class GatherIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String TARGET = "/gather/all.dat";
  private static final int REGION = 3 << 20;

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private FileSystem fs;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    files = new HdfsFiles(shared);
    fs = files.fs();
  }

  @AfterEach
  void close() throws Exception {
    fs.delete(new org.apache.hadoop.fs.Path("/gather"), true);
    fs.close();
  }

  @Test
  void eachRegionOfAGatheredFileStaysOnItsWritersNode() throws Exception {
    byte[] file = new byte[3 * REGION + 1_000_000];
    new Random(1).nextBytes(file);
    List<String> nodes = List.of("n3", "n1", "n4", "n2");
    String gather =
        weir("n1", "begin", TARGET, "--region", "3m", "--regions", "4", "--replication", "1")
            .succeed()
            .strip();

    Running killed = weir("n2", "write", gather, "3");
    killed.feed(Arrays.copyOf(file, REGION / 2));
    await().atMost(DEADLINE).until(() -> names(gather).size() == 2);
    killed.process().destroyForcibly().waitFor();

    List<Running> writers = new ArrayList<>();
    for (int region = 0; region < 3; region++) {
      writers.add(weir(nodes.get(region), "write", gather, "" + region, local(file, region)));
    }
    for (Running writer : writers) {
      assertThat(writer.succeed()).contains("is written");
    }
    assertThat(weir("n1", "commit", gather).fail(1))
        .contains("region 3 is still being written, or left by a writer that died");
    assertThat(fs.exists(new org.apache.hadoop.fs.Path(TARGET))).isFalse();
    assertThat(weir("n2", "write", gather, "3", local(file, 3)).succeed()).contains("is written");

    Running commit = weir("n1", "commit", gather);
    Running same = weir("n4", "commit", gather);
    assertThat(commit.succeed() + same.succeed())
        .contains("is there, 10.4 MB", "was committed before");

    assertThat(read()).isEqualTo(file);
    assertThat(files.hostsOfBlocks(TARGET))
        .containsExactly(List.of("n3"), List.of("n1"), List.of("n4"), List.of("n2"));
    assertThat(names("/gather")).containsExactly("all.dat");
    assertThat(weir("n1", "abort", gather).succeed()).contains("nothing to abort");
  }

  private byte[] read() throws IOException {
    try (var in = fs.open(new org.apache.hadoop.fs.Path(TARGET))) {
      return in.readAllBytes();
    }
  }

  private List<String> names(String directory) throws IOException {
    return Arrays.stream(fs.listStatus(new org.apache.hadoop.fs.Path(directory)))
        .map(entry -> entry.getPath().getName())
        .toList();
  }

  private String local(byte[] file, int region) throws IOException {
    byte[] bytes =
        Arrays.copyOfRange(file, region * REGION, Math.min(file.length, (region + 1) * REGION));
    return Files.write(folder.resolve("region-" + region), bytes).toString();
  }

  private Running weir(String node, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.built().weir().toString());
    command.add("gather");
    command.addAll(List.of(words));
    return new Running(cluster.command(node, command).redirectErrorStream(true).start());
  }

  /** A running command. */
  private record Running(Process process) {
    void feed(byte[] bytes) throws IOException {
      OutputStream in = process.getOutputStream();
      in.write(bytes);
      in.flush();
    }

    String succeed() throws Exception {
      return fail(0);
    }

    String fail(int code) throws Exception {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(out).isEqualTo(code);
      return out;
    }
  }
}
