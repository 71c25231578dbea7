package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.worker.TestTools;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Outputs of a NameNode that supports no extended attributes. */
class NoCommitMarkTest {

  @RegisterExtension
  static final OneNodeHdfs HDFS =
      OneNodeHdfs.with(
          conf -> conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY, false));

  private static final Path OUTPUT = new Path("/m/a.weir-1");

  private final DistributedFileSystem fs = HDFS.fs();

  @Test
  void outputsAreCommittedWithoutMarks() throws Exception {
    fs.create(OUTPUT).close();
    CommitAttribute mark = new CommitAttribute(List.of(7L));

    new HdfsDataStore(fs, "here", TestTools.AT_ONCE).mark(OUTPUT.toString(), mark);

    assertThatExceptionOfType(IOException.class)
        .as("the NameNode refuses attributes")
        .isThrownBy(() -> fs.setXAttr(OUTPUT, CommitAttribute.ATTRIBUTE, mark.toBytes()));
  }
}
