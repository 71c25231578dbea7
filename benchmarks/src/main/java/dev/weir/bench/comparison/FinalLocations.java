package dev.weir.bench.comparison;

import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The nodes of a run's outputs once the cluster is idle. HDFS creates some replicas after a task
 * has ended, which the run's own record does not have. Not thread-safe.
 */
final class FinalLocations {
  private final Map<String, Map<String, Long>> nodes = new HashMap<>();

  /** Finds the replicas of all outputs in HDFS. */
  void find(FileSystem fs, Path data, RunRecord run) throws IOException {
    for (TaskRecord task : run.tasks()) {
      for (FileRecord output : task.files().outputs()) {
        find(fs, data, output.file());
      }
    }
  }

  private void find(FileSystem fs, Path data, String file) throws IOException {
    try {
      FileStatus status = fs.getFileStatus(new Path(data, file));
      Map<String, Long> found = new HashMap<>();
      for (BlockLocation block : fs.getFileBlockLocations(status, 0, status.getLen())) {
        for (String host : block.getHosts()) {
          found.merge(host, block.getLength(), Long::sum);
        }
      }
      nodes.put(file, found);
    } catch (FileNotFoundException e) {
      // The file is on a node, outside HDFS.
    }
  }

  /** Returns the run with the nodes of each output, including those that its record has. */
  RunRecord in(RunRecord run) {
    return new RunRecord(
        run.runId(),
        run.workflow(),
        run.mode(),
        run.state(),
        run.started(),
        run.ended(),
        run.workers(),
        run.tasks().stream().map(this::in).toList(),
        run.reused(),
        run.caches(),
        run.tidied());
  }

  private TaskRecord in(TaskRecord task) {
    List<FileRecord> outputs = task.files().outputs().stream().map(this::in).toList();
    return task.toBuilder().files(task.files().inputs(), outputs).build();
  }

  private FileRecord in(FileRecord output) {
    Map<String, Long> all = new HashMap<>(output.nodes());
    nodes
        .getOrDefault(output.file(), Map.of())
        .forEach((host, bytes) -> all.merge(host, bytes, Math::max));
    return new FileRecord(
        output.file(), output.bytes(), output.crc32c(), all, output.caches(), output.onNode());
  }
}
