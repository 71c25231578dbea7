package dev.weir.hints;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Where the hints are kept, as the cluster's configuration has it.
 *
 * @param quorum ZooKeeper servers as {@code host:port[,host:port...]}; empty for no hints
 * @param root the znode below which everything is, absolute, no slash at its end
 * @param authority names the file system that hints are looked up for, as in {@code
 *     hdfs://AUTHORITY/}; empty for one that no rule names
 * @param access who one is towards ZooKeeper
 */
public record HintSettings(String quorum, String root, String authority, StoreAccess access) {
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

  /** Settings for a file system that no rule names. */
  public HintSettings(String quorum, String root) {
    this(quorum, root, "", StoreAccess.OPEN);
  }

  /** Settings for a ZooKeeper that is open to all. */
  public HintSettings(String quorum, String root, String authority) {
    this(quorum, root, authority, StoreAccess.OPEN);
  }

  /** The same hints, for another file system. */
  public HintSettings forFileSystem(String otherAuthority) {
    return new HintSettings(quorum, root, otherAuthority, access);
  }

  /**
   * Reads the keys, and which file system is the default one.
   *
   * @throws InvalidHintException when one is there and cannot be used
   */
  public static HintSettings from(Configuration configuration) {
    return from(configuration, FileSystem.getDefaultUri(configuration));
  }

  /**
   * Reads the keys.
   *
   * @param fileSystem that hints are looked up for
   * @throws InvalidHintException when one is there and cannot be used
   */
  public static HintSettings from(Configuration configuration, URI fileSystem) {
    String authority = fileSystem.getAuthority();
    return new HintSettings(
        configuration.getTrimmed(QUORUM_KEY, ""),
        configuration.getTrimmed(ROOT_KEY, DEFAULT_ROOT),
        authority == null ? "" : authority,
        StoreAccess.from(configuration));
  }

  /** Whether there are hints at all. */
  public boolean isEnabled() {
    return !quorum.isEmpty();
  }
}
