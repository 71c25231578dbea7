package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.rules.ExternalResource;

/**
 * Puts Weir's policy on top of the policy that a test class of Hadoop configures. It is an
 * extension for the JUnit 5 of Hadoop 3.5, and a rule for the JUnit 4 of older ones.
 */
public final class OnTop extends ExternalResource implements BeforeAllCallback, AfterAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    before();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    after();
  }

  @Override
  protected void before() {
    HdfsConfiguration.init();
    Configuration.addDefaultResource("hadoop-upstream.xml");
    System.setProperty(BlockPlacementPolicies.ON_TOP, "true");
  }

  @Override
  protected void after() {
    System.clearProperty(BlockPlacementPolicies.ON_TOP);
  }
}
