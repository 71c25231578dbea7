package dev.weir.hints;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Where hints are stored, by the cluster's configuration.
 *
 * @param quorum ZooKeeper servers as {@code host:port[,host:port...]}; empty for no hints
 * @param root the parent of all of Weir's znodes, absolute, without a trailing slash
 * @param authority the file system whose hints are used, as rules name it in {@code
 *     hdfs://AUTHORITY/}; empty if they do not name it
 * @param access how this process authenticates to ZooKeeper, and whose sets it follows
 * @param memory the most bytes of all sets together, see {@link dev.weir.hints.index.SetMemory}
 */
public record HintSettings(
    String quorum, String root, String authority, StoreAccess access, long memory) {
  /** The key of {@link #quorum}. By default it is empty, and there are no hints. */
  public static final String QUORUM_KEY = "weir.zookeeper.quorum";

  public static final String ROOT_KEY = "weir.zookeeper.root";

  /** The key of {@link #memory}: bytes, or a number with k, m or g. */
  public static final String MEMORY_KEY = "weir.hints.memory";

  public static final long DEFAULT_MEMORY = 256L << 20;

  public static final String DEFAULT_ROOT = "/weir";

  /** Validates the root and the memory. */
  public HintSettings {
    quorum = quorum.strip();
    root = root.strip();
    if (!root.matches("(/[^/]+)+")) {
      throw new InvalidHintException(
          ROOT_KEY
              + " is '"
              + root
              + "', which is not an absolute znode path; write one such as "
              + DEFAULT_ROOT);
    }
    if (memory < 1) {
      throw new InvalidHintException(MEMORY_KEY + " is " + memory + "; write a size such as 256m");
    }
  }

  /** Settings with the default bound of the memory. */
  public HintSettings(String quorum, String root, String authority, StoreAccess access) {
    this(quorum, root, authority, access, DEFAULT_MEMORY);
  }

  /** Settings for a file system that rules do not name. */
  public HintSettings(String quorum, String root) {
    this(quorum, root, "", StoreAccess.OPEN);
  }

  /** A copy for another file system. */
  public HintSettings forFileSystem(String otherAuthority) {
    return new HintSettings(quorum, root, otherAuthority, access, memory);
  }

  /**
   * Reads the keys for the default file system.
   *
   * @throws InvalidHintException if a value is invalid
   */
  public static HintSettings from(Configuration configuration) {
    return from(configuration, FileSystem.getDefaultUri(configuration));
  }

  /**
   * Reads the keys.
   *
   * @throws InvalidHintException if a value is invalid
   */
  public static HintSettings from(Configuration configuration, URI fileSystem) {
    String authority = fileSystem.getAuthority();
    return new HintSettings(
        configuration.getTrimmed(QUORUM_KEY, ""),
        configuration.getTrimmed(ROOT_KEY, DEFAULT_ROOT),
        authority == null ? "" : authority,
        StoreAccess.from(configuration),
        memory(configuration));
  }

  private static long memory(Configuration configuration) {
    try {
      return configuration.getLongBytes(MEMORY_KEY, DEFAULT_MEMORY);
    } catch (IllegalArgumentException e) {
      throw new InvalidHintException(
          MEMORY_KEY
              + " is '"
              + configuration.get(MEMORY_KEY)
              + "', which is not a size; write one such as 256m",
          e);
    }
  }

  /** Whether a store of hints is configured. */
  public boolean isEnabled() {
    return !quorum.isEmpty();
  }
}
