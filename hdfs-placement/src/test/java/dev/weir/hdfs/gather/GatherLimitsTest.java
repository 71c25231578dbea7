package dev.weir.hdfs.gather;

import static dev.weir.hdfs.gather.GatherCluster.REGION;
import static dev.weir.hdfs.gather.GatherCluster.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.ByteArrayInputStream;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Gathers in directories with snapshots, erasure coding, encryption, quotas or permissions. */
class GatherLimitsTest extends GatherFixture {
  private static final GatherSpec SPEC = GatherSpec.ofRegions(REGION);

  @Test
  void aSnapshotDuringTheGatherFailsTheCommitWithARemedy() throws Exception {
    byte[] file = bytes(2 * REGION, 12);
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "before");
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(2));
    writeAll(gather, file, 2);
    fs.createSnapshot(directory, "between");
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.IN_SNAPSHOT)
        .hasMessageContaining("delete the snapshot");
    fs.deleteSnapshot(directory, "between");
    gather.commit(CommitOptions.PLAIN);
    fs.createSnapshot(directory, "after");
    assertThat(cluster.read(target)).isEqualTo(file);
    assertThat(cluster.read(new Path(directory, ".snapshot/after/file"))).isEqualTo(file);
  }

  @Test
  void erasureCodedDirectoriesHaveErasureCodedFiles() throws Exception {
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    int bytes = 3 << 20;
    Gather gather =
        cluster
            .gathers()
            .begin(target, GatherSpec.ofRegions(bytes).withBlockSize(2 << 20).withRegions(2));
    byte[] file = bytes(bytes + 5, 13);
    gather.write(0, new ByteArrayInputStream(file, 0, bytes));
    gather.write(1, new ByteArrayInputStream(file, bytes, 5));
    gather.commit(CommitOptions.PLAIN);
    assertThat(fs.getFileStatus(target).isErasureCoded()).isTrue();
    assertThat(cluster.read(target)).isEqualTo(file);
  }

  @Test
  void anEncryptionZoneIsRefusedAtBegin() throws Exception {
    DFSTestUtil.createKey("key", cluster.hadoop(), fs.getConf());
    new HdfsAdmin(fs.getUri(), fs.getConf())
        .createEncryptionZone(directory, "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    assertRefused(() -> cluster.gathers().begin(target, SPEC), Problem.ENCRYPTED)
        .hasMessageContaining("/file would be in an encryption zone");
    assertThat(cluster.list(directory)).isEmpty();
  }

  @Test
  void theTargetsQuotaApplies() throws Exception {
    fs.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 2 * REGION);
    byte[] file = bytes(2 * REGION, 14);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(2));
    writeAll(gather, file, 2);
    gather.commit(CommitOptions.PLAIN);
    Gather more = cluster.gathers().begin(new Path(directory, "more"), SPEC.withRegions(1));
    assertThatThrownBy(() -> write(more, file, 0)).isInstanceOf(QuotaExceededException.class);
    more.abort();
    assertThat(cluster.list(directory)).containsExactly("file");
    assertThat(fs.getContentSummary(directory).getSpaceConsumed()).isEqualTo(2 * REGION);
  }

  @Test
  void theTargetsPermissionsApply() throws Exception {
    UserGroupInformation ann =
        UserGroupInformation.createUserForTesting("ann", new String[] {"people"});
    try (FileSystem anns = DFSTestUtil.getFileSystemAs(ann, fs.getConf())) {
      assertThatThrownBy(() -> GatherClient.on(anns).begin(target, SPEC))
          .isInstanceOf(AccessControlException.class);
      fs.setPermission(directory, new FsPermission((short) 0777));
      Gather annsGather = GatherClient.on(anns).begin(target, SPEC.withRegions(1));
      annsGather.write(0, new ByteArrayInputStream(new byte[1]));
      annsGather.commit(CommitOptions.PLAIN);
      assertThat(fs.getFileStatus(target).getOwner()).isEqualTo("ann");
      Gather mine = cluster.gathers().begin(new Path(directory, "mine"), SPEC.withRegions(1));
      assertThatThrownBy(() -> GatherClient.on(anns).open(mine.path()).write(0))
          .isInstanceOf(AccessControlException.class);
    }
  }

  @Test
  void otherFileSystemsAreRefused() throws Exception {
    FileSystem local = FileSystem.getLocal(new Configuration());
    assertRefused(() -> GatherClient.on(local), Problem.NOT_HDFS)
        .hasMessageContaining("file:/")
        .hasMessageContaining("LocalFileSystem");
    assertRefused(() -> cluster.gathers().open(target), Problem.WRONG_USAGE)
        .hasMessageContaining("is not the path of a gather");
  }
}
