package dev.weir.service.locate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintText;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.HdfsWithCacheCapacity;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.locate.nodes.DataNodes;
import dev.weir.workflow.infer.InferredHint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.junit.jupiter.api.Test;

/** The service's knowledge of the cluster that hints are inferred for. */
class InferenceTest {
  private static final int READERS = 10;
  private static final long BYTES = 10_000_000;

  /** One of two DataNodes has the memory of both. */
  private static final long ENOUGH = 2 * 2 * BYTES;

  /** A chain of tasks that all read one file, and each the output of the one before. */
  private static byte[] chain() {
    String tasks =
        IntStream.range(0, READERS)
            .mapToObj(
                i ->
                    ("{\"name\":\"read\",\"id\":\"read-%d\",\"inputFiles\":[\"x\"%s],"
                            + "\"outputFiles\":[\"o%d\"]}")
                        .formatted(i, i == 0 ? "" : ",\"o" + (i - 1) + "\"", i))
            .collect(Collectors.joining(","));
    String files =
        IntStream.range(0, READERS)
            .mapToObj(i -> ",{\"id\":\"o%d\",\"sizeInBytes\":1}".formatted(i))
            .collect(Collectors.joining());
    String workflow =
        "{\"name\":\"chain\",\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":["
            + "{\"name\":\"make\",\"id\":\"make\",\"inputFiles\":[],\"outputFiles\":[\"x\"]},"
            + tasks
            + "],\"files\":[{\"id\":\"x\",\"sizeInBytes\":"
            + BYTES
            + "}"
            + files
            + "]}}}";
    return workflow.getBytes(StandardCharsets.UTF_8);
  }

  private static String hint(long memory, int nodes) throws IOException {
    try (CallerFileSystems callers = new HdfsWithCacheCapacity(new NoOthers(), memory)) {
      List<InferredHint> hints =
          new Inference(callers, new DataNodes(callers, Clock.systemUTC()), 125_000_000)
              .infer(chain(), FilePath.parse("/d"), nodes, 3);
      return hints.stream()
          .filter(hint -> hint.rule().pattern().matches("/d/x"))
          .map(hint -> HintText.format(hint.rule().hint()))
          .collect(Collectors.joining());
    }
  }

  @Test
  void cachesRepeatedInputsIfDataNodesHaveMemory() throws Exception {
    assertThat(hint(ENOUGH, 0)).isEqualTo("pipeline,temporary,cache");
    assertThat(hint(ENOUGH - 1, 0)).isEqualTo("pipeline,temporary");
    assertThat(hint(0, 0)).isEqualTo("pipeline,temporary");
  }

  @Test
  void assumesNoMemoryForOtherClusters() throws Exception {
    assertThat(hint(ENOUGH, 2)).isEqualTo("pipeline,temporary");
  }

  /** Only the service itself makes calls. */
  private static final class NoOthers implements CallerFileSystems {
    @Override
    public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
        throws IOException {
      throw new IOException(user + " is not the service");
    }

    @Override
    public String self() {
      return "service";
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
