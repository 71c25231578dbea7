package dev.weir.yarn.lookup;

import java.util.List;
import java.util.Map;

/** The known locations of a name's files. */
public sealed interface LocationResult {

  /** A lookup is in progress. */
  record Pending() implements LocationResult {}

  record Unknown(Why why) implements LocationResult {}

  /**
   * Bytes by host, with the host names that HDFS uses. The maps are empty for empty files.
   *
   * @param cachedByHost the share of these bytes that is in a DataNode's memory
   * @param missing some of the paths that do not exist or may not be read, if others could be
   * @param expected whether hints located some files that do not exist yet
   */
  record Found(
      Map<String, Long> bytesByHost,
      Map<String, Long> cachedByHost,
      List<String> missing,
      boolean expected)
      implements LocationResult {

    public Found {
      bytesByHost = Map.copyOf(bytesByHost);
      cachedByHost = Map.copyOf(cachedByHost);
      missing = List.copyOf(missing);
    }

    public Found(
        Map<String, Long> bytesByHost, Map<String, Long> cachedByHost, List<String> missing) {
      this(bytesByHost, cachedByHost, missing, false);
    }

    public Found(Map<String, Long> bytesByHost) {
      this(bytesByHost, Map.of(), List.of());
    }
  }

  /** Why there is no answer, as text for the user. */
  enum Why {
    /**
     * One reason for both: whether a path exists must not be disclosed to users without permission.
     */
    NOT_THERE("does not exist or may not be read"),
    BAD_PATTERN(
        "is a pattern that cannot be parsed: close its brackets and braces, and use no slash in"
            + " braces"),
    NO_ANSWER("could not be looked up because the file system does not answer"),
    TOO_MANY("was not looked up because too many others are waiting");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
