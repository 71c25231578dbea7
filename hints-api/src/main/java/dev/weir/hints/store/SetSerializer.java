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
 * A set as bytes: JSON, gzipped when it is long. What is longer than a znode is kept in {@link
 * SetParts}.
 */
final class SetSerializer {
  /** What ZooKeeper takes by default, less something for the rest of the request. */
  static final int MAX_STORED = 1_000_000;

  /** Below it the text stays readable for people with ZooKeeper's own shell. */
  private static final int MAX_PLAIN = 64 * 1024;

  /**
   * What a set may be unpacked to: keeps a hostile znode from filling a NameNode's memory, where a
   * set takes some ten times as much. More than 100,000 rules.
   */
  static final int MAX_UNPACKED = 16 << 20;

  private SetSerializer() {}

  /**
   * @throws SetTooBigException when the set is too big for anyone to read
   */
  static byte[] encode(HintSet set) throws SetTooBigException {
    byte[] json = HintCodec.toJson(set).getBytes(StandardCharsets.UTF_8);
    requireAtMost(MAX_UNPACKED, json.length, set);
    return json.length <= MAX_PLAIN ? json : zip(json);
  }

  private static void requireAtMost(int most, int bytes, HintSet set) throws SetTooBigException {
    if (bytes > most) {
      throw new SetTooBigException(
          "hint set '"
              + set.id()
              + "' is "
              + bytes
              + " bytes as JSON, more than "
              + most
              + "; use fewer rules, with wildcards, or several sets");
    }
  }

  /**
   * @throws InvalidHintException when the bytes are no hint set
   */
  static HintSet decode(byte[] bytes, String source) {
    byte[] json = isZipped(bytes) ? unzip(bytes, source) : bytes;
    return HintCodec.fromJson(new String(json, StandardCharsets.UTF_8), source);
  }

  private static boolean isZipped(byte[] bytes) {
    return bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
  }

  private static byte[] zip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("packing in memory failed", e);
    }
    return out.toByteArray();
  }

  private static byte[] unzip(byte[] bytes, String source) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] unpacked = in.readNBytes(MAX_UNPACKED + 1);
      if (unpacked.length > MAX_UNPACKED) {
        throw new InvalidHintException(
            source + ": is more than " + MAX_UNPACKED + " bytes unpacked; remove it");
      }
      return unpacked;
    } catch (IOException e) {
      throw new InvalidHintException(source + ": is not gzip; write the set again", e);
    }
  }
}
