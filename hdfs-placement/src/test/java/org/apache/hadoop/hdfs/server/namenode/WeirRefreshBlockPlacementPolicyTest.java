package org.apache.hadoop.hdfs.server.namenode;

import org.junit.jupiter.api.Tag;

/**
 * Hadoop's own test that a running NameNode changes its policy. It counts the calls of a policy of
 * its own, so it cannot be run over another; {@code ScatteredClusterTest} changes to Weir's and
 * back.
 */
@Tag("upstream")
public class WeirRefreshBlockPlacementPolicyTest extends TestRefreshBlockPlacementPolicy {}
