package dev.weir.workflow.am;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.TakenOver;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.Effort;
import dev.weir.workflow.protocol.ReadFile;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.reuse.Remembrance;
import dev.weir.workflow.reuse.Rerun;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.RunChoices;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run takes over from one that was killed, and what it says when it cannot. */
class EarlierRunsTest {

  private static final ApplicationId KILLED = ApplicationId.newInstance(7, 2);
  private static final ApplicationId OWN = ApplicationId.newInstance(7, 3);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectWriter LINES = new ObjectMapper().writerFor(Journal.Line.class);
  private static final int GATHERED = 1_000;

  /** As long as those of real workflows, which come with their directories. */
  private static final String PARTS = "intermediate/of/a/large/workflow/part-";

  private static final String JOURNAL = "journal-0001-000001.jsonl";

  /** A run before {@link #KILLED}. */
  private static final ApplicationId OLDER = ApplicationId.newInstance(7, 1);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final RunDirectories directories = RunDirectories.own(fs);

  @BeforeEach
  void begin() throws IOException {
    directories.forgetRuns();
    fs.delete(new Path("/data"), true);
    fs.create(new Path("/data/in")).close();
    fs.create(new Path("/data/result")).close();
  }

  /** Tasks that read one file, others that gather what those make, and one that has it all. */
  private static RunPlan plan(int parts) {
    List<Task> tasks = new ArrayList<>();
    List<String> gathered = new ArrayList<>();
    for (int first = 0; first < parts; first += GATHERED) {
      List<String> made = new ArrayList<>();
      for (int i = first; i < Math.min(parts, first + GATHERED); i++) {
        String file = PARTS + i;
        tasks.add(
            new Task(
                "part-" + i,
                "part",
                List.of("bin/part", "--from", "in", "--number", "" + i, "--to", file),
                List.of("in"),
                List.of(file, file + ".index"),
                1.5));
        made.addAll(List.of(file, file + ".index"));
      }
      tasks.add(Plans.task("gather-" + first, made, List.of("sum-" + first)));
      gathered.add("sum-" + first);
    }
    tasks.add(Plans.task("end", gathered, List.of("result")));
    return Plans.with(
        Plans.of(1, tasks.toArray(Task[]::new)), RunChoices.DEFAULT.withRerun(Rerun.NONE));
  }

  private Staging directory(ApplicationId run) {
    return directories.directory(run.toString());
  }

  /** What a run of a plan has left that was killed when all tasks had ended. */
  private void kill(RunPlan plan) throws IOException {
    kill(KILLED, plan);
  }

  private void kill(ApplicationId run, RunPlan plan) throws IOException {
    fs.mkdirs(directory(run).directory());
    directory(run).writeJson(Staging.PLAN, plan);
    write(directory(run).file(JOURNAL), plan, 0);
  }

  /** A journal in which all tasks end, whose lines have the numbers after that one. */
  private void write(Path journal, RunPlan plan, long before) throws IOException {
    try (OutputStream out = fs.create(journal)) {
      long number = before;
      for (Task task : plan.workflow().tasks()) {
        out.write(LINES.writeValueAsBytes(new Journal.Line(1, ++number, ended(task))));
        out.write('\n');
      }
    }
  }

  private static DispatchRecord ended(Task task) {
    return new DispatchRecord.AttemptEnded(
        new WorkerInfo("container_1700000000000_0001_01_000002", "node-17.example", "/rack-1"),
        1_700_000_000_000L,
        1_700_000_000_000L,
        1_700_000_001_000L,
        new TaskReport(
            task.id(),
            1,
            Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            task.outputs().stream()
                .map(file -> new StoredFile(file, 0, Map.of("node-17.example", 0L), 0))
                .toList(),
            Usage.NONE,
            task.inputs().stream().map(file -> new ReadFile(file, 0, 0)).toList(),
            Effort.NONE));
  }

  private RunPlan next(RunPlan plan) throws IOException {
    Staging own = directory(OWN);
    fs.mkdirs(own.directory());
    own.writeJson(Staging.PLAN, plan);
    own.writeJson(Staging.OTHERS, List.of());
    return own.readJson(Staging.PLAN, RunPlan.class);
  }

  private EarlierRuns search(RunPlan plan, Duration patience) {
    return search(plan, EarlierRuns.Limits.within(patience), Clock.systemUTC());
  }

  private EarlierRuns search(RunPlan plan, EarlierRuns.Limits limits, Clock clock) {
    return search(fs, plan, limits, clock);
  }

  private static EarlierRuns search(
      DistributedFileSystem fs, RunPlan plan, EarlierRuns.Limits limits, Clock clock) {
    return new EarlierRuns(fs, plan, RunDirectories.own(fs), OWN, limits, clock);
  }

  private EarlierRuns search(RunPlan plan, long readBytes) {
    return search(
        plan, new EarlierRuns.Limits(PATIENCE, readBytes, Long.MAX_VALUE), Clock.systemUTC());
  }

  /** A clock by which half of the patience is over when somebody has looked a hundred times. */
  private static Clock ticking() {
    AtomicLong looks = new AtomicLong();
    return new SteadyClock(
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        () -> looks.getAndIncrement() * (PATIENCE.toNanos() / 200));
  }

  private long bytes(ApplicationId run) throws IOException {
    return directory(run).length(Staging.JOURNAL) + directory(run).length(Staging.PLAN);
  }

  private long megabytes(String prefix) throws IOException {
    return directory(KILLED).length(prefix) >> 20;
  }

  @Test
  void aLargeRunThatWasKilledIsTakenOver() throws Exception {
    kill(plan(36_000));
    EarlierRuns earlier = search(next(plan(36_000)), PATIENCE);

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
  void soIsOneOfAHundredThousandTasks() throws Exception {
    kill(plan(100_000));
    RunPlan plan = next(plan(100_000));
    Dispatcher dispatcher =
        new Dispatcher(plan.workflow(), Policy.DATA_AWARE, Limits.DEFAULT, plan.workers().size());
    EarlierRuns earlier = search(plan, PATIENCE);

    List<TakenOver> taken = earlier.takeOver();

    assertThat(earlier.notes()).isEmpty();
    assertThat(taken).hasSize(100_101);
    taken.forEach(dispatcher::replay);
    assertThat(megabytes(Staging.PLAN)).isGreaterThanOrEqualTo(50);
    assertThat(megabytes(Staging.JOURNAL)).isGreaterThanOrEqualTo(50);
  }

  @Test
  void whatTakesTooLongIsNoted() throws Exception {
    EarlierRuns earlier = search(next(plan(1)), Duration.ZERO);

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains("was not found out in 0 s", "weir cancel " + OWN);
  }

  @Test
  void aRunThatCannotBeReadIsNoted() throws Exception {
    kill(plan(1));
    directory(KILLED).write(Staging.PLAN, out -> out.write('{'));
    EarlierRuns earlier = search(next(plan(1)), PATIENCE);

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "nothing can be read", Staging.PLAN);
  }

  @Test
  void whatCannotBeReadOfWhatWasWrittenDownIsNoted() throws Exception {
    directories.writeDone(KILLED.toString(), out -> out.write('{'));
    EarlierRuns earlier = search(next(plan(1)), PATIENCE);

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "a part cannot be read");
  }

  @Test
  void ofMoreThanFiveRunsThatWereKilledTheOldestIsTakenOverToo() throws Exception {
    kill(plan(1));
    for (int i = 1; i <= 5; i++) {
      Staging other =
          directories.directory(ApplicationId.newInstance(7, OWN.getId() + i).toString());
      fs.mkdirs(other.directory());
      other.writeJson(Staging.PLAN, Plans.below("/elsewhere"));
      fs.create(other.file("journal-0001-000001.jsonl")).close();
    }

    assertThat(search(next(plan(1)), PATIENCE).takeOver()).hasSize(3);
  }

  @Test
  void whatWasReadBeforeItsTimeWasOverIsTakenOver() throws Exception {
    kill(plan(1));
    kill(OLDER, plan(5_000));
    kill(ApplicationId.newInstance(6, 9), plan(1));
    kill(ApplicationId.newInstance(6, 8), plan(1));
    EarlierRuns earlier =
        search(
            next(plan(1)),
            // That is 100 readings of 8 KiB.
            EarlierRuns.Limits.within(PATIENCE),
            ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(0)).contains(OLDER.toString(), "takes longer than");
    assertThat(earlier.notes().get(1))
        .contains("application_6_0009, application_6_0008", "takes longer than");
  }

  @Test
  void whatWasReadOfARunBeforeItsTimeWasOverIsTakenOver() throws Exception {
    kill(plan(1));
    write(directory(KILLED).file("journal-0001-000002.jsonl"), plan(5_000), 3);
    EarlierRuns earlier = search(next(plan(1)), EarlierRuns.Limits.within(PATIENCE), ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "takes longer than");
  }

  private void end(ApplicationId run, RunPlan plan) throws IOException {
    Remembrance done =
        new Remembrance(
            run.toString(), plan.dataDir(), plan.workflow(), plan.environment(), plan.standIn());
    for (Task task : plan.workflow().tasks()) {
      done.succeeded(
          task.id(),
          1,
          task.inputs().stream().map(file -> new FileRecord(file, 0, 0)).toList(),
          task.outputs().stream().map(file -> new FileRecord(file, 0, 0)).toList());
    }
    directories.writeDone(run.toString(), out -> done.write(out, file -> null));
    directory(run).tidy(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {Staging.PLAN, JOURNAL})
  void aRunThatEndsMeanwhileIsTakenOver(String whenThisIsOpened) throws Exception {
    kill(plan(1));
    RunPlan plan = next(plan(1));
    try (Meanwhile ending =
        new Meanwhile(fs, directory(KILLED).file(whenThisIsOpened), () -> end(KILLED, plan(1)))) {
      EarlierRuns earlier =
          search(ending, plan, EarlierRuns.Limits.within(PATIENCE), Clock.systemUTC());

      assertThat(earlier.takeOver()).hasSize(3);

      assertThat(earlier.notes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Staging.PLAN, JOURNAL})
  void ofARunThatIsForgottenMeanwhileNoNoteIsMade(String whenThisIsOpened) throws Exception {
    kill(plan(1));
    RunPlan plan = next(plan(1));
    Meanwhile.Deed forget = () -> directory(KILLED).delete();
    try (Meanwhile ending = new Meanwhile(fs, directory(KILLED).file(whenThisIsOpened), forget)) {
      EarlierRuns earlier =
          search(ending, plan, EarlierRuns.Limits.within(PATIENCE), Clock.systemUTC());

      assertThat(earlier.takeOver()).isEmpty();

      assertThat(earlier.notes()).isEmpty();
    }
  }

  @Test
  void theJournalsOfAnotherWorkflowAreNotRead() throws Exception {
    kill(Plans.of(1, Plans.task("other", List.of("in"), List.of("elsewhere"))));
    fs.delete(directory(KILLED).file(JOURNAL), false);
    fs.mkdirs(directory(KILLED).file(JOURNAL));
    EarlierRuns earlier = search(next(plan(1)), PATIENCE);

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes()).isEmpty();
  }

  @Test
  void ofWhatIsTooLongToBeReadANoteIsMade() throws Exception {
    kill(plan(1));
    EarlierRuns earlier = search(next(plan(1)), bytes(KILLED) - 1);

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "plan and journals are 0 MiB long");
  }

  @Test
  void whatWasReadInVainCountsToo() throws Exception {
    kill(plan(1));
    String torn = "{" + " ".repeat(50_000);
    directory(KILLED).write(Staging.PLAN, out -> out.write(torn.getBytes(UTF_8)));
    kill(OLDER, plan(1));
    EarlierRuns earlier = search(next(plan(1)), 50_000 + bytes(OLDER));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(1)).contains(OLDER.toString());
  }
}
