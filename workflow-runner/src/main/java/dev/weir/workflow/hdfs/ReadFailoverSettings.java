package dev.weir.workflow.hdfs;

import org.apache.hadoop.conf.Configuration;

/**
 * Settings that let a read from a dead DataNode go on elsewhere, or fail, within seconds. Hadoop's
 * defaults wait minutes for a node to come back; here another node makes the data again.
 */
public final class ReadFailoverSettings {

  private ReadFailoverSettings() {}

  /**
   * Applies them.
   *
   * @param conf is changed
   * @return the same
   */
  public static Configuration applyTo(Configuration conf) {
    conf.setInt("dfs.client.socket-timeout", 8_000);
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    conf.setInt("dfs.client.retry.window.base", 500);
    conf.setInt("dfs.client.retry.interval-ms.get-last-block-length", 500);
    // A file is complete when the NameNode has heard of its last block, which takes milliseconds;
    // the
    // client asks once too early and then sleeps. The retries add up to as long as by default.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 11);
    return conf;
  }
}
