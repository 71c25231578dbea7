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

  private final List<String> kept = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Map.Entry<String, Map<String, Long>>> news = new ArrayList<>();
  private final Map<String, Map<String, Long>> hdfs = new HashMap<>();
  private boolean away;

  /** Nobody may know where that one is. */
  private String forbidden = "";

  /** What a question takes. */
  private long millis;

  private long now;
  private final LateReplicaTracker copies =
      new LateReplicaTracker(
          new RecordListener() {
            @Override
            public void record(DispatchRecord record) {
              kept.add("record");
            }

            @Override
            public void workerJoined(WorkerInfo worker, long now) {
              kept.add("joined " + worker.id());
            }

            @Override
            public void workerEnded(String worker, long now) {
              kept.add("ended " + worker);
            }
          },
          file -> file.startsWith("copied"),
          this::where,
          () -> now);

  private Optional<Map<String, Long>> where(String file) throws IOException {
    asked.add(file);
    now += millis;
    if (away) {
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
    copies.record(new AttemptEnded(WORKER, 1, 2, 3, report));
  }

  private void lookAt(long time) {
    now = time;
    copies.check((file, places) -> news.add(Map.entry(file, places)));
  }

  /** Looks as often as it is done in a minute. */
  private void lookForAMinute() {
    for (long end = now + 60_000; now < end; ) {
      lookAt(now + LateReplicaTracker.PAUSE_MILLIS);
    }
  }

  @Test
  void tellsOfACopyThatHasCome() {
    ended(Result.SUCCEEDED, "copied", "other");
    hdfs.put("copied", TWO);

    lookAt(5_000);
    assertThat(asked).as("none can be there yet").isEmpty();
    lookAt(6_000);
    assertThat(news).containsExactly(Map.entry("copied", TWO));
    lookForAMinute();
    assertThat(asked).as("there will be no other").containsExactly("copied");
    assertThat(kept).containsExactly("record");
  }

  @Test
  void looksAgainForOneThatTakesLonger() {
    ended(Result.SUCCEEDED, "copied");
    lookAt(6_000);
    lookAt(12_000);
    assertThat(asked).hasSize(1);
    hdfs.put("copied", TWO);
    lookAt(14_000);

    assertThat(news).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void givesUpAfterSomeTime() {
    ended(Result.SUCCEEDED, "copied");
    lookForAMinute();

    assertThat(asked).hasSize(4);
    assertThat(news).isEmpty();
  }

  @Test
  void looksNoMoreForAFileThatIsGone() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.clear();
    lookForAMinute();

    assertThat(asked).hasSize(1);
    assertThat(news).isEmpty();
  }

  @Test
  void tellsNothingOfAFileThatNoNodeHasForTheMoment() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of());
    lookAt(6_000);
    assertThat(news).isEmpty();

    hdfs.put("copied", TWO);
    lookAt(14_000);
    assertThat(news).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void asksAgainWhenNobodyAnswers() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", TWO);
    away = true;
    lookAt(6_000);
    away = false;
    lookAt(14_000);

    assertThat(news).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void oneQuestionOfARoundIsEnoughToSeeThatNobodyAnswers() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3");
    hdfs.replaceAll((file, places) -> TWO);
    away = true;
    lookAt(6_000);
    assertThat(asked).containsExactly("copied1");
    lookAt(8_000);
    assertThat(asked).containsExactly("copied1", "copied2");
  }

  @Test
  void aFileThatMayNotBeAskedForKeepsNoOtherWaiting() {
    ended(Result.SUCCEEDED, "copied1", "copied2");
    hdfs.replaceAll((file, places) -> TWO);
    forbidden = "copied1";
    lookAt(6_000);
    assertThat(news).containsExactly(Map.entry("copied2", TWO));
    forbidden = "";
    lookAt(14_000);
    assertThat(news).extracting(Map.Entry::getKey).containsExactly("copied2", "copied1");
  }

  @Test
  void whatWasNotAskedForWhileNobodyAnswersIsAskedForLater() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3", "copied4", "copied5", "copied6");
    hdfs.replaceAll((file, places) -> TWO);
    away = true;
    // For longer than a file is looked for, would each failed round count for all that are due.
    for (long time = 6_000; time < 36_000; time += LateReplicaTracker.PAUSE_MILLIS) {
      lookAt(time);
    }
    away = false;
    lookAt(60_000);

    assertThat(news)
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "copied1", "copied2", "copied3", "copied4", "copied5", "copied6");
  }

  @Test
  void aSlowNameNodeIsAskedForASecondInARound() {
    ended(Result.SUCCEEDED, "copied1", "copied2", "copied3", "copied4");
    hdfs.replaceAll((file, places) -> TWO);
    millis = 400;
    lookAt(6_000);
    assertThat(news).extracting(Map.Entry::getKey).containsExactly("copied1", "copied2", "copied3");
    lookAt(9_000);
    assertThat(news).extracting(Map.Entry::getKey).endsWith("copied4").hasSize(4);
  }

  @Test
  void aCopyOfWhichThereAreSomeBlocksIsNoneYet() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of("n1", 9L, "n2", 3L));
    lookAt(6_000);
    assertThat(news).isEmpty();
    hdfs.put("copied", TWO);
    lookAt(14_000);

    assertThat(news).containsExactly(Map.entry("copied", TWO));
  }

  @Test
  void aReplicaThatHasMovedIsTold() {
    ended(Result.SUCCEEDED, "copied");
    hdfs.put("copied", Map.of("n2", 9L));
    lookAt(6_000);

    assertThat(news).containsExactly(Map.entry("copied", Map.of("n2", 9L)));
  }

  @Test
  void looksForNothingThatHasFailed() {
    ended(Result.FAILED, "copied");
    lookForAMinute();

    assertThat(asked).isEmpty();
  }

  @Test
  void asksForFewAtATime() {
    String[] many = new String[300];
    for (int i = 0; i < many.length; i++) {
      many[i] = "copied" + i;
    }
    ended(Result.SUCCEEDED, many);
    hdfs.replaceAll((file, places) -> TWO);

    lookAt(6_000);
    assertThat(asked).hasSize(128);
    lookAt(8_000);
    lookAt(10_000);
    assertThat(asked).containsExactly(many);
    assertThat(news).hasSize(300);
  }

  @Test
  void handsOnWhatItHears() {
    copies.workerJoined(WORKER, 1);
    copies.workerEnded("w", 2);

    assertThat(kept).containsExactly("joined w", "ended w");
  }
}
