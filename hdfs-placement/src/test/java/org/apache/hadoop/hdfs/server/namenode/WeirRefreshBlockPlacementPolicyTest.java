package org.apache.hadoop.hdfs.server.namenode;

import org.junit.jupiter.api.Tag;

/**
 * Hadoop's own test that a running NameNode changes its policy. It counts calls of its own test
 * policy, so it cannot test Weir's; {@code ScatteredClusterTest} switches to Weir's and back.
 */
@Tag("upstream")
public class WeirRefreshBlockPlacementPolicyTest extends TestRefreshBlockPlacementPolicy {}
