package dev.weir.workflow.record;

import java.util.List;

/**
 * A block of a file and where it is.
 *
 * @param offset where it begins, in bytes from the file's beginning
 * @param length how many bytes it has
 * @param hosts who holds it
 */
public record BlockExtent(long offset, long length, List<String> hosts) {

  /** Copies. */
  public BlockExtent {
    hosts = List.copyOf(hosts);
  }

  /**
   * How much of a range is in it.
   *
   * @param begin where the range begins, in bytes from the file's beginning
   * @param bytes how long it is
   * @return bytes, 0 or more
   */
  public long within(long begin, long bytes) {
    return Math.max(0, Math.min(begin + bytes, offset + length) - Math.max(begin, offset));
  }
}
