package dev.weir.workflow.run;

import static dev.weir.workflow.run.EarlierRunFiles.JOURNAL;
import static dev.weir.workflow.run.EarlierRunFiles.KILLED;
import static dev.weir.workflow.run.EarlierRunFiles.OWN;
import static dev.weir.workflow.run.EarlierRunFiles.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.session.OpenHookFileSystem;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run reuses from a killed run, and what it notes if it cannot. */
class EarlierRunsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final EarlierRunFiles earlierFiles = new EarlierRunFiles(HDFS.fs());

  @BeforeEach
  void begin() throws IOException {
    earlierFiles.begin();
  }

  private long megabytes(String prefix) throws IOException {
    return earlierFiles.directory(KILLED).length(prefix) >> 20;
  }

  @Test
  void tasksOfALargeKilledRunAreReused() throws Exception {
    earlierFiles.kill(KILLED, plan(36_000));
    EarlierRuns earlier = earlierFiles.search(earlierFiles.next(plan(36_000)));

    assertThat(earlier.takeOver()).hasSize(36_037);

    assertThat(megabytes(Staging.JOURNAL) + megabytes(Staging.PLAN)).isGreaterThan(32);
    assertThat(earlier.notes()).isEmpty();
  }

  /**
   * Plan and journal have 50 MB or more each. With -Xmx320m, an ApplicationMaster's heap, it passes
   * with the test's HDFS in the same heap: 136 MB were in use before the search, 218 MB when the
   * journal and the plan had been read, and 279 MB at most while the two runs were compared.
   */
  @Test
  @Tag("nightly")
  void tasksOfAKilledRunOfAHundredThousandAreReused() throws Exception {
    earlierFiles.kill(KILLED, plan(100_000));
    RunPlan plan = earlierFiles.next(plan(100_000));
    Dispatcher dispatcher =
        Dispatchers.of(
            plan.workflow(), AssignmentPolicy.DATA_AWARE, Limits.DEFAULT, plan.workers().size());
    EarlierRuns earlier = earlierFiles.search(plan);

    List<TakenOver> taken = earlier.takeOver();

    assertThat(earlier.notes()).isEmpty();
    assertThat(taken).hasSize(100_101);
    taken.forEach(dispatcher::replay);
    assertThat(megabytes(Staging.PLAN)).isGreaterThanOrEqualTo(50);
    assertThat(megabytes(Staging.JOURNAL)).isGreaterThanOrEqualTo(50);
  }

  @Test
  @Timeout(120)
  void listOfProgramsThatHangsIsNoted() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    RunPlan plan = earlierFiles.next(plan(1));
    earlierFiles.directory(OWN).writeJson(Staging.TOOLS, Map.of());
    CountDownLatch never = new CountDownLatch(1);
    OpenHookFileSystem.Action hang =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
        };
    try (OpenHookFileSystem hanging =
        new OpenHookFileSystem(fs, earlierFiles.file(OWN, Staging.TOOLS), hang)) {
      EarlierRuns earlier =
          new EarlierRunFiles(hanging)
              .search(plan, EarlierRuns.Limits.within(Duration.ofMillis(1)));

      assertThat(earlier.takeOver()).isEmpty();

      assertThat(earlier.notes()).singleElement().asString().contains("installed programs");
    }
  }

  @Test
  void unreadableRunIsNoted() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    earlierFiles.directory(KILLED).write(Staging.PLAN, out -> out.write('{'));
    EarlierRuns earlier = earlierFiles.search(earlierFiles.next(plan(1)));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "nothing can be read", Staging.PLAN);
  }

  @Test
  void unreadableRecordIsNoted() throws Exception {
    RunDirectories.own(fs).writeDone(KILLED.toString(), out -> out.write('{'));
    EarlierRuns earlier = earlierFiles.search(earlierFiles.next(plan(1)));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "a part cannot be read");
  }

  @Test
  void tasksOfMoreThanFiveKilledRunsAreReused() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    for (int i = 1; i <= 5; i++) {
      Staging other = earlierFiles.directory(ApplicationId.newInstance(7, OWN.getId() + i));
      fs.mkdirs(other.directory());
      other.writeJson(Staging.PLAN, Plans.below("/elsewhere"));
      fs.create(other.file(JOURNAL)).close();
    }

    assertThat(earlierFiles.search(earlierFiles.next(plan(1))).takeOver()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {Staging.PLAN, JOURNAL})
  void runThatEndsDuringTheSearchIsReused(String openedFile) throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    RunPlan plan = earlierFiles.next(plan(1));
    OpenHookFileSystem.Action end = () -> earlierFiles.end(KILLED, plan(1));
    try (OpenHookFileSystem ending =
        new OpenHookFileSystem(fs, earlierFiles.file(KILLED, openedFile), end)) {
      EarlierRuns earlier = new EarlierRunFiles(ending).search(plan);

      assertThat(earlier.takeOver()).hasSize(3);

      assertThat(earlier.notes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Staging.PLAN, JOURNAL})
  void runForgottenDuringTheSearchIsNotNoted(String openedFile) throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    RunPlan plan = earlierFiles.next(plan(1));
    OpenHookFileSystem.Action forget = () -> earlierFiles.directory(KILLED).delete();
    try (OpenHookFileSystem ending =
        new OpenHookFileSystem(fs, earlierFiles.file(KILLED, openedFile), forget)) {
      EarlierRuns earlier = new EarlierRunFiles(ending).search(plan);

      assertThat(earlier.takeOver()).isEmpty();

      assertThat(earlier.notes()).isEmpty();
    }
  }

  @Test
  void journalsOfOtherWorkflowsAreNotRead() throws Exception {
    earlierFiles.kill(
        KILLED, Plans.of(1, Plans.task("other", List.of("in"), List.of("elsewhere"))));
    fs.delete(earlierFiles.file(KILLED, JOURNAL), false);
    fs.mkdirs(earlierFiles.file(KILLED, JOURNAL));
    EarlierRuns earlier = earlierFiles.search(earlierFiles.next(plan(1)));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes()).isEmpty();
  }
}
