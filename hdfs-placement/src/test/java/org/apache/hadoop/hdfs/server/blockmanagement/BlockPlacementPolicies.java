package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Replaces Hadoop's class of this name in tests, because its own tests name the policy themselves.
 * With the system property {@value #ON_TOP}, Weir's policy is put on top of the configured one.
 */
public class BlockPlacementPolicies {
  static final String ON_TOP = "weir.test.on-top";

  private final BlockPlacementPolicy replicationPolicy;
  private final BlockPlacementPolicy ecPolicy;

  /** Called by Hadoop. */
  public BlockPlacementPolicies(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    Class<? extends BlockPlacementPolicy> configured =
        conf.getClass(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT,
            BlockPlacementPolicy.class);
    Configuration used = conf;
    if (Boolean.getBoolean(ON_TOP) && configured != WeirBlockPlacementPolicy.class) {
      used = new Configuration(conf);
      used.set(WeirBlockPlacementPolicy.BASE_KEY, configured.getName());
      configured = WeirBlockPlacementPolicy.class;
    }
    replicationPolicy = ReflectionUtils.newInstance(configured, used);
    replicationPolicy.initialize(used, stats, clusterMap, host2datanodeMap);
    ecPolicy =
        ReflectionUtils.newInstance(
            conf.getClass(
                DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
                DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_DEFAULT,
                BlockPlacementPolicy.class),
            conf);
    ecPolicy.initialize(conf, stats, clusterMap, host2datanodeMap);
  }

  /** As in Hadoop. */
  public BlockPlacementPolicy getPolicy(BlockType blockType) {
    return blockType == BlockType.CONTIGUOUS ? replicationPolicy : ecPolicy;
  }
}
