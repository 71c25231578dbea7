package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.worker.TestTools;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commit marks and file ids in a real NameNode. */
class CommitMarkInHdfsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  @TempDir private java.nio.file.Path temp;
  private HdfsDataStore store;

  @BeforeEach
  void makeStore() throws IOException {
    store = new HdfsDataStore(fs, "here", TestTools.AT_ONCE);
  }

  private long put(String path) throws IOException {
    java.nio.file.Path source = Files.writeString(temp.resolve("source"), path);
    return store.put(source, path).fileId();
  }

  private boolean exists(String path) throws IOException {
    return fs.exists(new Path(path));
  }

  @Test
  void markIsStoredWithTheFile() throws Exception {
    CommitAttribute mark = new CommitAttribute(List.of(7L, put("/m/a.weir-1")));

    store.mark("/m/a.weir-1", mark);

    byte[] value = fs.getXAttr(new Path("/m/a.weir-1"), CommitAttribute.ATTRIBUTE);
    assertThat(CommitAttribute.parse(value)).isEqualTo(mark);
  }

  @Test
  void markingAMissingFileFails() {
    assertThatExceptionOfType(FileNotFoundException.class)
        .isThrownBy(() -> store.mark("/m/gone.weir-1", new CommitAttribute(List.of(7L))));
  }

  @Test
  void tooLongMarkIsSkippedWithoutFailure() throws Exception {
    put("/m/many.weir-1");
    List<Long> far = LongStream.range(0, 4_000).mapToObj(i -> i << 40).toList();

    store.mark("/m/many.weir-1", new CommitAttribute(far));

    assertThat(fs.getXAttrs(new Path("/m/many.weir-1"))).isEmpty();
  }

  @Test
  void fileIsRemovedByIdUnderAnyName() throws Exception {
    long before = put("/n/a.weir-1");
    long after = put("/n/b.weir-1");
    store.commit("/n/b.weir-1", "/n/b");

    store.remove(before);
    store.remove(after);
    store.remove(after);

    assertThat(exists("/n/a.weir-1")).isFalse();
    assertThat(exists("/n/b")).isFalse();
  }

  @Test
  void removalByIdSparesAReplacement() throws Exception {
    long first = put("/p/a.weir-1");
    store.commit("/p/a.weir-1", "/p/a");
    put("/p/a.weir-2");
    store.commit("/p/a.weir-2", "/p/a");

    store.remove(first);

    assertThat(exists("/p/a")).isTrue();
  }

  @Test
  void removalByIdSparesAReplacementOfASnapshottedFile() throws Exception {
    long first = put("/s/a");
    fs.allowSnapshot(new Path("/s"));
    fs.createSnapshot(new Path("/s"), "then");
    put("/s/a.weir-2");
    store.commit("/s/a.weir-2", "/s/a");

    store.remove(first);

    assertThat(exists("/s/a")).isTrue();
    assertThat(exists("/s/.snapshot/then/a")).isTrue();
  }
}
