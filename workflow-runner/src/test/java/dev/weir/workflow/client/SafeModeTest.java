package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which operations on runs work while HDFS is in safe mode. */
class SafeModeTest {

  private static final ApplicationId ID = ApplicationId.newInstance(1, 9);
  private static final String TIME = "2026-01-01T00:00:00Z";

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  @BeforeEach
  void enter() throws IOException {
    Staging directory = RunDirectories.own(HDFS.fs()).directory(ID.toString());
    directory.create();
    directory.writeJson(
        Staging.SUMMARY,
        new RunSummary(ID.toString(), "u", "w", "weir", "/data", 1, TIME, "", null));
    HDFS.fs().setSafeMode(SafeModeAction.ENTER);
  }

  @AfterEach
  void leave() throws IOException {
    HDFS.fs().setSafeMode(SafeModeAction.LEAVE);
  }

  /** Returns a configuration without a reachable YARN, which is contacted after HDFS. */
  private static Configuration withoutYarn() {
    Configuration conf = new Configuration(HDFS.fs().getConf());
    conf.set(YarnConfiguration.RM_ADDRESS, "127.0.0.1:1");
    return conf;
  }

  @Test
  void runsAreReadableInSafeMode() {
    assertThatThrownBy(() -> Runs.on(withoutYarn())).hasMessageContaining("No answer from YARN");
    assertThatThrownBy(() -> ClusterProbe.toWrite(HDFS.fs().getUri(), withoutYarn()))
        .hasMessageContaining("is in safe mode");
  }

  @Test
  void runIsViewableButNotSteerableInSafeMode() throws Exception {
    try (KnownApplications yarn =
        new KnownApplications(KnownApplications.RUNS, Map.of(ID, YarnApplicationState.RUNNING))) {
      Runs runs = new Runs(new Configuration(), HDFS.fs(), yarn, Clock.systemUTC());
      assertThat(runs.list()).hasSize(1);
      KnownRun run = runs.find("last");
      assertThat(run.view().stage()).isEqualTo(RunView.Stage.RUNNING);
      assertThatThrownBy(() -> run.steer(Steering.of(Action.PAUSE, ""), Duration.ZERO))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("is in safe mode and accepts no files");
      assertThatThrownBy(() -> run.cancel(Duration.ZERO))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("is in safe mode and accepts no files");
    }
  }
}
