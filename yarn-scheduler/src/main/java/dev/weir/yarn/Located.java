package dev.weir.yarn;

import java.util.Map;

/** What is known at this moment about where the files of a name are. */
sealed interface Located {

  /** A look-up is under way. */
  record Pending() implements Located {}

  /** No answer is to be had: no such file, no permission, no NameNode, a name that is refused. */
  record Unknown() implements Located {}

  /** Bytes on each host, by the host names that HDFS gives. Empty files give an empty map. */
  record Found(Map<String, Long> bytesByHost) implements Located {
    public Found {
      bytesByHost = Map.copyOf(bytesByHost);
    }
  }
}
