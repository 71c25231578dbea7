package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.worker.TestTools;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes files to a real NameNode and two DataNodes, n1 and n2. */
class HdfsPutTest extends HdfsStoreTestBase {

  @Test
  void versionOfAFileIsUnchangedByItsCommit() throws Exception {
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(2 * BLOCK + 5, 1));
    store.put(source, "/known/a.weir-1");
    var before = find("/known/a.weir-1", 0).version();
    store.commit("/known/a.weir-1", "/known/a");

    assertThat(before).isPresent().isEqualTo(find("/known/a", 0).version());
    assertThat(before).isEqualTo(find("/known/a", 130).version());
  }

  @Test
  void nameNodeRecordsEachBlockOnce() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setLong("dfs.blocksize", 16L * BLOCK);
    conf.setInt("dfs.client.write.max-packets-in-flight", 4);
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(2 * BLOCK, 1));
    fs.mkdirs(new Path("/once"));
    try (FileSystem own = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsDataStore putting =
          new HdfsDataStore((DistributedFileSystem) own, "n1", TestTools.AT_ONCE);
      long before = cluster.getNamesystem().getEditLog().getLastWrittenTxId();

      DataStore.Stored stored = putting.put(source, "/once/a");

      assertThat(stored.bytesByHost()).isNotEmpty();
      // Create the file, get the id and generation stamp of its block, add the block, complete the
      // file.
      assertThat(cluster.getNamesystem().getEditLog().getLastWrittenTxId() - before).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void storedFileIsReadableAndItsLocationsAreReturned(int replication) throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt("dfs.replication", replication);
    try (FileSystem own = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsDataStore putting =
          new HdfsDataStore((DistributedFileSystem) own, "n1", TestTools.AT_ONCE);
      for (int size : new int[] {0, 1000, BLOCK, 2 * BLOCK + 5}) {
        byte[] content = bytes(size, size);
        java.nio.file.Path source = temp.resolve("source" + size);
        Files.write(source, content);
        String path = "/put" + replication + "/" + size;

        DataStore.Stored stored = putting.put(source, path);

        long copies = stored.bytesByHost().values().stream().mapToLong(Long::longValue).sum();
        assertThat(stored.bytesByHost().keySet()).isSubsetOf("n1", "n2");
        // A DataNode that is slow to start is left out of the write and of the returned locations.
        assertThat(copies).as(path).isBetween((long) size, (long) replication * size);
        java.nio.file.Path target = temp.resolve("target" + size);
        Fetched fetched =
            requireNonNull(putting.find(slots(List.of(path))).get(path)).fetch(target);
        assertThat(target).hasBinaryContent(content);
        assertThat(fetched.crc32c()).isEqualTo(stored.crc32c());
        String committed = path + ".committed";
        putting.commit(path, committed);
        assertThat(requireNonNull(fs.getClient().getFileInfo(committed)).getFileId())
            .as("the file id of %s is unchanged by the rename", path)
            .isEqualTo(stored.fileId());
      }
    }
  }
}
