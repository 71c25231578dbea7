package dev.weir.workflow.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed programs that commands name. */
class InstalledToolsTest {

  @TempDir private Path bin;
  private Path tool;

  @BeforeEach
  void install() throws IOException {
    tool = Files.writeString(bin.resolve("align"), "v1");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    Files.setLastModifiedTime(tool, FileTime.fromMillis(1_000));
    Files.writeString(bin.resolve("readme"), "no program");
  }

  private Map<String, String> found(String... command) {
    return new InstalledTools("relative:/no/such/directory:" + bin)
        .of(List.of(new Task("t", "t", List.of(command), List.of(), List.of(), 0)));
  }

  private String version(int size, long millis) throws IOException {
    return tool.toRealPath() + " " + size + " " + millis;
  }

  @Test
  void programsAreFoundByNameByPathAndInScripts() throws IOException {
    assertThat(found("align", "-x", "readme"))
        .containsExactly(Map.entry("align", version(2, 1000)));
    assertThat(found(tool.toString()))
        .containsExactly(Map.entry(tool.toString(), version(2, 1000)));
    assertThat(found("sh", "-c", "cat a|align>b; (readme)")).containsOnlyKeys("align");
    assertThat(found("./align", "aligned", "--align", "/no/such/file")).isEmpty();
  }

  @Test
  void anotherVersionIsAnotherKey() throws IOException {
    Task task = new Task("t", "t", List.of("align", "in"), List.of(), List.of(), 0);
    String before =
        new TaskKey(Map.of(), new CommandContext(Map.of(), found("align"), false))
            .of(task, List.of());
    String without =
        new TaskKey(Map.of(), new CommandContext(Map.of(), Map.of(), false)).of(task, List.of());

    Files.writeString(tool, "v2.0");
    Files.setLastModifiedTime(tool, FileTime.fromMillis(2_000));

    assertThat(found("align")).containsExactly(Map.entry("align", version(4, 2000)));
    String after =
        new TaskKey(Map.of(), new CommandContext(Map.of(), found("align"), false))
            .of(task, List.of());
    assertThat(List.of(before, after, without)).doesNotHaveDuplicates();
    assertThat(
            new TaskKey(Map.of(), new CommandContext(Map.of(), Map.of("other", "x"), false))
                .of(task, List.of()))
        .as("programs of other tasks do not count")
        .isEqualTo(without);
  }

  @Test
  void aTaskInAContainerIsKnownByItsImage() throws IOException {
    Task task =
        new Task("t", "t", List.of("align"), List.of(), List.of("out"), 1)
            .withNeeds(TaskNeeds.UNKNOWN.withContainer("debian:12"));
    Task other = task.withNeeds(TaskNeeds.UNKNOWN.withContainer("debian:13"));
    TaskKey none = new TaskKey(Map.of(), new CommandContext(Map.of(), Map.of(), false));
    TaskKey installed = new TaskKey(Map.of(), new CommandContext(Map.of(), found("align"), false));

    assertThat(installed.of(task, List.of())).isEqualTo(none.of(task, List.of()));
    assertThat(none.of(task, List.of()))
        .isNotEqualTo(none.of(other, List.of()))
        .isNotEqualTo(none.of(task.withNeeds(TaskNeeds.UNKNOWN), List.of()));
  }
}
