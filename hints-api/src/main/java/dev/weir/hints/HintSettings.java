package dev.weir.hints;

import org.apache.hadoop.conf.Configuration;

/**
 * Where the hints are kept, as the cluster's configuration has it.
 *
 * @param quorum ZooKeeper servers as {@code host:port[,host:port...]}; empty for no hints
 * @param root the znode below which everything is, absolute, no slash at its end
 */
public record HintSettings(String quorum, String root) {
  /** The key of {@link #quorum}. Default: empty, that is, no hints and everything stock. */
  public static final String QUORUM_KEY = "weir.zookeeper.quorum";

  /** The key of {@link #root}. */
  public static final String ROOT_KEY = "weir.zookeeper.root";

  /** The default of {@link #root}. */
  public static final String DEFAULT_ROOT = "/weir";

  /** Checks the root. */
  public HintSettings {
    quorum = quorum.strip();
    root = root.strip();
    if (!root.matches("(/[^/]+)+")) {
      throw new InvalidHintException(
          ROOT_KEY
              + " is '"
              + root
              + "', which is no absolute path of a znode; write one such as "
              + DEFAULT_ROOT);
    }
  }

  /**
   * Reads the two keys.
   *
   * @throws InvalidHintException when one is there and cannot be used
   */
  public static HintSettings from(Configuration configuration) {
    return new HintSettings(
        configuration.getTrimmed(QUORUM_KEY, ""), configuration.getTrimmed(ROOT_KEY, DEFAULT_ROOT));
  }

  /** Whether there are hints at all. */
  public boolean isEnabled() {
    return !quorum.isEmpty();
  }
}
