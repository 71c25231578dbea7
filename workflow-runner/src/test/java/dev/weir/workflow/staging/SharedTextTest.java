package dev.weir.workflow.staging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedTextTest {

  private static RunPlan plan(Workflow workflow) {
    return new RunPlan(
        workflow,
        Mode.WEIR,
        "hdfs://nn:8020",
        "/data",
        false,
        WorkerPlan.DEFAULT,
        Map.of("KEY", "cat"),
        Map.of(),
        "alice",
        RunOptions.DEFAULT,
        Map.of());
  }

  private static RunPlan readAgain(RunPlan plan) throws IOException {
    return SharedText.reader(RunPlan.class).readValue(new ObjectMapper().writeValueAsBytes(plan));
  }

  @Test
  void namesInAPlanAreShared() throws IOException {
    Task first = new Task("a", "cat", List.of("cat", "in"), List.of("in"), List.of("mid"), 1);
    Task second = new Task("b", "cat", List.of("cat", "mid"), List.of("mid"), List.of("out"), 1);
    Map<String, DataFile> files = new LinkedHashMap<>();
    List.of("in", "mid", "out").forEach(id -> files.put(id, new DataFile(id, 5)));
    RunPlan plan = plan(new Workflow("w", List.of(first, second), files));

    RunPlan read = readAgain(plan);

    assertThat(read).isEqualTo(plan);
    Workflow workflow = read.workflow();
    List<String> ids = new ArrayList<>(workflow.files().keySet());
    Task maker = workflow.tasks().get(0);
    Task reader = workflow.tasks().get(1);
    assertThat(requireNonNull(workflow.files().get("mid")).id()).isSameAs(ids.get(1));
    assertThat(maker.outputs().get(0)).isSameAs(ids.get(1));
    assertThat(reader.inputs().get(0)).isSameAs(ids.get(1));
    assertThat(reader.command().get(1)).isSameAs(ids.get(1));
    assertThat(reader.command().get(0)).isSameAs(maker.type()).isSameAs(reader.type());
    assertThat(read.environment().get("KEY")).isSameAs(maker.type());
  }

  @Test
  void planMayHaveManyNames() throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (int i = 0; i < 50_000; i++) {
      String id = "directory/part-" + i;
      files.put(id, new DataFile(id, i));
    }
    Task task = new Task("t", "t", List.of(), List.of(), List.of(), 0);
    RunPlan plan = plan(new Workflow("w", List.of(task), files));

    assertThat(readAgain(plan)).isEqualTo(plan);
  }
}
