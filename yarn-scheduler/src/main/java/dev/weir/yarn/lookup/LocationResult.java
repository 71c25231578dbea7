package dev.weir.yarn.lookup;

import java.util.List;
import java.util.Map;

/** What is known at this moment about where the files of a name are. */
public sealed interface LocationResult {

  /** A look-up is under way. */
  record Pending() implements LocationResult {}

  /** No answer is to be had. */
  record Unknown(Why why) implements LocationResult {

    /** There is nothing that the user may read. */
    public Unknown() {
      this(Why.NOT_THERE);
    }
  }

  /**
   * Bytes on each host, by the host names that HDFS gives. Empty files give empty maps.
   *
   * @param cachedByHost of these bytes the ones that are in a DataNode's memory
   * @param missing some of the paths that do not exist or may not be read, if others could be
   * @param expected whether some of it is not there yet, and will be there by what hints say
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

  /** Why there is no answer, in words for the user who asked. */
  enum Why {
    /** One reason for both: whether a path exists is not told to those who may not see it. */
    NOT_THERE("does not exist or may not be read"),
    BAD_PATTERN(
        "is a pattern that cannot be read: close its brackets and braces, of which it may have "
            + BraceExpander.MOST_PAIRS
            + " pairs"),
    NO_ANSWER("could not be looked up, the file system gives no answer"),
    TOO_MANY("was not looked up, too many others are waiting");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
