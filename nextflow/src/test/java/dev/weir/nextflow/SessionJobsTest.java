package dev.weir.nextflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionLocator;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionJobsTest {

  private final List<Long> pauses = new ArrayList<>();

  /** A session that does not answer a number of requests, and then has ended. */
  private SessionJobs ending(int unanswered) {
    int[] asked = {0};
    SessionLocator locator =
        new SessionLocator() {
          @Override
          public SessionEndpoint find() throws IOException {
            asked[0]++;
            if (asked[0] > unanswered) {
              throw new JobException(410, "The session has ended");
            }
            throw new IOException("no answer");
          }

          @Override
          public void requireAlive() throws IOException {
            throw new IOException("no ResourceManager");
          }
        };
    return new SessionJobs(
        new JobClient(locator, Duration.ZERO, Clock.systemUTC()), () -> {}, pauses::add);
  }

  @Test
  void jobsAreAwaitedUntilTheSessionHasEnded() throws IOException {
    try (SessionJobs jobs = ending(9)) {
      assertThat(jobs.takeEnd("a")).isEmpty();

      jobs.awaitEnds();

      assertThat(pauses)
          .containsExactly(
              1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
      assertThatThrownBy(() -> jobs.takeEnd("a")).hasMessageContaining("The session has ended");
    }
  }

  @Test
  void jobsThatTheSessionDoesNotTakeAreNotAwaited() {
    Job job = new Job("a", "", List.of("true"), Map.of(), List.of(), List.of(), JobOptions.DEFAULT);
    try (SessionJobs jobs = ending(0)) {
      assertThatThrownBy(() -> jobs.submit(job)).isInstanceOf(JobException.class);

      assertThat(jobs.isAwaited("a")).isFalse();
    }
  }
}
