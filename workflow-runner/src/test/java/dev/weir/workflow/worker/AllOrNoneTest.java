package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.CommitMark;
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
import org.junit.jupiter.api.Test;

/** What is left of a commit of several outputs that does not come to its end. */
class AllOrNoneTest extends TaskRunnerBench {

  private static final String LAST = "/data/three.weir-1-1";

  private final TaskOrder three =
      shell(slots(), slots("one", "two", "three"), "for f in one two three; do echo 1 > $f; done");

  /** Has something happen before the renames of one attempt. */
  private interface Renames {

    /** Before the rename of that number, from 1. */
    void before(int number) throws IOException;
  }

  private void renames(Renames happening) {
    int[] number = {0};
    store.beforeCommit(
        () -> {
          number[0]++;
          try {
            happening.before(number[0]);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void aWorkerThatDiesBetweenTwoRenamesLeavesWordOfWhatIsToBeTakenBack() throws Exception {
    renames(
        number -> {
          if (number == 2) {
            store.refusals.cut();
          }
        });

    TaskReport report = run(three);

    assertThat(report.result()).isNotEqualTo(Result.SUCCEEDED);
    assertThat(store.file("/data/one")).as("it cannot be helped").exists();
    assertThat(store.marks())
        .isEqualTo(
            Map.of(
                LAST,
                new CommitMark(
                    List.of(
                        store.numberOf("/data/one"),
                        store.numberOf("/data/two.weir-1-1"),
                        store.numberOf(LAST)))));
  }

  @Test
  void wordIsLeftBeforeTheFirstRenameAndOnce() throws Exception {
    List<Integer> marks = new ArrayList<>();
    renames(number -> marks.add(store.marks().size()));

    assertThat(run(three).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(marks).containsExactly(1, 1, 1);
  }

  @Test
  void oneOutputNeedsNone() throws Exception {
    assertThat(run(shell(slots(), slots("one"), "touch one")).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(store.marks()).isEmpty();
  }

  @Test
  void whatAnotherAttemptHasCommittedMeanwhileIsNotTakenBack() throws Exception {
    renames(
        number -> {
          if (number == 2) {
            // It was taken for lost, what it had left was removed, and the task done elsewhere.
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
  void aRenameThatIsNotAnsweredIsTakenBackToo() throws Exception {
    renames(
        number -> {
          if (number == 2) {
            Files.move(store.file("/data/two.weir-1-1"), store.file("/data/two"));
            store.refusals.add(new IOException("no answer"));
          }
        });

    assertThat(run(three).result()).isNotEqualTo(Result.SUCCEEDED);

    assertThat(everythingBelow("store")).isEmpty();
  }
}
