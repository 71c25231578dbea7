package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.Transfers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of one content of one file in the cache of a node.
 *
 * @param digest of everything that tells the content from others
 * @param length of the content in bytes
 * @param modifiedMillis when it was written; a copy has the same time as long as nobody alters it
 */
public record CacheKey(String digest, long length, long modifiedMillis) {

  /** What a digest looks like; whoever comes with something else looks for another file. */
  static final String DIGESTS = "[0-9a-f]{64}";

  private static final int LOCK_DIGITS = 3;
  private static final int HEX = 16;
  private static final int HALF = CacheDirectory.CONTENT_LOCKS / 2;

  public static CacheKey of(String path, Version version) {
    String text =
        path + '\0' + version.id() + '\0' + version.length() + '\0' + version.modifiedMillis();
    return new CacheKey(
        HexFormat.of().formatHex(sha256().digest(text.getBytes(UTF_8))),
        version.length(),
        version.modifiedMillis());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /**
   * The lock of this content; others may have the same, but what is soon there never one with what
   * takes a while: a task with thousands of small inputs would wait for some large one of another.
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
