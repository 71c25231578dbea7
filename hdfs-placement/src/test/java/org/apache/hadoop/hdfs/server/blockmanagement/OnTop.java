package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Puts Weir's policy on top of the policy that a test class of Hadoop configures. */
public final class OnTop implements BeforeAllCallback, AfterAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    HdfsConfiguration.init();
    Configuration.addDefaultResource("hadoop-upstream.xml");
    System.setProperty(BlockPlacementPolicies.ON_TOP, "true");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    System.clearProperty(BlockPlacementPolicies.ON_TOP);
  }
}
