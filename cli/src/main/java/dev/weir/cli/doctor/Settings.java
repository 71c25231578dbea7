package dev.weir.cli.doctor;

import java.util.Arrays;
import java.util.Map;

/** The settings that daemons and clients need. */
final class Settings {
  static final String POLICY_KEY = "dfs.block.replicator.classname";
  static final String POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.WeirBlockPlacementPolicy";
  static final String BASE_KEY = "weir.block.replicator.base";
  static final String STOCK_POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";
  static final String NODE_GROUP_POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup";
  static final String UPGRADE_DOMAIN_POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain";
  static final String TOPOLOGY_KEY = "net.topology.impl";
  static final String NODE_GROUP_TOPOLOGY = "org.apache.hadoop.net.NetworkTopologyWithNodeGroup";
  static final String AUDIT_KEY = "dfs.namenode.audit.loggers";
  static final String PROCESSORS_KEY = "yarn.resourcemanager.application-master-service.processors";
  static final String PROCESSOR = "dev.weir.yarn.WeirAskProcessor";
  static final String ALLOCATOR_KEY = "yarn.scheduler.app-placement-allocator.class";
  static final String ALLOCATOR = "dev.weir.yarn.WeirPlacementAllocator";
  static final String AUTOCORRECT_KEY =
      "yarn.resourcemanager.scheduler.autocorrect.container.allocation";
  static final String CLIENT_KEY = "fs.hdfs.impl";
  static final String CLIENT = "dev.weir.hdfs.WeirFileSystem";
  static final String XATTRS_KEY = "dfs.namenode.xattrs.enabled";
  static final String PINNING_KEY = "dfs.datanode.block-pinning.enabled";
  static final String DISK_KEY =
      "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage";
  static final float DISK_DEFAULT = 90;
  static final String DISK_CHECK_KEY = "yarn.nodemanager.disk-health-checker.enable";
  static final String DISK_LIMITED_KEY =
      "yarn.nodemanager.disk-health-checker.disk-utilization-threshold.enabled";

  private Settings() {}

  /** Returns whether a comma-separated setting contains a value. */
  static boolean has(Map<String, String> settings, String key, String value) {
    return Arrays.asList(settings.getOrDefault(key, "").trim().split("\\s*,\\s*", -1))
        .contains(value);
  }

  /** Formats a setting for the user. */
  static String words(Map<String, String> settings, String key) {
    String value = settings.getOrDefault(key, "").trim();
    return value.isEmpty() ? key + " is not set" : key + " is " + value;
  }
}
