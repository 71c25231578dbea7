package dev.weir.hdfs.placement;

/** Hash functions that must never change: they determine where the files of groups are. */
public final class StableHash {
  private StableHash() {}

  public static long of(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /**
   * Stafford's variant 13 of MurmurHash3's finalizer: every bit of the result depends on every bit
   * of the argument.
   */
  static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }
}
