package dev.weir.hdfs.version;

import org.apache.hadoop.fs.FsServerDefaults;

/**
 * The NameNode's defaults with other numbers for one file. Hadoop 3.4 added a constructor with all
 * values, so this class delegates instead.
 */
public final class HintedServerDefaults extends FsServerDefaults {
  private final FsServerDefaults stock;

  /**
   * Replaces two of the defaults.
   *
   * @param replication the number of replicas
   * @param blockSize in bytes
   */
  public HintedServerDefaults(FsServerDefaults stock, short replication, long blockSize) {
    super(
        blockSize,
        stock.getBytesPerChecksum(),
        stock.getWritePacketSize(),
        replication,
        stock.getFileBufferSize(),
        stock.getEncryptDataTransfer(),
        stock.getTrashInterval(),
        stock.getChecksumType(),
        stock.getKeyProviderUri(),
        stock.getDefaultStoragePolicyId());
    this.stock = stock;
  }

  /** Hadoop 3.3 lacks this method and never calls it. */
  @Override
  public boolean getSnapshotTrashRootEnabled() {
    return stock.getSnapshotTrashRootEnabled();
  }
}
