package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.session.IncompleteCommits;
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

/** Rolls back commits of attempts whose workers have died, in a real NameNode. */
class AbandonedAttemptCleanerTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final String DIRECTORY = "/data/";

  private final DistributedFileSystem fs = HDFS.fs();
  private final AbandonedAttemptCleaner remover = new AbandonedAttemptCleaner(fs);

  @BeforeEach
  void begin() throws IOException {
    fs.delete(new Path(DIRECTORY), true);
    fs.mkdirs(new Path(DIRECTORY));
  }

  private static Path temporary(String name, int attempt) {
    return new Path(DIRECTORY + name + ".weir-" + attempt);
  }

  /** Stores outputs and writes their commit mark, as a worker does before the first rename. */
  private void store(int attempt, String... names) throws IOException {
    Path[] outputs = new Path[names.length];
    for (int i = 0; i < names.length; i++) {
      outputs[i] = IncompleteCommits.create(fs, temporary(names[i], attempt).toString());
    }
    IncompleteCommits.mark(fs, outputs[names.length - 1], outputs);
  }

  private void rename(int attempt, String... names) throws IOException {
    for (String name : names) {
      fs.rename(temporary(name, attempt), new Path(DIRECTORY + name), Options.Rename.OVERWRITE);
    }
  }

  /** Cleans up after an attempt, like an ApplicationMaster that has lost the worker. */
  private void lost(int attempt, String... names) {
    remover.remove(Arrays.stream(names).map(name -> temporary(name, attempt).toString()).toList());
  }

  private List<String> names() throws IOException {
    return Arrays.stream(fs.listStatus(new Path(DIRECTORY)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  @Test
  void incompleteCommitIsRolledBack() throws Exception {
    store(1, "a", "b", "c");
    rename(1, "a", "b");

    lost(1, "a", "b", "c");

    assertThat(names()).isEmpty();
  }

  @Test
  void onlyTemporaryFilesOfAnUnmarkedAttemptAreRemoved() throws Exception {
    fs.create(new Path(DIRECTORY + "a")).close();
    fs.create(temporary("b", 1)).close();

    lost(1, "a", "b", "c");

    assertThat(names()).containsExactly("a");
  }

  @Test
  void filesCommittedByAnotherAttemptStay() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    store(2, "a", "b");
    rename(2, "a", "b");

    lost(1, "a", "b");

    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void temporaryFilesOfAnotherAttemptStay() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    store(2, "a", "b");
    rename(2, "a");

    lost(1, "a", "b");
    rename(2, "b");

    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void workerThatContinuesAfterTheRollbackCommitsNothing() throws Exception {
    store(1, "a", "b", "c");
    rename(1, "a");

    lost(1, "a", "b", "c");

    assertThat(fs.exists(temporary("b", 1))).isFalse();
    assertThat(fs.exists(temporary("c", 1))).isFalse();
  }

  @Test
  void invalidMarkIsIgnored() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    fs.setXAttr(temporary("b", 1), CommitAttribute.ATTRIBUTE, new byte[] {'?'});

    lost(1, "a", "b");

    assertThat(names()).containsExactly("a");
  }

  @Test
  void endOfARunRollsBackRemainingCommits() throws Exception {
    store(1, "a", "b");
    rename(1, "a");

    boolean all =
        new TemporaryFiles(List.of(DIRECTORY + "a", DIRECTORY + "b", "/none/c"), "1").remove(fs);

    assertThat(all).isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void directoryOfFoundOutputsIsRemoved() throws Exception {
    Path temporaries = new Path(DIRECTORY + ".weir-1-1");
    Path one = IncompleteCommits.create(fs, temporaries + "/one");
    Path two = IncompleteCommits.create(fs, DIRECTORY + "two");
    IncompleteCommits.mark(fs, temporaries, one, two);
    fs.create(new Path(DIRECTORY + "other")).close();

    assertThat(new TemporaryFiles(List.of(DIRECTORY), "1").remove(fs)).isTrue();

    assertThat(names()).containsExactly("other");
  }

  @Test
  void committedFilesStayIfAllOutputsExist() throws Exception {
    store(1, "a", "b");
    rename(1, "a");
    fs.create(new Path(DIRECTORY + "b")).close();

    boolean all =
        new TemporaryFiles(List.of(DIRECTORY + "a", DIRECTORY + "b"), "1").removeUnnamed(fs);

    assertThat(all).isTrue();
    assertThat(names()).containsExactly("a", "b");
  }
}
