package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.hdfs.server.namenode.TestUpgradeDomainBlockPlacementPolicy;
import org.junit.ClassRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's test of upgrade domains on a cluster, with Weir's policy on top. */
@Tag("upstream")
@ExtendWith(OnTop.class)
public class WeirReplicationPolicyUpgradeDomainClusterTest
    extends TestUpgradeDomainBlockPlacementPolicy {
  /** For JUnit 4. */
  @ClassRule public static final OnTop ON_TOP = new OnTop();
}
