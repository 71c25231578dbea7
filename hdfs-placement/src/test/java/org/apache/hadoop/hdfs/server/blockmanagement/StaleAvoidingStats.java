package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;

/** Statistics of an idle NameNode that avoids stale DataNodes. */
final class StaleAvoidingStats implements FSClusterStats {

  @Override
  public int getTotalLoad() {
    return 0;
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return true;
  }

  @Override
  public int getNumDatanodesInService() {
    return 0;
  }

  @Override
  public double getInServiceXceiverAverage() {
    return 0;
  }

  @Override
  public double getInServiceXceiverAverageForVolume() {
    return 0;
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return Map.of();
  }
}
