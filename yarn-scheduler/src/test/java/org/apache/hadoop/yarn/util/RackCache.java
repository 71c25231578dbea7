package org.apache.hadoop.yarn.util;

/** YARN's cache of racks, which lives as long as the JVM, and so is shared by all tests. */
public final class RackCache {

  private RackCache() {}

  /** Forgets the rack of each host: the next test may have the same host in another one. */
  public static void clear() {
    RackResolver.reset();
  }
}
