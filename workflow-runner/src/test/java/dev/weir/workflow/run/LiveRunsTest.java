package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Files that live runs may delete are not reused by other runs. */
class LiveRunsTest {

  private static final String OWN = ApplicationId.newInstance(7, 3).toString();
  private static final String LIVE = ApplicationId.newInstance(7, 2).toString();
  private static final String ENDED = ApplicationId.newInstance(7, 1).toString();

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private RunDirectories directories;

  /** Writes a plan of in → a → FILE → b → end. */
  @BeforeEach
  void makeDirectories() throws IOException {
    directories = RunDirectories.own(fs);
    for (String run : List.of(OWN, LIVE, ENDED)) {
      plan(run, RetentionPolicy.NONE);
    }
  }

  private void plan(String run, String keep) throws IOException {
    RunPlan plan =
        Plans.of(
            1,
            Plans.task("a", List.of("in"), List.of(run)),
            Plans.task("b", List.of(run), List.of("end")));
    directory(run).delete();
    fs.mkdirs(directory(run).directory());
    directory(run).writeJson(Staging.PLAN, Plans.with(plan, RunOptions.DEFAULT.withKeep(keep)));
  }

  private Staging directory(String run) {
    return directories.directory(run);
  }

  @Test
  void shortLivedFilesAreThoseOfLiveRuns() throws Exception {
    String unknown = ApplicationId.newInstance(7, 9).toString();
    directory(OWN).writeJson(Staging.OTHERS, List.of(LIVE, unknown));

    assertThat(LiveRuns.intermediateFiles(directories, OWN)).containsExactly("/data/" + LIVE);
  }

  @Test
  void runThatKeepsItsFilesHasNone() throws Exception {
    plan(LIVE, RetentionPolicy.ALL);
    directory(OWN).writeJson(Staging.OTHERS, List.of(LIVE));

    assertThat(LiveRuns.intermediateFiles(directories, OWN)).isEmpty();
  }

  @Test
  void allRunsCountIfLiveRunsAreUnknown() throws Exception {
    assertThat(LiveRuns.intermediateFiles(directories, OWN))
        .containsExactlyInAnyOrder("/data/" + LIVE, "/data/" + ENDED);
  }

  @Test
  void liveRunsOfASessionHaveShortLivedFiles() throws Exception {
    String session = ApplicationId.newInstance(7, 0).toString();
    inSession(LIVE, session, null);
    inSession(
        ENDED,
        session,
        new RunSummary.End(RunState.SUCCEEDED, "2026-01-01T00:00:00Z", 2, 0, 0, 0, 0, ""));
    directory(OWN).writeJson(Staging.OTHERS, List.of(session));

    assertThat(LiveRuns.intermediateFiles(directories, OWN)).containsExactly("/data/" + LIVE);
  }

  @Test
  void runsOfAnEndedSessionHaveNone() throws Exception {
    inSession(LIVE, ApplicationId.newInstance(7, 0).toString(), null);
    directory(OWN).writeJson(Staging.OTHERS, List.of());

    assertThat(LiveRuns.intermediateFiles(directories, OWN)).isEmpty();
  }

  private void inSession(String run, String session, RunSummary.@Nullable End end)
      throws IOException {
    RunPlan plan = directory(run).readJson(Staging.PLAN, RunPlan.class);
    RunSummary summary = RunSummary.of(run, plan, Instant.EPOCH).in(session);
    directory(run).writeJson(Staging.SUMMARY, end == null ? summary : summary.ended(end));
  }

  @Test
  void runWithoutAPlanHasNone() throws Exception {
    directory(LIVE).delete();
    fs.mkdirs(directory(LIVE).directory());
    directory(OWN).writeJson(Staging.OTHERS, List.of(LIVE));

    assertThat(LiveRuns.intermediateFiles(directories, OWN)).isEmpty();
  }
}
