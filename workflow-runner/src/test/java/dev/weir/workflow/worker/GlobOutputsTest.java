package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Outputs that a task describes by patterns. */
class GlobOutputsTest extends TaskRunnerTestBase {

  static List<FileSlot> globs(String... patterns) {
    return Arrays.stream(patterns)
        .map(pattern -> new FileSlot(pattern, "/out", 0, Kind.GLOB, 0))
        .toList();
  }

  private List<String> committed() throws IOException {
    Path out = store.file("/out");
    if (!Files.exists(out)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(out)) {
      return files.filter(Files::isRegularFile).map(file -> name(out, file)).sorted().toList();
    }
  }

  private static String name(Path root, Path file) {
    return root.relativize(file).toString();
  }

  /** Runs a script, and returns what it committed. */
  private List<String> found(List<FileSlot> outputs, String script) throws Exception {
    TaskReport report = run(shell(slots("in.txt"), outputs, script));
    assertEnded(report, Result.SUCCEEDED);
    assertThat(report.outputs())
        .extracting(StoredFile::name)
        .containsAll(committed())
        .doesNotHaveDuplicates();
    return committed();
  }

  private void writeInput() throws IOException {
    store.write("/data/in.txt", "input");
  }

  @Test
  void filesThatMatchAreCommitted() throws Exception {
    writeInput();

    assertThat(
            found(globs("*.txt", "[ab].log"), "touch a.txt a.log c.log other; mkdir d; > d/b.txt"))
        .containsExactly("a.log", "a.txt");
    assertThat(store.file("/out/.weir-1-1")).doesNotExist();
  }

  @Test
  void directoriesAreCommittedWithTheirFiles() throws Exception {
    writeInput();

    assertThat(found(globs("dir", "**.md"), "mkdir -p dir/sub x; touch dir/a dir/sub/b x/c.md x/d"))
        .containsExactly("dir/a", "dir/sub/b", "x/c.md");
  }

  @Test
  void hiddenFilesAreNamed() throws Exception {
    writeInput();

    assertThat(found(globs("*", ".command.out"), "touch .hidden .command.out .command.err shown"))
        .containsExactly(".command.out", "shown");
  }

  @Test
  void inputsAreNamed() throws Exception {
    writeInput();

    assertThat(found(globs("*"), "true")).isEmpty();
    assertThat(found(globs("*", "in.txt"), "true")).containsExactly("in.txt");
    assertThat(store.read("/out/in.txt")).isEqualTo("input");
    assertThat(store.read("/data/in.txt")).isEqualTo("input");
  }

  @Test
  void inputsInTheDirectoryOfTheOutputsStay() throws Exception {
    store.write("/out/in.txt", "input");
    TaskReport report =
        run(shell(List.of(new FileSlot("in.txt", "/out/in.txt", 0)), globs("in.txt"), "true"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(report.outputs()).isEmpty();
    assertThat(store.read("/out/in.txt")).isEqualTo("input");
  }

  @Test
  void namesThatLookLikePatternsAreFound() throws Exception {
    writeInput();

    assertThat(found(globs("a[1].txt"), "touch 'a[1].txt' a1.txt"))
        .containsExactly("a1.txt", "a[1].txt");
  }

  @Test
  void declaredOutputsAreCommittedOnce() throws Exception {
    writeInput();
    List<FileSlot> outputs = Stream.concat(slots("a.txt").stream(), globs("*").stream()).toList();

    assertThat(found(outputs, "touch a.txt b.txt")).containsExactly("b.txt");
    assertThat(store.file("/data/a.txt")).exists();
  }

  @Test
  void filesOfTheJobAreNotOverwritten() throws Exception {
    writeInput();
    List<FileSlot> outputs =
        Stream.concat(Stream.of(new FileSlot("a.txt", "/out/b.txt", 0)), globs("*").stream())
            .toList();
    TaskReport report = run(shell(slots(), outputs, "touch a.txt b.txt"));
    assertEnded(report, Result.FAILED);
    assertThat(report.message()).contains("found 'b.txt', whose path /out/b.txt is that of");

    store.write("/out/c.txt", "input");
    List<FileSlot> inputs = List.of(new FileSlot("in.txt", "/out/c.txt", 0));
    assertEnded(run(shell(inputs, globs("*"), "touch c.txt")), Result.FAILED);
    assertThat(committed()).containsExactly("c.txt");
    assertThat(store.read("/out/c.txt")).isEqualTo("input");
  }

  @Test
  void tooManyFilesAreRefused() throws Exception {
    TaskReport report =
        run(shell(slots(), globs("*"), "for i in $(seq 10001); do : > $i; done; touch .hidden"));

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).contains("found 10001 files, more than 10000");
    assertThat(committed()).isEmpty();
  }

  @Test
  void failedCommandsCommitNothing() throws Exception {
    assertEnded(run(shell(slots(), globs("*"), "touch a; exit 3")), Result.FAILED);

    assertThat(committed()).isEmpty();
  }
}
