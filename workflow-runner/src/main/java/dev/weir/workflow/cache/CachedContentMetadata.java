package dev.weir.workflow.cache;

import dev.weir.workflow.record.Checksum;

/**
 * The stored metadata of a cached content.
 *
 * @param crc32c of the content; {@link Checksum#UNKNOWN} when it was not computed
 * @param made whether a task of this node wrote it, so that it was not fetched
 */
record CachedContentMetadata(long crc32c, boolean made) {

  private static final String MADE = " made";

  /** Reads what {@link #text} wrote. */
  static CachedContentMetadata parse(String text) {
    boolean made = text.endsWith(MADE);
    String sum = made ? text.substring(0, text.length() - MADE.length()) : text;
    return new CachedContentMetadata(
        sum.isEmpty() ? Checksum.UNKNOWN : Checksum.fromHex(sum), made);
  }

  /** Returns the stored form. */
  String text() {
    return (Checksum.isKnown(crc32c) ? Checksum.toHex(crc32c) : "") + (made ? MADE : "");
  }
}
