package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.CommitMark;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.session.LeftCommitMarks;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is taken back, at a real NameNode, of attempts whose workers have died. */
class TemporaryFileRemoverTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final String DIRECTORY = "/data/";

  private final DistributedFileSystem fs = HDFS.fs();
  private final TemporaryFileRemover leftovers = new TemporaryFileRemover(fs);

  @BeforeEach
  void begin() throws IOException {
    fs.delete(new Path(DIRECTORY), true);
    fs.mkdirs(new Path(DIRECTORY));
  }

  private static Path temporary(String name, int attempt) {
    return new Path(DIRECTORY + name + ".weir-" + attempt);
  }

  /** Stores outputs, and leaves word of them as a worker does before it renames the first. */
  private void store(int attempt, String... names) throws IOException {
    Path[] outputs = new Path[names.length];
    for (int i = 0; i < names.length; i++) {
      outputs[i] = LeftCommitMarks.create(fs, temporary(names[i], attempt).toString());
    }
    LeftCommitMarks.mark(fs, outputs[names.length - 1], outputs);
  }

  private void rename(int attempt, String... names) throws IOException {
    for (String name : names) {
      fs.rename(temporary(name, attempt), new Path(DIRECTORY + name), Options.Rename.OVERWRITE);
    }
  }

  /** As the ApplicationMaster does it when it misses the worker. */
  private void lost(int attempt, String... names) {
    leftovers.remove(
        Arrays.stream(names).map(name -> temporary(name, attempt).toString()).toList());
  }

  private List<String> names() throws IOException {
    return Arrays.stream(fs.listStatus(new Path(DIRECTORY)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  @Test
  void whatWasRenamedBeforeTheWorkerDiedIsTakenBack() throws Exception {
    store(1, "a", "b", "c");
    rename(1, "a", "b");

    lost(1, "a", "b", "c");

    assertThat(names()).isEmpty();
  }

  @Test
  void whatIsNotMarkedIsRemovedAndNothingElse() throws Exception {
    fs.create(new Path(DIRECTORY + "a")).close();
    fs.create(temporary("b", 1)).close();

    lost(1, "a", "b", "c");

    assertThat(names()).containsExactly("a");
  }

  @Test
  void whatAnotherAttemptHasCommittedStays() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    store(2, "a", "b");
    rename(2, "a", "b");

    lost(1, "a", "b");

    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void whatAnotherAttemptIsAboutToCommitStays() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    store(2, "a", "b");
    rename(2, "a");

    lost(1, "a", "b");
    rename(2, "b");

    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void aWorkerThatGoesOnAfterAllCommitsNothing() throws Exception {
    store(1, "a", "b", "c");
    rename(1, "a");

    lost(1, "a", "b", "c");

    assertThat(fs.exists(temporary("b", 1))).isFalse();
    assertThat(fs.exists(temporary("c", 1))).isFalse();
  }

  @Test
  void aMarkThatNobodyCanReadIsNone() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    fs.setXAttr(temporary("b", 1), CommitMark.ATTRIBUTE, new byte[] {'?'});

    lost(1, "a", "b");

    assertThat(names()).containsExactly("a");
  }

  @Test
  void theEndOfARunTakesBackWhatNobodyHasMissed() throws Exception {
    store(1, "a", "b");
    rename(1, "a");

    boolean all =
        new TemporaryFiles(List.of(DIRECTORY + "a", DIRECTORY + "b", "/none/c"), "1").remove(fs);

    assertThat(all).isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void whatHasItsNameStaysWhereAllOutputsAreThere() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    fs.create(new Path(DIRECTORY + "b")).close();

    boolean all =
        new TemporaryFiles(List.of(DIRECTORY + "a", DIRECTORY + "b"), "1").removeUnnamed(fs);

    assertThat(all).isTrue();
    assertThat(names()).containsExactly("a", "b");
  }
}
