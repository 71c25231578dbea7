package org.apache.hadoop.hdfs.server.blockmanagement;

import org.junit.ClassRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's test of placement by space on the local node, with Weir's policy on top. */
@Tag("upstream")
@ExtendWith(OnTop.class)
public class WeirReplicationPolicyBalanceLocalTest extends TestAvailableSpaceBPPBalanceLocal {
  /** For JUnit 4. */
  @ClassRule public static final OnTop ON_TOP = new OnTop();
}
