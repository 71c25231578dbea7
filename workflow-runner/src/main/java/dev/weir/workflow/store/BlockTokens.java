package dev.weir.workflow.store;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Decides whether listed blocks can be read as they are: listings contain no block tokens. A
 * DataNode that requires a token refuses a reader without one. With encryption or SASL the
 * connection cannot even be opened, which Hadoop's client does not handle.
 *
 * @param required whether the DataNodes require tokens; a wrong guess costs a request to the
 *     NameNode
 */
record BlockTokens(boolean required) {

  private static final String REQUIRED_KEY = "dfs.block.access.token.enable";

  /** With Kerberos, HDFS does not start without block tokens. */
  static BlockTokens of(Configuration conf) {
    return new BlockTokens(
        UserGroupInformation.isSecurityEnabled() || conf.getBoolean(REQUIRED_KEY, false));
  }

  /** Returns whether a block lacks its token. */
  boolean areMissing(LocatedBlocks blocks) {
    return required
        && blocks.getLocatedBlocks().stream()
            .anyMatch(block -> block.getBlockToken().getIdentifier().length == 0);
  }
}
