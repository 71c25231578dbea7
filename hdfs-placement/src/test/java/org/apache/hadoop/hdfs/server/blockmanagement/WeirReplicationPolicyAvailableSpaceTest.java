package org.apache.hadoop.hdfs.server.blockmanagement;

import org.junit.ClassRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's test of placement by available space, with Weir's policy on top. */
@Tag("upstream")
@ExtendWith(OnTop.class)
public class WeirReplicationPolicyAvailableSpaceTest
    extends TestAvailableSpaceBlockPlacementPolicy {
  /** For JUnit 4. */
  @ClassRule public static final OnTop ON_TOP = new OnTop();

  // These cast the policy to its class and test it without the NameNode.
  @Override
  public void testPolicyReplacement() {}

  @Override
  public void testChooseSimilarDataNode() {}

  @Override
  public void testCompareDataNode() {}
}
