package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Checksum;
import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a file of the regions that other tasks have written, by a call to the NameNode. */
final class RegionJoin {
  private final DataStore store;
  private final StageOut commits;

  RegionJoin(DataStore store, StageOut commits) {
    this.store = store;
    this.commits = commits;
  }

  /**
   * What came of it.
   *
   * @param stored the file; empty when regions are lost
   * @param lost ids of the regions that the store has lost
   */
  record Result(List<StoredFile> stored, List<String> lost) {}

  /**
   * Joins the inputs of an order to its output and commits it.
   *
   * @throws IOException when they cannot be joined
   */
  Result run(TaskOrder order) throws IOException, InterruptedException {
    FileSlot output = order.outputs().get(0);
    String temporary = TemporaryName.of(output, order.label());
    Set<String> lost =
        new LinkedHashSet<>(
            store.join(order.inputs().stream().map(FileSlot::path).toList(), temporary));
    if (!lost.isEmpty()) {
      return new Result(
          List.of(),
          order.inputs().stream()
              .filter(slot -> lost.contains(slot.path()))
              .map(FileSlot::name)
              .toList());
    }
    return new Result(commits.commit(order, () -> List.of(stored(output, temporary))), List.of());
  }

  private StoredFile stored(FileSlot output, String path) throws IOException {
    Map<String, Long> places = new HashMap<>();
    List<Extent> extents = store.extents(path);
    long bytes = 0;
    for (Extent extent : extents) {
      bytes += extent.length();
      extent.hosts().forEach(host -> places.merge(host, extent.length(), Long::sum));
    }
    boolean located = output.kind() == FileSlot.Kind.LOCATED;
    return new StoredFile(
        output.name(), bytes, places, Checksum.UNKNOWN, located ? extents : List.of());
  }
}
