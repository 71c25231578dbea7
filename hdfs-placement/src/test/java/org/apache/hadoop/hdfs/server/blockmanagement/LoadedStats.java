package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;

/** Statistics of a NameNode whose DataNodes serve a given number of transfers on average. */
record LoadedStats(double average) implements FSClusterStats {
  @Override
  public int getTotalLoad() {
    return (int) Math.ceil(average * getNumDatanodesInService());
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return false;
  }

  @Override
  public int getNumDatanodesInService() {
    return 6;
  }

  @Override
  public double getInServiceXceiverAverage() {
    return average;
  }

  @Override
  public double getInServiceXceiverAverageForVolume() {
    return average;
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return Map.of();
  }
}
