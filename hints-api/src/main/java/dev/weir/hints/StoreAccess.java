package dev.weir.hints;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * How a process authenticates to ZooKeeper, and whose hint sets it follows.
 *
 * @param auth {@code USER:PASSWORD}, or {@code @FILE} that contains it, for ZooKeeper's digest
 *     scheme; {@code sasl} for a JAAS login; empty for anonymous access
 * @param isOpen whether all who reach ZooKeeper may write sets, and all sets are followed
 * @param writers the ZooKeeper ids that may write the sets that are followed, besides this process:
 *     {@code digest:USER}, {@code sasl:USER} or another {@code SCHEME:ID}
 */
public record StoreAccess(String auth, boolean isOpen, Set<String> writers) {
  public static final String AUTH_KEY = "weir.zookeeper.auth";

  /** The key of {@link #isOpen}; the default is false. */
  public static final String OPEN_KEY = "weir.zookeeper.open";

  /** The key of {@link #writers}, separated by commas. */
  public static final String WRITERS_KEY = "weir.zookeeper.writers";

  /** The value of {@link #auth} for a JAAS login. */
  public static final String SASL = "sasl";

  /** Anonymous access to a store that all may write. */
  public static final StoreAccess OPEN = new StoreAccess("", true, Set.of());

  /** Validates the form of the identities. */
  public StoreAccess {
    if (!auth.isEmpty() && !auth.equals(SASL) && !auth.startsWith("@") && !auth.contains(":")) {
      throw new InvalidHintException(
          AUTH_KEY + " must be user:password, @file with that content, or " + SASL);
    }
    writers = Set.copyOf(writers);
    for (String writer : writers) {
      if (writer.indexOf(':') < 1 || writer.startsWith("world:")) {
        throw new InvalidHintException(
            WRITERS_KEY
                + " has '"
                + writer
                + "', which is not the id of a writer; write ids as sasl:weir or digest:weir");
      }
    }
  }

  /** A store that only this identity may write. */
  public static StoreAccess closed(String auth) {
    return new StoreAccess(auth, false, Set.of());
  }

  /** A store of which this anonymous process follows the sets of some writers. */
  public static StoreAccess following(Collection<String> writers) {
    return new StoreAccess("", false, new TreeSet<>(writers));
  }

  /**
   * Reads the keys.
   *
   * @throws InvalidHintException if a value is invalid
   */
  public static StoreAccess from(Configuration configuration) {
    String open = configuration.getTrimmed(OPEN_KEY, "false");
    if (!open.equals("true") && !open.equals("false")) {
      throw new InvalidHintException(OPEN_KEY + " is '" + open + "'; write true or false");
    }
    return new StoreAccess(
        configuration.getTrimmed(AUTH_KEY, ""),
        open.equals("true"),
        new TreeSet<>(configuration.getTrimmedStringCollection(WRITERS_KEY)));
  }

  /** Whether this process protects what it writes; an anonymous process cannot. */
  public boolean closes() {
    return !isOpen && !auth.isEmpty();
  }

  /** Does not show the password. */
  @Override
  public String toString() {
    return "StoreAccess["
        + (auth.isEmpty() ? "anonymous" : "authenticated")
        + ", "
        + (isOpen ? "open" : "writers " + writers)
        + "]";
  }
}
