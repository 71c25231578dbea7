package dev.weir.workflow.transfer;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.StoredFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the regions that other tasks have written to one file, by a call to the NameNode. The
 * regions no longer exist after that. So after any failure the joined file stays until it has its
 * final name, and the next attempt continues with it.
 */
public final class RegionJoin {
  private static final Logger LOG = LoggerFactory.getLogger(RegionJoin.class);

  private final DataStore store;
  private final StageOut commits;

  public RegionJoin(DataStore store, StageOut commits) {
    this.store = store;
    this.commits = commits;
  }

  /**
   * The result of a join.
   *
   * @param stored the file; empty when regions are lost
   * @param lost ids of the regions that the store has lost
   */
  public record Result(List<StoredFile> stored, List<String> lost) {}

  /** Joins the inputs of an order to its output and commits it. */
  public Result run(TaskOrder order) throws IOException, InterruptedException {
    FileSlot output = order.outputs().get(0);
    String joined = TemporaryName.of(output, order.label());
    Set<String> lost = new LinkedHashSet<>(join(order, joined));
    if (lost.size() == order.inputs().size()) {
      // Unless an earlier attempt joined them, or an unanswered call of this one.
      Optional<String> earlier = findJoined(order);
      if (earlier.isPresent()) {
        LOG.info("The regions of {} are joined in {}", output.path(), earlier.get());
        joined = earlier.get();
        lost.clear();
      }
    }
    if (!lost.isEmpty()) {
      return new Result(
          List.of(),
          order.inputs().stream()
              .filter(slot -> lost.contains(slot.path()))
              .map(FileSlot::name)
              .toList());
    }
    String from = joined;
    StoredFile stored = HdfsRetry.DEFAULT.through(() -> stored(output, from));
    commits.commitJoined(order, from, stored.sizeBytes());
    return new Result(List.of(stored), List.of());
  }

  private List<String> join(TaskOrder order, String target)
      throws IOException, InterruptedException {
    List<String> regions = order.inputs().stream().map(FileSlot::path).toList();
    // The target stays after any failure: an interrupted or unanswered call may still be executed
    // later, and the target is then the only copy of the regions. The run removes empty targets
    // at its end, together with its other temporary files.
    return HdfsRetry.DEFAULT.through(() -> store.join(regions, target));
  }

  /**
   * Returns the file that an attempt of the same run joined and did not commit. The last one
   * counts: an earlier one consists of regions that were lost and written again.
   */
  private Optional<String> findJoined(TaskOrder order) throws IOException, InterruptedException {
    String prefix = TemporaryName.of(order.outputs().get(0), TemporaryName.runOf(order.label()));
    return HdfsRetry.DEFAULT.through(() -> store.findByPrefix(prefix, bytes(order))).stream()
        .findFirst();
  }

  /** Returns the expected length: a region is only committed with the length that its name says. */
  private static long bytes(TaskOrder order) {
    return order.inputs().stream().mapToLong(FileSlot::sizeBytes).sum();
  }

  private StoredFile stored(FileSlot output, String path) throws IOException {
    Map<String, Long> places = new HashMap<>();
    List<BlockExtent> extents = store.extents(path);
    long bytes = 0;
    for (BlockExtent extent : extents) {
      bytes += extent.length();
      extent.hosts().forEach(host -> places.merge(host, extent.length(), Long::sum));
    }
    boolean located = output.kind() == FileSlot.Kind.LOCATED;
    return new StoredFile(
        output.name(), bytes, places, Checksum.UNKNOWN, located ? extents : List.of());
  }
}
