package dev.weir.bench.comparison;

import dev.weir.workflow.model.DataFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
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

  /** Goes by the sizes of the local files: those of the workflow may be withheld. */
  static InputPlacement of(Subject subject) throws IOException {
    List<String> placed = new ArrayList<>();
    List<String> spread = new ArrayList<>();
    for (DataFile input : subject.workflow().graph().workflowInputs()) {
      long size = Files.size(subject.inputs().directory().resolve(input.id()));
      (size <= subject.inputs().blockBytes() ? placed : spread).add(input.id());
    }
    return new InputPlacement(placed, spread);
  }
}
