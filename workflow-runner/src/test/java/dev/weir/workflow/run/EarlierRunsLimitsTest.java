package dev.weir.workflow.run;

import static dev.weir.workflow.run.EarlierRunFiles.KILLED;
import static dev.weir.workflow.run.EarlierRunFiles.OLDER;
import static dev.weir.workflow.run.EarlierRunFiles.OWN;
import static dev.weir.workflow.run.EarlierRunFiles.PATIENCE;
import static dev.weir.workflow.run.EarlierRunFiles.plan;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.concurrent.SteadyClock;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a run takes over, and says, when there is more to be read of earlier runs than it may. */
class EarlierRunsLimitsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final EarlierRunFiles past = new EarlierRunFiles(HDFS.fs());

  @BeforeEach
  void begin() throws IOException {
    past.begin();
  }

  private static EarlierRuns.Limits reading(long bytes) {
    return new EarlierRuns.Limits(PATIENCE, bytes, Long.MAX_VALUE);
  }

  /**
   * A clock by which half of the patience is over when somebody has looked a hundred times, as for
   * readings of 8 KiB.
   */
  private static Clock ticking() {
    AtomicLong looks = new AtomicLong();
    return new SteadyClock(
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        () -> looks.getAndIncrement() * (PATIENCE.toNanos() / 200));
  }

  @Test
  void whatTakesTooLongIsNoted() throws Exception {
    EarlierRuns earlier = past.search(past.next(plan(1)), EarlierRuns.Limits.within(Duration.ZERO));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains("was not found out in 0 s", "weir cancel " + OWN);
  }

  @Test
  void whatWasReadBeforeItsTimeWasOverIsTakenOver() throws Exception {
    past.kill(KILLED, plan(1));
    past.kill(OLDER, plan(5_000));
    past.kill(ApplicationId.newInstance(6, 9), plan(1));
    past.kill(ApplicationId.newInstance(6, 8), plan(1));
    EarlierRuns earlier =
        past.search(past.next(plan(1)), EarlierRuns.Limits.within(PATIENCE), ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(0)).contains(OLDER.toString(), "takes longer than");
    assertThat(earlier.notes().get(1))
        .contains("application_6_0009, application_6_0008", "takes longer than");
  }

  @Test
  void whatWasReadOfARunBeforeItsTimeWasOverIsTakenOver() throws Exception {
    past.kill(KILLED, plan(1));
    past.write(past.file(KILLED, "journal-0001-000002.jsonl"), plan(5_000), 3);
    EarlierRuns earlier =
        past.search(past.next(plan(1)), EarlierRuns.Limits.within(PATIENCE), ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "takes longer than");
  }

  @Test
  void ofWhatIsTooLongToBeReadANoteIsMade() throws Exception {
    past.kill(KILLED, plan(1));
    EarlierRuns earlier = past.search(past.next(plan(1)), reading(past.bytes(KILLED) - 1));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "plan and journals are 0 MiB long");
  }

  @Test
  void whatWasReadInVainCountsToo() throws Exception {
    past.kill(KILLED, plan(1));
    String torn = "{" + " ".repeat(50_000);
    past.directory(KILLED).write(Staging.PLAN, out -> out.write(torn.getBytes(UTF_8)));
    past.kill(OLDER, plan(1));
    EarlierRuns earlier = past.search(past.next(plan(1)), reading(50_000 + past.bytes(OLDER)));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(1)).contains(OLDER.toString());
  }
}
