package dev.weir.hdfs.placement;

/** Hashes that must never change: where the files of groups are follows from them. */
final class StableHash {
  private StableHash() {}

  static long of(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /** Stafford's variant 13 of the finalizer of MurmurHash3: every bit depends on every bit. */
  static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }
}
