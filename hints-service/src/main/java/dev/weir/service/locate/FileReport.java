package dev.weir.service.locate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a file is.
 *
 * @param bytes its length
 * @param blocks how many blocks it has
 * @param nodes who has something of it, best first
 * @param fault why nothing is known; null when something is
 */
public record FileReport(long bytes, int blocks, List<NodeShare> nodes, @Nullable PathFault fault) {
  /** Copies the list. */
  public FileReport {
    nodes = List.copyOf(nodes);
  }

  /** A path of which nothing is known. */
  static FileReport of(PathFault fault) {
    return new FileReport(0, 0, List.of(), fault);
  }
}
