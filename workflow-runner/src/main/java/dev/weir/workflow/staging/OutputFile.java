package dev.weir.workflow.staging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The file in a run's directory to which a worker appends what its commands printed. An entry is a
 * line of JSON with task, attempt, stream and length, and the bytes. A later entry of an attempt
 * replaces an earlier one.
 */
public final class OutputFile {

  public static final String PREFIX = "output-";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_HEADER = 1 << 20;

  private OutputFile() {}

  /**
   * Returns the name of a file.
   *
   * @param number 1, or more after the worker could not write to its last file
   */
  public static String name(String worker, int number) {
    return PREFIX + worker + "." + number;
  }

  /** Returns whether a worker wrote a file. */
  public static boolean isOf(String name, String worker) {
    return name.startsWith(PREFIX + worker + ".");
  }

  /**
   * Encodes an entry.
   *
   * @param log the attempt and the stream
   * @param text what it printed
   */
  public static byte[] entry(KeptLog log, byte[] text) {
    try {
      byte[] header =
          JSON.writeValueAsBytes(
              JSON.createArrayNode()
                  .add(log.task())
                  .add(log.attempt())
                  .add(log.stream().label())
                  .add(text.length));
      ByteArrayOutputStream entry = new ByteArrayOutputStream(header.length + text.length + 1);
      entry.writeBytes(header);
      entry.write('\n');
      entry.writeBytes(text);
      return entry.toByteArray();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot encode " + log, e);
    }
  }

  /**
   * Reads entries. A last one that is incomplete is ignored: the worker is writing it, or died.
   *
   * @param in the file; the caller closes it
   * @param wanted selects entries
   * @param found receives them in their order
   */
  public static void read(
      InputStream in, Predicate<KeptLog> wanted, BiConsumer<KeptLog, String> found)
      throws IOException {
    BufferedInputStream file = new BufferedInputStream(in, 1 << 16);
    while (true) {
      byte[] header = line(file);
      JsonNode node = header.length == 0 ? JSON.missingNode() : parsed(header);
      if (!node.isArray()) {
        return;
      }
      KeptLog log =
          new KeptLog(
              node.path(0).asText(),
              node.path(1).asInt(),
              Stream.valueOf(node.path(2).asText().toUpperCase(Locale.ROOT)));
      int length = node.path(3).asInt();
      if (wanted.test(log)) {
        byte[] text = file.readNBytes(length);
        if (text.length < length) {
          return;
        }
        found.accept(log, new String(text, StandardCharsets.UTF_8));
      } else {
        skip(file, length);
      }
    }
  }

  /** Skips bytes, or up to the end of the file. */
  private static void skip(InputStream file, long length) throws IOException {
    long left = length;
    long skipped;
    do {
      skipped = file.skip(left);
      left -= skipped;
    } while (left > 0 && skipped > 0);
  }

  private static JsonNode parsed(byte[] header) throws IOException {
    try {
      return JSON.readTree(header);
    } catch (JsonProcessingException e) {
      return JSON.missingNode();
    }
  }

  private static byte[] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.size() < MAX_HEADER) {
      line.write(next);
      next = in.read();
    }
    return line.toByteArray();
  }
}
