package dev.weir.workflow.run;

import static dev.weir.workflow.run.EarlierRunFiles.KILLED;
import static dev.weir.workflow.run.EarlierRunFiles.OLDER;
import static dev.weir.workflow.run.EarlierRunFiles.OWN;
import static dev.weir.workflow.run.EarlierRunFiles.TIMEOUT;
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

/** What a run reuses and notes if earlier runs exceed its limits. */
class EarlierRunsLimitsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final EarlierRunFiles earlierFiles = new EarlierRunFiles(HDFS.fs());

  @BeforeEach
  void begin() throws IOException {
    earlierFiles.begin();
  }

  private static EarlierRuns.Limits limitedTo(long bytes) {
    return new EarlierRuns.Limits(TIMEOUT, bytes, Long.MAX_VALUE);
  }

  /**
   * A clock that reaches half of the timeout after a hundred readings, which happen every 8 KiB of
   * input.
   */
  private static Clock ticking() {
    AtomicLong looks = new AtomicLong();
    return new SteadyClock(
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        () -> looks.getAndIncrement() * (TIMEOUT.toNanos() / 200));
  }

  @Test
  void timeoutIsNoted() throws Exception {
    EarlierRuns earlier =
        earlierFiles.search(earlierFiles.next(plan(1)), EarlierRuns.Limits.within(Duration.ZERO));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains("cannot be listed on this node", "weir cancel " + OWN);
  }

  @Test
  void runsReadBeforeTheTimeoutAreReused() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    earlierFiles.kill(OLDER, plan(5_000));
    earlierFiles.kill(ApplicationId.newInstance(6, 9), plan(1));
    earlierFiles.kill(ApplicationId.newInstance(6, 8), plan(1));
    EarlierRuns earlier =
        earlierFiles.search(
            earlierFiles.next(plan(1)), EarlierRuns.Limits.within(TIMEOUT), ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(0)).contains(OLDER.toString(), "takes longer than");
    assertThat(earlier.notes().get(1))
        .contains("application_6_0009, application_6_0008", "takes longer than");
  }

  @Test
  void tasksReadBeforeTheTimeoutAreReused() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    earlierFiles.write(earlierFiles.file(KILLED, "journal-0001-000002.jsonl"), plan(5_000), 3);
    EarlierRuns earlier =
        earlierFiles.search(
            earlierFiles.next(plan(1)), EarlierRuns.Limits.within(TIMEOUT), ticking());

    assertThat(earlier.takeOver()).hasSize(3);

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "takes longer than");
  }

  @Test
  void tooLongRunIsNoted() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    EarlierRuns earlier =
        earlierFiles.search(earlierFiles.next(plan(1)), limitedTo(earlierFiles.bytes(KILLED) - 1));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes())
        .singleElement()
        .asString()
        .contains(KILLED.toString(), "plan and journals are 0 MiB long");
  }

  @Test
  void uselessReadsCountTowardsTheLimit() throws Exception {
    earlierFiles.kill(KILLED, plan(1));
    String torn = "{" + " ".repeat(50_000);
    earlierFiles.directory(KILLED).write(Staging.PLAN, out -> out.write(torn.getBytes(UTF_8)));
    earlierFiles.kill(OLDER, plan(1));
    EarlierRuns earlier =
        earlierFiles.search(
            earlierFiles.next(plan(1)), limitedTo(50_000 + earlierFiles.bytes(OLDER)));

    assertThat(earlier.takeOver()).isEmpty();

    assertThat(earlier.notes()).hasSize(2);
    assertThat(earlier.notes().get(1)).contains(OLDER.toString());
  }
}
