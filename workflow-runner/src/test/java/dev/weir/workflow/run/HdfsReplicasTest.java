package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

class HdfsReplicasTest {

  /** A file of two blocks, both of which n1 has. */
  private static final class Blocks extends RawLocalFileSystem {

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
        throws IOException {
      return switch (path.toString()) {
        case "/data/there" ->
            new BlockLocation[] {
              new BlockLocation(null, new String[] {"n1", "n2"}, 0, 10),
              new BlockLocation(null, new String[] {"n3", "n1"}, 10, 5)
            };
        case "/data/gone" -> throw new FileNotFoundException("gone");
        default -> throw new IOException("away");
      };
    }
  }

  private final HdfsReplicas replicas = new HdfsReplicas(new Blocks(), file -> "/data/" + file);

  @Test
  void returnsTheBytesOfEachHost() throws IOException {
    assertThat(replicas.of("there")).contains(Map.of("n1", 15L, "n2", 10L, "n3", 5L));
  }

  @Test
  void returnsNothingForAMissingFile() throws IOException {
    assertThat(replicas.of("gone")).isEmpty();
  }

  @Test
  void failsWhenHdfsDoesNotAnswer() {
    assertThatThrownBy(() -> replicas.of("else")).hasMessage("away");
  }
}
