package dev.weir.cli.doctor;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/** Asks the ResourceManager about queues. Does not wait for one that is down. */
final class YarnQueues implements QueueCheck.Queues {
  private static final int WAIT_MS = 3_000;
  private static final int RETRY_MS = 1_000;
  private static final int FAILOVERS = 4;

  private final YarnClient yarn = YarnClient.createYarnClient();

  YarnQueues(Configuration configuration) {
    Configuration failFast = new YarnConfiguration(configuration);
    failFast.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, WAIT_MS);
    failFast.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MS);
    failFast.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, FAILOVERS);
    yarn.init(failFast);
    yarn.start();
  }

  @Override
  public @Nullable QueueInfo find(String name) throws IOException {
    try {
      return yarn.getQueueInfo(name);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public List<QueueUserACLInfo> access() throws IOException {
    try {
      return yarn.getQueueAclsInfo();
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    yarn.close();
  }
}
