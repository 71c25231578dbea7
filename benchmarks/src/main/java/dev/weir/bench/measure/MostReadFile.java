package dev.weir.bench.measure;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The replicas of the file that most tasks of a run read: the runner's choice if no hint sets it.
 */
public final class MostReadFile {
  private MostReadFile() {}

  /**
   * Returns the replication factor in HDFS. If the run has deleted the file, as it does with
   * intermediate files, the number is computed from the bytes that its writer sent, and rounded.
   *
   * @param data the directory of the run's files
   * @return 0 if no file has several readers, or the number is not known
   * @throws IOException if HDFS does not answer
   */
  public static int replicas(FileSystem fs, Path data, Workflow workflow, RunRecord run)
      throws IOException {
    Optional<String> file = file(workflow);
    if (file.isEmpty()) {
      return 0;
    }
    try {
      return fs.getFileStatus(new Path(data, file.get())).getReplication();
    } catch (FileNotFoundException e) {
      return writtenReplicas(file.get(), run);
    }
  }

  /** Returns the file that most tasks read as a whole, at least two; the largest of equals. */
  static Optional<String> file(Workflow workflow) {
    Map<String, Integer> readers = new HashMap<>();
    for (Task task : workflow.tasks()) {
      for (String input : task.inputs()) {
        if (task.regionsOf(input).isEmpty()) {
          readers.merge(input, 1, Integer::sum);
        }
      }
    }
    return readers.entrySet().stream()
        .filter(entry -> entry.getValue() > 1)
        .max(
            Comparator.<Map.Entry<String, Integer>>comparingInt(Map.Entry::getValue)
                .thenComparingLong(entry -> bytes(workflow, entry.getKey())))
        .map(Map.Entry::getKey);
  }

  private static long bytes(Workflow workflow, String file) {
    DataFile known = workflow.files().get(file);
    return known == null ? 0 : known.sizeBytes();
  }

  private static int writtenReplicas(String file, RunRecord run) {
    return run.tasks().stream()
        .filter(task -> task.outcome() == Outcome.SUCCEEDED)
        .filter(task -> task.traffic().output() > 0)
        .filter(
            task ->
                task.files().outputs().stream()
                    .map(FileRecord::file)
                    .toList()
                    .equals(List.of(file)))
        .mapToInt(MostReadFile::writtenReplicas)
        .findFirst()
        .orElse(0);
  }

  private static int writtenReplicas(TaskRecord writer) {
    double others = writer.traffic().outputRemote();
    return (int) Math.round(1 + others / writer.traffic().output());
  }
}
