package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** As {@link WeirReplicationPolicyTest}, for Hadoop's test of the same name. */
@Tag("upstream")
public class WeirReplicationPolicyConsiderLoadTest extends TestReplicationPolicyConsiderLoad {

  /** Called by JUnit. */
  public WeirReplicationPolicyConsiderLoadTest(String policyClass) {
    super(policyClass);
  }

  /** The policies to test, in place of Hadoop's own list. */
  public static Iterable<Object[]> data() {
    return List.<Object[]>of(new Object[] {WeirBlockPlacementPolicy.class.getName()});
  }
}
