package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commits several outputs and is interrupted between the renames. */
class IncompleteCommitTest extends TaskRunnerTestBase {

  private static final String LAST = "/data/three.weir-1-1";

  private final TaskOrder three =
      shell(slots(), slots("one", "two", "three"), "for f in one two three; do echo 1 > $f; done");

  /** Runs an action before each rename of an attempt. */
  private interface RenameHook {

    /** Called before the rename with this number, which starts at 1. */
    void before(int number) throws IOException;
  }

  private void beforeRenames(RenameHook hook) {
    int[] number = {0};
    store.beforeCommit(
        () -> {
          number[0]++;
          try {
            hook.before(number[0]);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void workerThatDiesBetweenRenamesLeavesACommitMark() throws Exception {
    beforeRenames(
        number -> {
          if (number == 2) {
            store.injectedFailures.cut();
          }
        });

    TaskReport report = run(three);

    assertThat(report.result()).isNotEqualTo(Result.SUCCEEDED);
    assertThat(store.file("/data/one")).as("the dead worker cannot remove it").exists();
    assertThat(store.marks())
        .isEqualTo(
            Map.of(
                LAST,
                new CommitAttribute(
                    List.of(
                        store.fileIdOf("/data/one"),
                        store.fileIdOf("/data/two.weir-1-1"),
                        store.fileIdOf(LAST)))));
  }

  @Test
  void commitMarkIsWrittenOnceBeforeTheFirstRename() throws Exception {
    List<Integer> marks = new ArrayList<>();
    beforeRenames(number -> marks.add(store.marks().size()));

    assertThat(run(three).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(marks).containsExactly(1, 1, 1);
  }

  @Test
  void singleOutputNeedsNoCommitMark() throws Exception {
    assertThat(run(shell(slots(), slots("one"), "touch one")).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(store.marks()).isEmpty();
  }

  @Test
  void rollbackOfFoundOutputsLeavesNothing() throws Exception {
    TaskOrder found =
        shell(slots(), GlobOutputsTest.globs("*"), "for f in one two three; do echo 1 > $f; done");
    List<Map<String, CommitAttribute>> marks = new ArrayList<>();
    beforeRenames(
        number -> {
          marks.add(store.marks());
          if (number == 3) {
            store.injectedFailures.add(new IOException("refused"));
          }
        });

    assertThat(run(found).result()).isNotEqualTo(Result.SUCCEEDED);

    assertThat(marks)
        .hasSizeGreaterThan(2)
        .allSatisfy(mark -> assertThat(mark).containsOnlyKeys("/out/.weir-1-1"));
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(store.file("/out/.weir-1-1")).doesNotExist();
  }

  @Test
  void declaredOutputsAreRenamedAfterFoundOnes() throws Exception {
    TaskOrder found =
        shell(
            slots(),
            Stream.concat(slots("log", "done").stream(), GlobOutputsTest.globs("*").stream())
                .toList(),
            "touch done log one two");
    List<List<String>> committed = new ArrayList<>();
    beforeRenames(
        number ->
            committed.add(
                Stream.of("/out/one", "/out/two", "/data/log", "/data/done")
                    .filter(path -> Files.exists(store.file(path)))
                    .toList()));

    assertThat(run(found).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(committed)
        .containsExactly(
            List.of(),
            List.of("/out/one"),
            List.of("/out/one", "/out/two"),
            List.of("/out/one", "/out/two", "/data/log"));
    assertThat(store.file("/data/done")).exists();
  }

  @Test
  void rollbackSparesFilesOfAnotherAttempt() throws Exception {
    beforeRenames(
        number -> {
          if (number == 2) {
            // The worker counted as lost: its temporary files were removed, and another worker ran
            // the task.
            store.write("/data/other", "of the winner");
            Files.delete(store.file("/data/two.weir-1-1"));
            Files.move(
                store.file("/data/other"),
                store.file("/data/one"),
                StandardCopyOption.REPLACE_EXISTING);
          }
        });

    assertThat(run(three).result()).isNotEqualTo(Result.SUCCEEDED);

    assertThat(store.read("/data/one")).isEqualTo("of the winner");
    assertThat(everythingBelow("store")).hasSize(1);
  }

  @Test
  void unansweredRenameIsRolledBack() throws Exception {
    beforeRenames(
        number -> {
          if (number == 2) {
            Files.move(store.file("/data/two.weir-1-1"), store.file("/data/two"));
            store.injectedFailures.add(new IOException("no answer"));
          }
        });

    assertThat(run(three).result()).isNotEqualTo(Result.SUCCEEDED);

    assertThat(everythingBelow("store")).isEmpty();
  }
}
