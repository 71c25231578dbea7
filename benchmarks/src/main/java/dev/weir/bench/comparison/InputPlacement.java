package dev.weir.bench.comparison;

import dev.weir.workflow.model.DataFile;
import java.util.List;

/**
 * Which inputs are put on nodes of the bench's choice, and for which HDFS chooses.
 *
 * @param placed those of one block, in order
 * @param spread those of several, in order
 */
record InputPlacement(List<String> placed, List<String> spread) {
  InputPlacement {
    placed = List.copyOf(placed);
    spread = List.copyOf(spread);
  }

  static InputPlacement of(Subject subject) {
    List<DataFile> inputs = subject.workflow().graph().workflowInputs();
    long block = subject.inputs().blockBytes();
    return new InputPlacement(
        inputs.stream().filter(file -> file.sizeBytes() <= block).map(DataFile::id).toList(),
        inputs.stream().filter(file -> file.sizeBytes() > block).map(DataFile::id).toList());
  }
}
