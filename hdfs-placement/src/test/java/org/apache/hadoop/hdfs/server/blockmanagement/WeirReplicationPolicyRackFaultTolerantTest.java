package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.hdfs.server.namenode.TestBlockPlacementPolicyRackFaultTolerant;
import org.junit.ClassRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's test of placement over many racks, with Weir's policy on top. */
@Tag("upstream")
@ExtendWith(OnTop.class)
public class WeirReplicationPolicyRackFaultTolerantTest
    extends TestBlockPlacementPolicyRackFaultTolerant {
  /** For JUnit 4. */
  @ClassRule public static final OnTop ON_TOP = new OnTop();
}
