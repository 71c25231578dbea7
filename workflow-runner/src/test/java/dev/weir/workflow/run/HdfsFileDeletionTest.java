package dev.weir.workflow.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looks up files of a real NameNode in bulk and deletes them without the trash. */
class HdfsFileDeletionTest {

  @RegisterExtension
  static final OneNodeHdfs HDFS =
      OneNodeHdfs.with(
          conf -> conf.setInt(CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY, 60));

  private final DistributedFileSystem fs = HDFS.fs();

  private void write(String path, int bytes) throws IOException {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(new byte[bytes]);
    }
  }

  @Test
  void filesAreFoundAndDeleted() throws Exception {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < IntermediateFileDeleter.BATCH - 2; i++) {
      String path = "/d" + i % 3 + "/f '" + i;
      paths.add(path);
      write(path, i % 2);
    }
    fs.mkdirs(new org.apache.hadoop.fs.Path("/d0/directory"));
    HdfsFileDeletion files = new HdfsFileDeletion(fs);
    List<String> asked = new ArrayList<>(paths);
    asked.addAll(List.of("/d0/directory", "/nowhere/f"));

    Map<String, ? extends FileStatus> found = files.find(asked);

    assertThat(found).containsOnlyKeys(paths);
    FileStatus second = requireNonNull(found.get(paths.get(1)));
    assertThat(second.getLen()).isEqualTo(1);
    assertThat(second.getModificationTime()).isPositive();
    for (String path : paths) {
      assertThat(files.delete(path)).isTrue();
      assertThat(files.delete(path)).as("deleted only once").isFalse();
    }
    assertThat(files.find(asked)).isEmpty();
    assertThat(fs.exists(new org.apache.hadoop.fs.Path("/d1")))
        .as("directories are not deleted")
        .isTrue();
    assertThat(fs.exists(new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), ".Trash"))).isFalse();
  }

  @Test
  void filesBeforeTheRunAreFound() throws Exception {
    write("/before/p/a", 1);
    write("/before/b", 0);
    write("/before/other", 1);

    assertThat(ManagedRun.existing(fs, Plans.below("/before"), List.of("p/a", "b", "c", "q/a")))
        .containsExactlyInAnyOrder("p/a", "b");
  }

  @Test
  void unreadableFilesCountAsFound() throws Exception {
    write("/secret/a", 1);
    fs.setPermission(new org.apache.hadoop.fs.Path("/secret"), new FsPermission((short) 0700));
    DistributedFileSystem ofEve =
        (DistributedFileSystem)
            DFSTestUtil.getFileSystemAs(
                UserGroupInformation.createUserForTesting("eve", new String[0]), fs.getConf());

    assertThat(ManagedRun.existing(ofEve, Plans.below("/secret"), List.of("a", "b")))
        .containsExactly("a", "b");
  }
}
