package dev.weir.workflow.hdfs;

import static dev.weir.workflow.run.Plans.task;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Finds the existing files of a workflow with listings of directories that hold many other files.
 */
class PresentFilesTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final List<String> INPUTS =
      List.of("top", "one/a", "many/a", "many/b c", "many/d", "many/e", "many/f", "many/dir");

  private final DistributedFileSystem fs = HDFS.fs();
  private final RunPlan plan = Plans.of(1, task("t", INPUTS, List.of("many/out", "gone/out")));

  private void write(String path, int bytes) throws IOException {
    try (OutputStream out = fs.create(new Path(null, null, path))) {
      out.write(new byte[bytes]);
    }
  }

  private void writeAll() throws IOException {
    int bytes = 1;
    for (String input : List.of("top", "one/a", "many/a", "many/b c", "many/d", "many/e")) {
      write("/data/" + input, bytes++);
    }
    fs.mkdirs(new Path("/data/many/dir"));
    write("/data/many/dir/top", 1);
    write("/data/many/out", 7);
    write("/data/many/other", 1);
    write("/data/other/a", 1);
  }

  @Test
  void inputsAreFound() throws IOException {
    writeAll();

    List<StoredFile> found = InputLocations.find(fs, plan);

    assertThat(found)
        .extracting(StoredFile::name)
        .containsExactlyInAnyOrder("top", "one/a", "many/a", "many/b c", "many/d", "many/e");
    assertThat(found)
        .allSatisfy(
            file -> assertThat(file.bytesByHost()).hasSize(1).containsValue(file.sizeBytes()));
    assertThat(InputLocations.find(fs, Set.of("/data/one/a", "/data/one/b")))
        .containsOnlyKeys("/data/one/a");
  }

  @Test
  void existingFilesAreNamedByTheirIds() throws IOException {
    writeAll();
    PresentFiles files = new PresentFiles(fs, plan);

    Map<String, PresentFile> all = files.all();
    Map<String, PresentFile> withoutHosts = files.allWithoutHosts();

    assertThat(all)
        .containsOnlyKeys("top", "one/a", "many/a", "many/b c", "many/d", "many/e", "many/out");
    assertThat(withoutHosts).containsOnlyKeys(all.keySet().toArray(String[]::new));
    all.forEach(
        (id, file) ->
            assertThat(withoutHosts.get(id))
                .isEqualTo(new PresentFile(file.bytes(), file.stamp(), Map.of())));
    assertThat(requireNonNull(all.get("many/out")).bytesByHost()).containsValue(7L);
    assertThat(all.keySet())
        .allSatisfy(
            id -> assertThat(id).isSameAs(requireNonNull(plan.workflow().files().get(id)).id()));
  }
}
