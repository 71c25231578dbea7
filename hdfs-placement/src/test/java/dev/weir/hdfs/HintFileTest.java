package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hints of a run in a local file, without a call to the NameNode. */
class HintFileTest {
  private static final URI CLUSTER = URI.create("hdfs://nn:8020");

  @TempDir private Path directory;

  @Test
  void readsHintsFromTheFile() throws Exception {
    Rule rule = new Rule(PathPattern.parse("/run/wide-*"), HintPresets.broadcast(7));
    FileAdvice advice =
        advice(HintCodec.toJson(new HintSet("run-1", "alice", null, List.of(rule))));
    assertThat(advice.replication("/run/wide-1", (short) 3)).isEqualTo((short) 7);
    assertThat(advice.replication("/run/other", (short) 3)).isEqualTo((short) 3);
  }

  /** DistCp compares checksums, which depend on the block size. */
  @Test
  void copiesOfDistCpKeepTheStockBlockSize() throws Exception {
    Rule rule = new Rule(PathPattern.parse("/d/**"), HintText.parse("replicas=1,block=2m"));
    FileAdvice advice =
        advice(HintCodec.toJson(new HintSet("run-1", "alice", null, List.of(rule))));
    String copy = "/d/.distcp.tmp.attempt_local1_0001_m_000000_0.1795795741748";

    assertThat(advice.blockSize("/d/file", 1 << 27)).isEqualTo(1 << 21);
    assertThat(advice.blockSize(copy, 1 << 27)).isEqualTo(1 << 27);
    assertThat(advice.values(copy, new FileAdvice.Values((short) 3, 1 << 27)))
        .isEqualTo(new FileAdvice.Values((short) 1, 1 << 27));
  }

  @Test
  void followsAFileThatIsReplaced() throws Exception {
    FileAdvice advice = advice(directory.resolve("hints.json"));
    assertThat(advice.replication("/a", (short) 3)).as("no file yet").isEqualTo((short) 3);
    for (short replicas = 4; replicas < 8; replicas++) {
      Rule rule = new Rule(PathPattern.parse("/a"), HintPresets.broadcast(replicas));
      Path fresh =
          Files.writeString(
              directory.resolve("fresh"),
              HintCodec.toJson(new HintSet("outputs", "worker", null, List.of(rule))));
      Files.move(fresh, directory.resolve("hints.json"), StandardCopyOption.REPLACE_EXISTING);
      assertThat(advice.replication("/a", (short) 3)).isEqualTo(replicas);
    }
  }

  @Test
  void anInvalidHintFileLeavesStockValues() throws Exception {
    FileAdvice invalid = advice("{ \"rules\": ");
    assertThat(invalid.replication("/run/wide-1", (short) 3)).isEqualTo((short) 3);
    FileAdvice missing = advice(directory.resolve("none"));
    assertThat(missing.replication("/run/wide-1", (short) 3)).isEqualTo((short) 3);
  }

  private FileAdvice advice(String json) throws Exception {
    return advice(Files.writeString(directory.resolve("hints.json"), json));
  }

  private static FileAdvice advice(Path file) {
    Configuration conf = new Configuration(false);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, CLUSTER.toString());
    conf.set(WeirFileSystem.FILE_KEY, file.toString());
    return FileAdvice.of(
        CLUSTER,
        conf,
        () -> {
          throw new AssertionError("called the NameNode");
        });
  }
}
