package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GatherFinderTest {

  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<Task> tasks = new ArrayList<>();

  private String file(String id, long size) {
    files.put(id, new DataFile(id, size));
    return id;
  }

  private void task(String id, String type, List<String> inputs, List<String> outputs) {
    tasks.add(new Task(id, type, List.of(), inputs, outputs, 1));
  }

  /** Creates tasks that write one file each. */
  private List<String> parts(String name, int count, long size) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(file(name + i, size));
      task("make-" + name + i, "make-" + name, List.of(), List.of(name + i));
    }
    return parts;
  }

  private Optional<String> group(String file, int nodes) {
    Workflow workflow = new Workflow("w", tasks, files);
    return GatherFinder.of(workflow.graph(), new ClusterShape(nodes, 3)).group(file);
  }

  @Test
  void asManyProducersAsNodesMakeAGather() {
    task("join", "join", parts("p", 6, 10), List.of());

    assertThat(group("p0", 6)).contains("join");
    assertThat(group("p0", 7)).as("collecting would move more than it saves").isEmpty();
    assertThat(group("p0", 1)).as("there is nowhere else").isEmpty();
  }

  @Test
  void enoughProducersGatherOnAnyNumberOfNodes() {
    task("join", "join", parts("p", GatherFinder.ENOUGH, 10), List.of());

    assertThat(group("p0", 10_000)).contains("join");
  }

  @Test
  void twoProducersNeverMakeAGather() {
    task("join", "join", parts("p", 2, 10), List.of());

    assertThat(group("p0", 2)).isEmpty();
  }

  @Test
  void readersThatShareAFileShareTheGroup() {
    List<String> images = parts("i", 6, 10);
    List<String> areas = parts("a", 6, 10);
    List<String> both = new ArrayList<>(images);
    both.addAll(areas);
    task("list", "list", images, List.of());
    task("add", "add", both, List.of());

    assertThat(group("i3", 6)).contains("list");
    assertThat(group("a3", 6)).as("read by add alone").contains("list");
  }

  @Test
  void unrelatedGathersStaySeparate() {
    task("red", "join", parts("r", 6, 10), List.of());
    task("blue", "join", parts("b", 6, 10), List.of());

    assertThat(group("r0", 6)).contains("red");
    assertThat(group("b0", 6)).contains("blue");
  }

  @Test
  void readersThatDoNotGatherPreventAGather() {
    List<String> parts = parts("p", 6, 10);
    task("join", "join", parts, List.of());
    task("peek", "peek", List.of("p0"), List.of());

    assertThat(group("p0", 6)).isEmpty();
    assertThat(group("p1", 6)).contains("join");
  }

  @Test
  void filesWithManyGatherersAreNotGathered() {
    List<String> parts = parts("p", 6, 10);
    for (int i = 0; i <= GatherFinder.MAX_READERS; i++) {
      task("join" + i, "join", parts, List.of());
    }

    assertThat(group("p0", 6)).isEmpty();
  }

  @Test
  void aReaderStaysWithItsBigInput() {
    List<String> inputs = parts("p", 6, 10);
    inputs.addAll(parts("big", 1, 1_000));
    task("join", "join", inputs, List.of());

    assertThat(group("p0", 6)).isEmpty();
    assertThat(group("big0", 6)).isEmpty();
  }

  @Test
  void singleFilesOfAnotherTypeAreNotGathered() {
    List<String> inputs = parts("p", 6, 10);
    inputs.addAll(parts("table", 1, 1));
    inputs.add(file("in", 1_000_000));
    task("join", "join", inputs, List.of());

    assertThat(group("p0", 6)).as("an input of the workflow does not weigh").contains("join");
    assertThat(group("table0", 6)).isEmpty();
    assertThat(group("in", 6)).isEmpty();
  }
}
