package dev.weir.workflow.jobserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobProfilesTest {

  private static final WorkerInfo WORKER = new WorkerInfo("w", "n", "/r");

  private final JobProfiles profiles = new JobProfiles(TaskProfiles.NONE, 4);
  private long now = 1_000_000;

  private static Job job(String tag) {
    List<String> command = List.of("/bin/sh", "-c", "x");
    return new Job("j", tag, command, Map.of(), List.of(), List.of(), JobOptions.DEFAULT);
  }

  private static Task task(String tag) {
    return job(tag).task();
  }

  /** The end of an attempt on a node that ran nothing else for an hour. */
  private AttemptEnded ended(Result result, long seconds, double cores, long memory) {
    now += 3_600_000;
    TaskReport report =
        new TaskReport(
            "j",
            1,
            result,
            0,
            "",
            "",
            List.of(),
            List.of(),
            new Usage(0, 0, seconds * 1_000, 0, 0, 0, 0, 0),
            List.of(),
            new ResourceUse(Math.round(cores * seconds * 1_000), memory));
    return new AttemptEnded(
        WORKER, now - 3_000_000, now - 3_000_000, now, report, false, false, null);
  }

  private void addAttempt(String tag, double cores, long memory) {
    profiles.ended(task(tag), ended(Result.SUCCEEDED, 10, cores, memory));
  }

  @Test
  void profilesOfEarlierJobsApplyToLaterOnes() {
    assertThat(profiles.of(task("align"))).isEmpty();

    addAttempt("align", 3.8, 400);
    profiles.ended(task("align"), ended(Result.FAILED, 10, 9, 900));

    assertThat(profiles.of(task("align"))).contains(new Profile(1, 10, 10, 10, 400, 3.8, 1));
    assertThat(profiles.of(task("sort"))).isEmpty();
  }

  @Test
  void jobsWithoutATagHaveNoProfile() {
    addAttempt("", 3.8, 400);
    addAttempt("sh", 3.8, 400);

    assertThat(profiles.of(task(""))).isEmpty();
    assertThat(profiles.of(task("sh"))).isEmpty();
    assertThat(TaskProfileStore.after(TaskProfiles.NONE, profiles.attempts(), 4))
        .isEqualTo(TaskProfiles.NONE);
  }

  @Test
  void profilesOfEarlierSessionsApply() {
    Profile known = new Profile(9, 1, 2, 3, 1_000, 2, 9);
    JobProfiles later = new JobProfiles(new TaskProfiles(Map.of("align", known, "sh", known)), 4);

    assertThat(later.of(task("align"))).contains(known);
    assertThat(later.of(task(""))).isEmpty();
  }

  @Test
  void numberOfJobsAndKindsIsLimited() {
    for (int i = 0; i < 200; i++) {
      addAttempt("align", 1, i < 100 ? 5_000 : 100);
    }
    assertThat(profiles.of(task("align")).map(Profile::samples)).contains(64);
    assertThat(profiles.of(task("align")).map(Profile::peakMemoryBytes)).contains(100L);

    for (int i = 0; i < 300; i++) {
      addAttempt("kind" + i, 1, 100);
    }
    assertThat(profiles.attempts()).hasSize(256);
  }

  @Test
  void jobsOfASessionUpdateItsProfiles() {
    JobRegistry jobs = new JobRegistry(10, profiles::ended);
    Job job = job("align");
    JobAddition addition =
        new JobAddition(job.task(), job.files(), Map.of(), 1, 0, JobCodec.write(job), Set.of());

    jobs.record(new TaskAdded(addition, 1));
    jobs.record(ended(Result.SUCCEEDED, 10, 2, 400));

    assertThat(profiles.of(task("align")).map(Profile::cores)).contains(2.0);
    assertThat(jobs.lastNumber()).isEqualTo(1);
  }
}
