package org.apache.hadoop.hdfs.server.blockmanagement;

import org.junit.ClassRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's test of placement with upgrade domains, with Weir's policy on top. */
@Tag("upstream")
@ExtendWith(OnTop.class)
public class WeirReplicationPolicyWithUpgradeDomainTest
    extends TestReplicationPolicyWithUpgradeDomain {
  /** For JUnit 4. */
  @ClassRule public static final OnTop ON_TOP = new OnTop();
}
