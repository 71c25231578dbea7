package dev.weir.workflow.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.cache.CacheKey;
import dev.weir.workflow.transfer.DataStore;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** Transfers between caches may be unencrypted, so files of encryption zones are not shared. */
class EncryptionZoneSharingTest {

  private static HdfsFileStatus.Builder file() {
    return new HdfsFileStatus.Builder()
        .path("a".getBytes(UTF_8))
        .locations(new LocatedBlocks())
        .fileId(7)
        .length(10)
        .mtime(1_000);
  }

  @Test
  void fileOfAnEncryptionZoneIsNotShared() {
    FileEncryptionInfo encrypted =
        new FileEncryptionInfo(
            CipherSuite.AES_CTR_NOPADDING,
            CryptoProtocolVersion.ENCRYPTION_ZONES,
            new byte[16],
            new byte[16],
            "key",
            "version");

    assertThat(HdfsReader.cacheKey("/a", (HdfsLocatedFileStatus) file().build()))
        .isEqualTo(CacheKey.of("/a", new DataStore.Version(7, 10, 1_000)).digest());
    assertThat(HdfsReader.cacheKey("/a", (HdfsLocatedFileStatus) file().feInfo(encrypted).build()))
        .isEmpty();
  }
}
