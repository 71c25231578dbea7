package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.runners.Parameterized;

/** As {@link WeirReplicationPolicyTest}, for Hadoop's test of the same name. */
@Tag("upstream")
public class WeirReplicationPolicyExcludeSlowNodesTest
    extends TestReplicationPolicyExcludeSlowNodes {

  /** Called by JUnit. */
  public WeirReplicationPolicyExcludeSlowNodesTest(String policyClass) {
    super(policyClass);
  }

  /** The policies to test, in place of Hadoop's own list. */
  @Parameterized.Parameters // for the JUnit 4 of Hadoop 3.4
  public static Iterable<Object[]> data() {
    return List.<Object[]>of(new Object[] {WeirBlockPlacementPolicy.class.getName()});
  }
}
