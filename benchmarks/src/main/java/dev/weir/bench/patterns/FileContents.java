package dev.weir.bench.patterns;

import dev.weir.bench.series.WrongResultException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The content of files: their name, one per line, as {@code yes NAME} writes it. So a reader can
 * check that it has the right bytes of the right file.
 */
final class FileContents {
  private static final int REPEATS = 4096;

  private FileContents() {}

  /** Returns a command that writes bytes of a file to its standard output. */
  static String print(String name, long offset, long bytes) {
    // Skipping whole lines changes nothing.
    long skipped = offset % line(name).length;
    return "yes "
        + name
        + (skipped == 0 ? "" : " | tail -c +" + (skipped + 1))
        + " | head -c "
        + bytes;
  }

  /** Returns a command that fails unless a local file consists of these bytes of another file. */
  static String check(String file, String name, long offset, long bytes) {
    return print(name, offset, bytes)
        + " | cmp - '"
        + file
        + "' || { echo 'wrong content of "
        + file
        + "' >&2; exit 1; }";
  }

  /** Writes a file as the command would. */
  static void write(String name, long bytes, OutputStream out) throws IOException {
    byte[] block = block(name);
    for (long left = bytes; left > 0; left -= block.length) {
      out.write(block, 0, (int) Math.min(left, block.length));
    }
  }

  /**
   * Reads a file to its end.
   *
   * @throws WrongResultException if its content differs from what {@link #write} writes
   * @throws IOException if it cannot be read
   */
  static void requireWhole(String name, long bytes, InputStream content) throws IOException {
    byte[] expected = block(name);
    byte[] read = new byte[expected.length];
    long at = 0;
    try (InputStream in = new BufferedInputStream(content)) {
      int length = in.readNBytes(read, 0, read.length);
      while (length > 0) {
        if (!Arrays.equals(read, 0, length, expected, 0, length)) {
          throw new WrongResultException(name + " has wrong bytes at " + at + " or after");
        }
        at += length;
        length = in.readNBytes(read, 0, read.length);
      }
    }
    if (at != bytes) {
      throw new WrongResultException(name + " has " + at + " bytes instead of " + bytes);
    }
  }

  private static byte[] block(String name) {
    byte[] line = line(name);
    byte[] block = new byte[line.length * REPEATS];
    for (int i = 0; i < block.length; i++) {
      block[i] = line[i % line.length];
    }
    return block;
  }

  private static byte[] line(String name) {
    return (name + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
