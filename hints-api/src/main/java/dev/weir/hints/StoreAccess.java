package dev.weir.hints;

import org.apache.hadoop.conf.Configuration;

/**
 * Who one is towards ZooKeeper, and who may write hint sets there.
 *
 * @param auth {@code USER:PASSWORD}, or {@code @FILE} with that in it, for ZooKeeper's digest
 *     scheme; {@code sasl} where JAAS logs in; empty for nobody
 * @param writerOnly whether sets written are closed to all but who has the same name
 */
public record StoreAccess(String auth, boolean writerOnly) {
  /** The key of {@link #auth}. */
  public static final String AUTH_KEY = "weir.zookeeper.auth";

  /** The key of {@link #writerOnly}: {@code open}, the default, or {@code writer}. */
  public static final String ACL_KEY = "weir.zookeeper.acl";

  /** What {@link #auth} is when JAAS logs in. */
  public static final String SASL = "sasl";

  /** Nobody in particular, and all may write. */
  public static final StoreAccess OPEN = new StoreAccess("", false);

  private static final String WRITER = "writer";

  /** Checks the form of the name. */
  public StoreAccess {
    if (!auth.isEmpty() && !auth.equals(SASL) && !auth.startsWith("@") && !auth.contains(":")) {
      throw new InvalidHintException(
          AUTH_KEY + " is none of user:password, @file with that in it, and " + SASL);
    }
  }

  /**
   * Reads the two keys.
   *
   * @throws InvalidHintException when one cannot be used
   */
  public static StoreAccess from(Configuration configuration) {
    String acl = configuration.getTrimmed(ACL_KEY, "open");
    if (!acl.equals("open") && !acl.equals(WRITER)) {
      throw new InvalidHintException(ACL_KEY + " is '" + acl + "'; write open or " + WRITER);
    }
    return new StoreAccess(configuration.getTrimmed(AUTH_KEY, ""), acl.equals(WRITER));
  }

  /** Whether the sets are to be closed by this one: who is nobody cannot. */
  public boolean closes() {
    return writerOnly && !auth.isEmpty();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "StoreAccess[" + (auth.isEmpty() ? "nobody" : "somebody") + ", " + writerOnly + "]";
  }
}
