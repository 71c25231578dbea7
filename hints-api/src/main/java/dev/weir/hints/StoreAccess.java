package dev.weir.hints;

import org.apache.hadoop.conf.Configuration;

/**
 * How a process authenticates to ZooKeeper, and who may write hint sets.
 *
 * @param auth {@code USER:PASSWORD}, or {@code @FILE} that contains it, for ZooKeeper's digest
 *     scheme; {@code sasl} for a JAAS login; empty for anonymous access
 * @param writerOnly whether written sets may only be changed with the same identity
 */
public record StoreAccess(String auth, boolean writerOnly) {
  /** The key of {@link #auth}. */
  public static final String AUTH_KEY = "weir.zookeeper.auth";

  /** The key of {@link #writerOnly}: {@code open}, the default, or {@code writer}. */
  public static final String ACL_KEY = "weir.zookeeper.acl";

  /** The value of {@link #auth} for a JAAS login. */
  public static final String SASL = "sasl";

  /** Anonymous access to a store that all may write. */
  public static final StoreAccess OPEN = new StoreAccess("", false);

  private static final String WRITER = "writer";

  /** Validates the form of the identity. */
  public StoreAccess {
    if (!auth.isEmpty() && !auth.equals(SASL) && !auth.startsWith("@") && !auth.contains(":")) {
      throw new InvalidHintException(
          AUTH_KEY + " must be user:password, @file with that content, or " + SASL);
    }
  }

  /**
   * Reads the two keys.
   *
   * @throws InvalidHintException if a value is invalid
   */
  public static StoreAccess from(Configuration configuration) {
    String acl = configuration.getTrimmed(ACL_KEY, "open");
    if (!acl.equals("open") && !acl.equals(WRITER)) {
      throw new InvalidHintException(ACL_KEY + " is '" + acl + "'; write open or " + WRITER);
    }
    return new StoreAccess(configuration.getTrimmed(AUTH_KEY, ""), acl.equals(WRITER));
  }

  /** Whether written sets are protected; an anonymous process cannot protect them. */
  public boolean closes() {
    return writerOnly && !auth.isEmpty();
  }

  /** Does not show the password. */
  @Override
  public String toString() {
    return "StoreAccess["
        + (auth.isEmpty() ? "anonymous" : "authenticated")
        + ", "
        + writerOnly
        + "]";
  }
}
