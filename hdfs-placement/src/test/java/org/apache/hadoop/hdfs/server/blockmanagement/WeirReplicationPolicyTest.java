package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.runners.Parameterized;

/**
 * Hadoop's own tests of its stock policy, which Weir's policy passes without hints. They take
 * minutes, so they run in the nightly build and on request: {@code mvn verify -pl hdfs-placement
 * -am -Pupstream-tests -Dtest='WeirR*Test' -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@Tag("upstream")
public class WeirReplicationPolicyTest extends TestReplicationPolicy {

  /** Called by JUnit. */
  public WeirReplicationPolicyTest(String policyClass) {
    super(policyClass);
  }

  /** The policies to test, in place of Hadoop's own list. */
  @Parameterized.Parameters // for the JUnit 4 of Hadoop 3.4
  public static Iterable<Object[]> data() {
    return List.<Object[]>of(new Object[] {WeirBlockPlacementPolicy.class.getName()});
  }
}
