package dev.weir.workflow.store;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Whether blocks can be read as they were found. Listings bring no block tokens. A DataNode that
 * wants one refuses who has none; and a connection that is to be secured with one cannot be made,
 * which Hadoop's client does not expect and does not mend.
 *
 * @param wanted whether the DataNodes want tokens; a wrong guess costs a question to the NameNode
 */
record BlockTokens(boolean wanted) {

  private static final String WANTED_KEY = "dfs.block.access.token.enable";

  /** With Kerberos HDFS does not start without them. */
  static BlockTokens of(Configuration conf) {
    return new BlockTokens(
        UserGroupInformation.isSecurityEnabled() || conf.getBoolean(WANTED_KEY, false));
  }

  /** Whether one of the blocks lacks what it is read with. */
  boolean areMissing(LocatedBlocks blocks) {
    return wanted
        && blocks.getLocatedBlocks().stream()
            .anyMatch(block -> block.getBlockToken().getIdentifier().length == 0);
  }
}
