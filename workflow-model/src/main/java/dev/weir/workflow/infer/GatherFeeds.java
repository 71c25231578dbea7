package dev.weir.workflow.infer;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the files that wait for a task whose outputs are gathered. The task reads them, and cannot
 * start until other inputs are written. In the meantime the links have time to carry a second
 * replica to the node that gathers the task's outputs. A task that runs on that node sends nothing
 * over the network afterwards, when all such tasks compete for its link.
 *
 * <p>A task qualifies if it reads hardly more of these files than it writes to be gathered;
 * otherwise more is sent than is saved. A file qualifies if one such task reads it. For several
 * gathers it would need one copy each.
 */
final class GatherFeeds {

  /** The smallest file, in bytes, that is worth a copy. */
  static final long MIN_BYTES = 64 << 10;

  /** The most bytes a task may read early, relative to the bytes that it writes to be gathered. */
  static final double MAX_READ_RATIO = 1.25;

  private final WorkflowGraph graph;
  private final GatherFinder gathers;
  private final TaskLevels levels;
  private final Map<String, String> groups = new HashMap<>();

  private GatherFeeds(WorkflowGraph graph, GatherFinder gathers, TaskLevels levels) {
    this.graph = graph;
    this.gathers = gathers;
    this.levels = levels;
  }

  static GatherFeeds of(WorkflowGraph graph, GatherFinder gathers, TaskLevels levels) {
    GatherFeeds feeds = new GatherFeeds(graph, gathers, levels);
    Map<String, Integer> feeders = new HashMap<>();
    for (Task task : graph.workflow().tasks()) {
      feeds.find(task, feeders);
    }
    feeders.forEach(
        (file, tasks) -> {
          if (tasks > 1) {
            feeds.groups.remove(file);
          }
        });
    return feeds;
  }

  /** Returns the gather to which a file is copied before its reader can run. */
  Optional<String> group(String fileId) {
    return Optional.ofNullable(groups.get(fileId));
  }

  private void find(Task task, Map<String, Integer> feeders) {
    Map<String, Long> gathered = gatheredBytes(task);
    long all = task.outputs().stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
    gathered.forEach(
        (group, bytes) -> {
          if (2 * bytes > all) {
            List<String> early = task.inputs().stream().filter(id -> isEarly(id, task)).toList();
            long read = early.stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
            early.forEach(id -> feeders.merge(id, 1, Integer::sum));
            if (read <= MAX_READ_RATIO * bytes) {
              early.forEach(id -> groups.put(id, group));
            }
          }
        });
  }

  /**
   * Returns the bytes that a task writes for each group. At most one group has more than half of
   * its output.
   */
  private Map<String, Long> gatheredBytes(Task task) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (String output : task.outputs()) {
      gathers
          .group(output)
          .ifPresent(group -> bytes.merge(group, graph.file(output).sizeBytes(), Long::sum));
    }
    return bytes;
  }

  /**
   * Returns whether a file exists while its reader still waits for other tasks. Gathered files do
   * not count.
   */
  private boolean isEarly(String fileId, Task reader) {
    DataFile file = graph.file(fileId);
    return file.sizeBytes() >= MIN_BYTES
        && gathers.group(fileId).isEmpty()
        && graph
            .producer(fileId)
            .filter(producer -> levels.of(producer) + 1 < levels.of(reader))
            .isPresent();
  }
}
