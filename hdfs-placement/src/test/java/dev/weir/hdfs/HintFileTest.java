package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hints of a run in a local file, without ZooKeeper. */
class HintFileTest {
  private static final URI CLUSTER = URI.create("hdfs://nn:8020");

  @TempDir private Path directory;

  @Test
  void readsHintsFromTheFile() throws Exception {
    Rule rule = new Rule(PathPattern.parse("/run/wide-*"), HintPresets.broadcast(7));
    String json = HintCodec.toJson(new HintSet("run-1", "alice", null, List.of(rule)));
    try (FileAdvice advice = advice(json)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> assertThat(advice.replication("/run/wide-1", (short) 3)).isEqualTo((short) 7));
      assertThat(advice.replication("/run/other", (short) 3)).isEqualTo((short) 3);
    }
  }

  @Test
  void anInvalidHintFileLeavesStockValues() throws Exception {
    try (FileAdvice advice = advice("{ \"rules\": ")) {
      assertThat(advice.replication("/run/wide-1", (short) 3)).isEqualTo((short) 3);
    }
    try (FileAdvice advice = advice(directory.resolve("none"))) {
      assertThat(advice.replication("/run/wide-1", (short) 3)).isEqualTo((short) 3);
    }
  }

  private FileAdvice advice(String json) throws Exception {
    return advice(Files.writeString(directory.resolve("hints.json"), json));
  }

  private static FileAdvice advice(Path file) {
    Configuration conf = new Configuration(false);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, CLUSTER.toString());
    conf.set(WeirFileSystem.FILE_KEY, file.toString());
    return FileAdvice.of(CLUSTER, conf);
  }
}
