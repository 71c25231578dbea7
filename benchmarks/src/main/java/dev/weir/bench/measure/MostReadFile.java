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
 * How many replicas the file of a run has that most of its tasks read: what the runner has chosen,
 * where no hint says it.
 */
public final class MostReadFile {
  private MostReadFile() {}

  /**
   * The replicas that the file is to have, as HDFS tells. Where the run has deleted it, as it does
   * with what is in between and temporary, as many as its writer's bytes have made, rounded.
   *
   * @param data the directory of the run's files
   * @return 0 where no file has several readers, or nothing is known
   * @throws IOException when HDFS does not tell
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
      return made(file.get(), run);
    }
  }

  /** The file that most tasks read whole, several at least; of equals the largest. */
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

  private static int made(String file, RunRecord run) {
    return run.tasks().stream()
        .filter(task -> task.outcome() == Outcome.SUCCEEDED)
        .filter(task -> task.traffic().output() > 0)
        .filter(
            task ->
                task.files().outputs().stream()
                    .map(FileRecord::file)
                    .toList()
                    .equals(List.of(file)))
        .mapToInt(MostReadFile::made)
        .findFirst()
        .orElse(0);
  }

  private static int made(TaskRecord writer) {
    double others = writer.traffic().outputRemote();
    return (int) Math.round(1 + others / writer.traffic().output());
  }
}
