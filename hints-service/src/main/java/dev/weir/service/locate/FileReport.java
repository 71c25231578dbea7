package dev.weir.service.locate;

import dev.weir.service.locate.files.PathFault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The location of a file.
 *
 * @param bytes the length in bytes
 * @param nodes the nodes that have parts of it, best first
 * @param fault why there is no report; null if the file was found
 */
public record FileReport(long bytes, int blocks, List<NodeShare> nodes, @Nullable PathFault fault) {
  public FileReport {
    nodes = List.copyOf(nodes);
  }

  static FileReport of(PathFault fault) {
    return new FileReport(0, 0, List.of(), fault);
  }
}
