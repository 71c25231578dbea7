package dev.weir.hints.store;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Serializes sets as JSON, gzipped if long. Data that exceeds a znode is stored in {@link
 * SetParts}.
 */
final class SetSerializer {
  /** ZooKeeper's default limit of a request, less some room for its other content. */
  static final int MAX_STORED = 1_000_000;

  /** Shorter texts stay readable in ZooKeeper's shell. */
  private static final int MAX_PLAIN = 64 * 1024;

  /**
   * The largest unpacked size, with room for more than 100,000 rules. It prevents a malicious znode
   * from filling a NameNode's memory, where a set takes about ten times as much.
   */
  static final int MAX_UNPACKED = 16 << 20;

  private SetSerializer() {}

  /**
   * @throws SetTooBigException if readers would refuse the set
   */
  static byte[] encode(HintSet set) throws SetTooBigException {
    byte[] json = HintCodec.toJson(set).getBytes(StandardCharsets.UTF_8);
    requireAtMost(MAX_UNPACKED, json.length, set);
    return json.length <= MAX_PLAIN ? json : gzip(json);
  }

  /** Encodes a set of any size, gzipped if it has more than {@code maxPlain} bytes. */
  static byte[] encode(HintSet set, int maxPlain) {
    byte[] json = HintCodec.toJson(set).getBytes(StandardCharsets.UTF_8);
    return json.length <= maxPlain ? json : gzip(json);
  }

  private static void requireAtMost(int max, int bytes, HintSet set) throws SetTooBigException {
    if (bytes > max) {
      throw new SetTooBigException(
          "hint set '"
              + set.id()
              + "' is "
              + bytes
              + " bytes as JSON, more than "
              + max
              + "; use fewer rules, with wildcards, or several sets");
    }
  }

  /**
   * @throws InvalidHintException if the bytes are not a hint set
   */
  static HintSet decode(byte[] bytes, String source) {
    byte[] json = json(bytes, source);
    return HintCodec.fromJson(new String(json, StandardCharsets.UTF_8), source);
  }

  /**
   * Unpacks the bytes if they are packed.
   *
   * @throws InvalidHintException if they cannot be unpacked
   */
  static byte[] json(byte[] bytes, String source) {
    return isGzipped(bytes) ? gunzip(bytes, source) : bytes;
  }

  private static boolean isGzipped(byte[] bytes) {
    return bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("compression in memory failed", e);
    }
    return out.toByteArray();
  }

  private static byte[] gunzip(byte[] bytes, String source) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] unpacked = in.readNBytes(MAX_UNPACKED + 1);
      if (unpacked.length > MAX_UNPACKED) {
        throw new InvalidHintException(
            source + ": is more than " + MAX_UNPACKED + " bytes unpacked; remove it");
      }
      return unpacked;
    } catch (IOException e) {
      throw new InvalidHintException(source + ": is not valid gzip data; write the set again", e);
    }
  }
}
