package dev.weir.workflow.record;

import java.util.List;

/**
 * A block of a file and its locations.
 *
 * @param offset its start in the file, in bytes
 * @param length its length in bytes
 * @param hosts hosts that hold it
 */
public record BlockExtent(long offset, long length, List<String> hosts) {

  /** Copies the list. */
  public BlockExtent {
    hosts = List.copyOf(hosts);
  }

  /**
   * Returns how many bytes of a range are in this block.
   *
   * @param begin start of the range in the file, in bytes
   * @param bytes length of the range
   * @return bytes, 0 or more
   */
  public long within(long begin, long bytes) {
    return Math.max(0, Math.min(begin + bytes, offset + length) - Math.max(begin, offset));
  }
}
