package dev.weir.bench.real;

import dev.weir.workflow.model.DataFile;
import java.util.List;

/**
 * Which inputs are put on nodes of the bench's choice, and for which HDFS chooses.
 *
 * @param placed those of one block, in order
 * @param spread those of several, in order
 */
public record InputPlan(List<String> placed, List<String> spread) {
  public InputPlan {
    placed = List.copyOf(placed);
    spread = List.copyOf(spread);
  }

  static InputPlan of(Subject subject) {
    return of(subject.workflow().graph().workflowInputs(), subject.inputs().blockBytes());
  }

  /**
   * For the inputs of a workflow.
   *
   * @param blockBytes of HDFS's blocks
   */
  public static InputPlan of(List<DataFile> inputs, long blockBytes) {
    return new InputPlan(
        inputs.stream().filter(file -> file.sizeBytes() <= blockBytes).map(DataFile::id).toList(),
        inputs.stream().filter(file -> file.sizeBytes() > blockBytes).map(DataFile::id).toList());
  }
}
