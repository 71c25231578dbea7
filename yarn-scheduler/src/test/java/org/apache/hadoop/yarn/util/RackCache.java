package org.apache.hadoop.yarn.util;

/** YARN's cache of racks, which all tests of a JVM share. */
public final class RackCache {

  private RackCache() {}

  /** Clears the cache, because the next test may have the same host in another rack. */
  public static void clear() {
    RackResolver.reset();
  }
}
