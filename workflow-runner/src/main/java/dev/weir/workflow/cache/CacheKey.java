package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.text.Sha256;
import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.Transfers;

/**
 * The name of one content of a file in a node's cache.
 *
 * @param digest of everything that identifies the content
 * @param length of the content in bytes
 * @param modifiedMillis when it was written; an unaltered copy has the same time
 */
public record CacheKey(String digest, long length, long modifiedMillis) {

  /** The form of a digest; rejects other strings, which could name other files. */
  static final String DIGESTS = "[0-9a-f]{64}";

  private static final int LOCK_DIGITS = 3;
  private static final int HEX = 16;
  private static final int HALF = CacheDirectory.CONTENT_LOCKS / 2;

  public static CacheKey of(String path, Version version) {
    String text =
        path + '\0' + version.id() + '\0' + version.length() + '\0' + version.modifiedMillis();
    return new CacheKey(
        Sha256.hex(text.getBytes(UTF_8)), version.length(), version.modifiedMillis());
  }

  /** Returns the key of a file in the store of a node; its checksum is part of the digest. */
  static CacheKey of(String path, NodeContent content) {
    return of(path + '\0' + content.crc32c(), version(content));
  }

  /** Returns the version that a file in the store of a node has for its readers. */
  static Version version(NodeContent content) {
    return new Version(0, content.bytes(), content.millis());
  }

  /**
   * Returns the lock of this content. Contents share locks, but small and large contents never do:
   * a task with thousands of small inputs would wait for another's large one.
   */
  int lock() {
    int number = Integer.parseInt(digest.substring(0, LOCK_DIGITS), HEX) % HALF;
    return length < Transfers.BULKY_BYTES ? number : HALF + number;
  }

  @Override
  public String toString() {
    return digest + " of " + length + " bytes";
  }
}
