package dev.weir.workflow.imports;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * A task of a small workflow.
 *
 * @param id its id; formats without ids generate the form {@code t-1}
 * @param inputs files that it reads
 * @param outputs files that it writes
 */
record SampleTask(String id, List<String> inputs, List<String> outputs) {

  Stream<String> uses(BinaryOperator<String> writer) {
    return Stream.concat(
        inputs.stream().map(file -> writer.apply(file, "input")),
        outputs.stream().map(file -> writer.apply(file, "output")));
  }
}
