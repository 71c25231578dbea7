package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/**
 * What an attempt notes with the output that it renames last, before it renames the first: which
 * files its outputs are. As long as the last one has its temporary name the commit is not complete,
 * and whoever knows that the attempt is over can tell by this what to take back.
 *
 * @param fileIds the numbers of the files, which they keep when they are renamed; in the order in
 *     which they are renamed, so the last one is that of the file that bears the mark
 */
public record CommitMark(List<Long> fileIds) {

  /** The attribute of the file in HDFS that holds it. */
  public static final String ATTRIBUTE = "user.weir.commit";

  private static final int RADIX = Character.MAX_RADIX;

  /** Copies. */
  public CommitMark {
    fileIds = List.copyOf(fileIds);
  }

  /**
   * As the value of the attribute: what each number is more than the one before, for HDFS takes no
   * more than 16 KiB, and files that are made together have numbers that are near each other.
   *
   * @return the value
   */
  public byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    long before = 0;
    for (long id : fileIds) {
      text.append(text.isEmpty() ? "" : " ").append(Long.toString(id - before, RADIX));
      before = id;
    }
    return text.toString().getBytes(US_ASCII);
  }

  /**
   * Reads a value of the attribute.
   *
   * @param value the value
   * @return the mark
   * @throws IllegalArgumentException when it is none
   */
  public static CommitMark parse(byte[] value) {
    String text = new String(value, US_ASCII);
    List<Long> ids = new ArrayList<>();
    long before = 0;
    try {
      for (String more : text.split(" ", -1)) {
        before += Long.parseLong(more, RADIX);
        ids.add(before);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Cannot parse numbers of files: '" + text + "'", e);
    }
    return new CommitMark(ids);
  }
}
