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
 * Which files lie waiting for a task whose outputs are gathered: the task reads them, and waits for
 * others to be made meanwhile. While it waits, links have time to carry a second replica to where
 * its outputs will be gathered. A task that runs there sends nothing to it afterwards, when all
 * such tasks want the one link of that node at the same time.
 *
 * <p>It pays where a task reads hardly more of them than it makes to be gathered, as otherwise more
 * is sent than is saved; and only for files of which one such task reads, as copies for several
 * gathers would be as many as these.
 */
final class GatherFeeds {

  /** A smaller file is there in no time. */
  static final long LEAST_BYTES = 64 << 10;

  /** So much more than it makes to be gathered may a task read early. */
  static final double MOST_READ = 1.25;

  private final WorkflowGraph graph;
  private final GatherFinder gathers;
  private final TaskLevels levels;
  private final Map<String, String> groups = new HashMap<>();

  private GatherFeeds(WorkflowGraph graph, GatherFinder gathers, TaskLevels levels) {
    this.graph = graph;
    this.gathers = gathers;
    this.levels = levels;
  }

  /** Those of a workflow. */
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

  /** The gather that a file is copied to before the task that reads it can run. */
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
            if (read <= MOST_READ * bytes) {
              early.forEach(id -> groups.put(id, group));
            }
          }
        });
  }

  /** What a task makes of each group; no two of them have more than half of it. */
  private Map<String, Long> gatheredBytes(Task task) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (String output : task.outputs()) {
      gathers
          .group(output)
          .ifPresent(group -> bytes.merge(group, graph.file(output).sizeBytes(), Long::sum));
    }
    return bytes;
  }

  /** Whether a file, not itself gathered, is there while the task waits for other tasks. */
  private boolean isEarly(String fileId, Task reader) {
    DataFile file = graph.file(fileId);
    return file.sizeBytes() >= LEAST_BYTES
        && gathers.group(fileId).isEmpty()
        && graph
            .producer(fileId)
            .filter(producer -> levels.of(producer) + 1 < levels.of(reader))
            .isPresent();
  }
}
