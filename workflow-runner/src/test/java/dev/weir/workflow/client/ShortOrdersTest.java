package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.RunException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortOrdersTest {

  private static Workflow withInputs(int count) {
    List<String> inputs = IntStream.range(0, count).mapToObj(i -> "input-" + i + ".fits").toList();
    Map<String, DataFile> files = new LinkedHashMap<>();
    inputs.forEach(input -> files.put(input, new DataFile(input, 1)));
    files.put("sum", new DataFile("sum", 1));
    Task task = new Task("add", "add", List.of("add"), inputs, List.of("sum"), 1);
    return new Workflow("w", List.of(task), files);
  }

  @Test
  void taskWithAHundredThousandInputsIsAccepted() {
    assertThatCode(() -> WorkflowRunner.requireShortOrders(withInputs(100_000), "/user/me/weir/w"))
        .doesNotThrowAnyException();
  }

  @Test
  void taskWithTooManyFilesIsRefusedWithRemedy() {
    assertThatThrownBy(
            () -> WorkflowRunner.requireShortOrders(withInputs(400_000), "/user/me/weir/w"))
        .isInstanceOf(RunException.class)
        .hasMessageContainingAll("'add'", "400000 inputs", "archives");
  }
}
