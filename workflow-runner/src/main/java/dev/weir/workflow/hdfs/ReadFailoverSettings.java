package dev.weir.workflow.hdfs;

import org.apache.hadoop.conf.Configuration;

/**
 * Configures reads from a dead DataNode to fail over, or to fail, within seconds. Hadoop's defaults
 * wait minutes for a node to come back; here another node produces the data again.
 */
public final class ReadFailoverSettings {

  private ReadFailoverSettings() {}

  /**
   * Applies the settings.
   *
   * @param conf is changed
   * @return the same object
   */
  public static Configuration applyTo(Configuration conf) {
    conf.setInt("dfs.client.socket-timeout", 8_000);
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    conf.setInt("dfs.client.retry.window.base", 500);
    conf.setInt("dfs.client.retry.interval-ms.get-last-block-length", 500);
    // A file is complete once the NameNode has learned of its last block, which takes
    // milliseconds; the client asks too early once and then sleeps. The retries add up to the
    // default time.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 11);
    return conf;
  }
}
