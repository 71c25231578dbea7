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
 * Makes a file of the regions that other tasks have written, by a call to the NameNode. From then
 * on the joined file is all there is of them: whatever fails after that, it stays where it is until
 * it has its name, and the next attempt goes on with it.
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
   * What came of it.
   *
   * @param stored the file; empty when regions are lost
   * @param lost ids of the regions that the store has lost
   */
  public record Result(List<StoredFile> stored, List<String> lost) {}

  /**
   * Joins the inputs of an order to its output and commits it.
   *
   * @throws IOException when they cannot be joined
   */
  public Result run(TaskOrder order) throws IOException, InterruptedException {
    FileSlot output = order.outputs().get(0);
    String joined = TemporaryName.of(output, order.label());
    Set<String> lost = new LinkedHashSet<>(join(order, joined));
    if (lost.size() == order.inputs().size()) {
      // Or an earlier attempt has joined them, or a call of this one that was not answered.
      Optional<String> before = joinedBefore(order);
      if (before.isPresent()) {
        LOG.info("The regions of {} are joined in {}", output.path(), before.get());
        joined = before.get();
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
    // Whatever fails, the target stays: a call that was interrupted or not answered may be carried
    // out after one has looked, and what is removed then is all there is of the regions. An empty
    // file that nothing was joined to goes with the run's other temporary ones at its end.
    return HdfsRetry.DEFAULT.through(() -> store.join(regions, target));
  }

  /**
   * What an attempt of the same run has joined and not committed. Of several it is the last: one
   * before it was joined of regions that were lost then, and made again.
   */
  private Optional<String> joinedBefore(TaskOrder order) throws IOException, InterruptedException {
    String beginning = TemporaryName.of(order.outputs().get(0), TemporaryName.runOf(order.label()));
    return HdfsRetry.DEFAULT.through(() -> store.named(beginning, bytes(order))).stream()
        .findFirst();
  }

  /** Each region has as many bytes as its name says, or it would not have been committed. */
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
