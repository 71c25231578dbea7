package dev.weir.bench.comparison;

import dev.weir.workflow.model.DataFile;
import java.util.List;

/**
 * The inputs that the benchmark places itself, and those that HDFS places.
 *
 * @param placed inputs of one block, in order
 * @param spread inputs of several blocks, in order
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
