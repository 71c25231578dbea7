package dev.weir.service.auto;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file's attribute says about its replication. It is written before a change, so after a
 * crash the file has one of the two numbers of the change.
 *
 * @param own the replicas that the owner has set
 * @param from the replicas before the last change
 * @param to the replicas after it
 */
public record ReplicationMark(int own, int from, int to) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,3}),(\\d{1,3}),(\\d{1,3})");

  public static Optional<ReplicationMark> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new ReplicationMark(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  /** Returns the replicas that the owner has set, perhaps since the mark was written. */
  public int own(int present) {
    return present == from || present == to ? own : present;
  }

  @Override
  public String toString() {
    return own + "," + from + "," + to;
  }
}
