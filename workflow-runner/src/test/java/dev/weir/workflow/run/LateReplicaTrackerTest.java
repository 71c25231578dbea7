package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.WorkerInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class LateReplicaTrackerTest {

  private static final WorkerInfo WORKER = new WorkerInfo("w", "n1", "/rack");
  private static final Map<String, Long> ONE = Map.of("n1", 9L);
  private static final Map<String, Long> TWO = Map.of("n1", 9L, "n2", 9L);

  private final List<String> forwarded = new ArrayList<>();
  private final List<String> lookups = new ArrayList<>();
  private final List<Map.Entry<String, Map<String, Long>>> reported = new ArrayList<>();
  private final Map<String, Map<String, Long>> hdfs = new HashMap<>();
  private boolean unavailable;

  /** A file whose locations may not be read. */
  private String forbidden = "";

  /** The duration of a lookup. */
  private long millis;

  private long now;
  private final LateReplicaTracker tracker =
      new LateReplicaTracker(
          new RecordListener() {
            @Override
            public void record(DispatchRecord record) {
              forwarded.add("record");
            }

            @Override
            public void workerJoined(WorkerInfo worker, long now) {
              forwarded.add("joined " + worker.id());
            }

            @Override
            public void workerEnded(String worker, long now) {
              forwarded.add("ended " + worker);
            }
          },
          file -> file.startsWith("copied"),
          this::where,
          () -> now);

  private Optional<Map<String, Long>> where(String file) throws IOException {
    lookups.add(file);
    now += millis;
    if (unavailable) {
      throw new RemoteException(RetriableException.class.getName(), "away");
    }
    if (file.equals(forbidden)) {
      throw new AccessControlException("not for you");
    }
    return Optional.ofNullable(hdfs.get(file));
  }

  private void ended(Result result, String... outputs) {
    List<StoredFile> stored = new ArrayList<>();
    for (String output : outputs) {
      stored.add(new StoredFile(output, 9, ONE));
      hdfs.put(output, ONE);
    }
    TaskReport report = new TaskReport("t", 1, result, 0, "", "", List.of(), stored, Usage.NONE);
    tracker.record(new AttemptEnded(WORKER, 1, 2, 3, report));
  }

  private void checkAt(long time) {
    now = time;
    tracker.check((file, places) -> reported.add(Map.entry(file, places)));
  }

  /** Checks as often as in a minute. */
  private void checkForAMinute() {
    for (long end = now + 60_000; now < end; ) {
      checkAt(now + LateReplicaTracker.PAUSE_MILLIS);
    }
  }

  @Test
  void reportsANewReplica() {
    ended(Result.SUCCEEDED, "copied", "other");
    hdfs.put("copied", TWO);

    checkAt(5_000);
    assertThat(lookups).as("too early for a copy").isEmpty();
    checkAt(6_000);
    assertThat(reported).containsExactly(Map.entry("copied", TWO));
    checkForAMinute();
    assertThat(lookups).as("all copies are complete").containsExactly("copied");
    assertThat(forwarded).containsExactly("record");
  }

  @Test
  void repeatsTheLookupForASlowCopy() {
    ended(Result.SUCCEEDED, "copied");
    checkAt(6_000);
    checkAt(12_000);
    assertThat(lookups).hasSize(1);
    hdfs.put("copied", TWO);
    checkAt(14_000);

    assertThat(reported).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void givesUpAfterATime() {
    ended(Result.SUCCEEDED, "copied");
    checkForAMinute();

    assertThat(lookups).hasSize(4);
    assertThat(reported).isEmpty();
  }

  @Test
  void stopsForADeletedFile() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.clear();
    checkForAMinute();

    assertThat(lookups).hasSize(1);
    assertThat(reported).isEmpty();
  }

  @Test
  void reportsNothingWhileNoNodeHasTheFile() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of());
    checkAt(6_000);
    assertThat(reported).isEmpty();

    hdfs.put("copied", TWO);
    checkAt(14_000);
    assertThat(reported).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void retriesAfterAFailedLookup() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", TWO);
    unavailable = true;
    checkAt(6_000);
    unavailable = false;
    checkAt(14_000);

    assertThat(reported).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void failedLookupEndsTheRound() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3");
    hdfs.replaceAll((file, places) -> TWO);
    unavailable = true;
    checkAt(6_000);
    assertThat(lookups).containsExactly("copied1");
    checkAt(8_000);
    assertThat(lookups).containsExactly("copied1", "copied2");
  }

  @Test
  void unreadableFileDoesNotBlockOthers() {
    ended(Result.SUCCEEDED, "copied1", "copied2");
    hdfs.replaceAll((file, places) -> TWO);
    forbidden = "copied1";
    checkAt(6_000);
    assertThat(reported).containsExactly(Map.entry("copied2", TWO));
    forbidden = "";
    checkAt(14_000);
    assertThat(reported).extracting(Map.Entry::getKey).containsExactly("copied2", "copied1");
  }

  @Test
  void filesSkippedDuringAnOutageAreLookedUpLater() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3", "copied4", "copied5", "copied6");
    hdfs.replaceAll((file, places) -> TWO);
    unavailable = true;
    // If each failed round counted for all due files, they would be dropped after this time.
    for (long time = 6_000; time < 36_000; time += LateReplicaTracker.PAUSE_MILLIS) {
      checkAt(time);
    }
    unavailable = false;
    checkAt(60_000);

    assertThat(reported)
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "copied1", "copied2", "copied3", "copied4", "copied5", "copied6");
  }

  @Test
  void roundIsLimitedToASecond() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3", "copied4");
    hdfs.replaceAll((file, places) -> TWO);
    millis = 400;
    checkAt(6_000);
    assertThat(reported)
        .extracting(Map.Entry::getKey)
        .containsExactly("copied1", "copied2", "copied3");
    checkAt(9_000);
    assertThat(reported).extracting(Map.Entry::getKey).endsWith("copied4").hasSize(4);
  }

  @Test
  void incompleteCopyIsNotReported() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of("n1", 9L, "n2", 3L));
    checkAt(6_000);
    assertThat(reported).isEmpty();
    hdfs.put("copied", TWO);
    checkAt(14_000);

    assertThat(reported).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void movedReplicaIsReported() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of("n2", 9L));
    checkAt(6_000);

    assertThat(reported).containsExactly(Map.entry("copied", Map.of("n2", 9L)));
  }

  @Test
  void ignoresOutputsOfFailedAttempts() {
    ended(Result.FAILED, "copied");
    checkForAMinute();

    assertThat(lookups).isEmpty();
  }

  @Test
  void limitsLookupsPerRound() {
    String[] many = new String[300];
    for (int i = 0; i < many.length; i++) {
      many[i] = "copied" + i;
    }
    ended(Result.SUCCEEDED, many);
    hdfs.replaceAll((file, places) -> TWO);

    checkAt(6_000);
    assertThat(lookups).hasSize(128);
    checkAt(8_000);
    checkAt(10_000);
    assertThat(lookups).containsExactly(many);
    assertThat(reported).hasSize(300);
  }

  @Test
  void passesRecordsOn() {
    tracker.workerJoined(WORKER, 1);
    tracker.workerEnded("w", 2);

    assertThat(forwarded).containsExactly("joined w", "ended w");
  }
}
