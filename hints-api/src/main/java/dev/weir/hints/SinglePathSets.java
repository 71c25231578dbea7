package dev.weir.hints;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.util.StringUtils;

/** Hint sets with a single rule for one path. */
public final class SinglePathSets {
  public static final String PREFIX = "path-";

  private static final int HASH_BYTES = 16;

  private SinglePathSets() {}

  /**
   * The id of a path's own set.
   *
   * @param path the path as the user writes it, pattern or not
   */
  public static String idFor(String path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return PREFIX + StringUtils.byteToHexString(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  public static boolean isOne(String id) {
    return id.startsWith(PREFIX) && id.length() == PREFIX.length() + 2 * HASH_BYTES;
  }
}
