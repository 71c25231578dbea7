package dev.weir.bench.traces;

import dev.weir.bench.workload.TaskCopies;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The scale of a replayed recording.
 *
 * @param bytes factor of the sizes of all files
 * @param time factor of the seconds that tasks compute
 */
public record Scaling(double bytes, double time) {
  private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.DOWN);

  /** Validates the factors. */
  public Scaling {
    if (!(bytes > 0) || !(time >= 0) || Double.isInfinite(bytes) || Double.isInfinite(time)) {
      throw new IllegalArgumentException(
          "Bytes times " + bytes + ", seconds times " + time + ": give numbers above 0");
    }
  }

  /**
   * Returns one factor for bytes and seconds with which a workflow takes at most about the wanted
   * time on stock Hadoop. The factor is at most 1 and has two digits.
   */
  public static Scaling fitting(double wantedSeconds, double stockSeconds) {
    double exact = wantedSeconds / stockSeconds;
    double factor = exact >= 1 ? 1 : new BigDecimal(exact).round(TWO_DIGITS).doubleValue();
    return new Scaling(factor, factor);
  }

  /** Returns the workflow at this scale. A file that is not empty keeps at least one byte. */
  public Workflow of(Workflow workflow) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    workflow
        .files()
        .values()
        .forEach(
            file ->
                files.put(
                    file.id(), new DataFile(file.id(), scaled(file.sizeBytes()), file.hint())));
    return new Workflow(
        workflow.name(), workflow.tasks().stream().map(this::scaled).toList(), files);
  }

  private long scaled(long size) {
    return size == 0 ? 0 : Math.max(1, Math.round(size * bytes));
  }

  private Task scaled(Task task) {
    return TaskCopies.lasting(task, task.runtimeSeconds() * time);
  }
}
