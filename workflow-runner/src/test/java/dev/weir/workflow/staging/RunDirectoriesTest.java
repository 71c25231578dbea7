package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunDirectoriesTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final RunDirectories directories = RunDirectories.own(HDFS.fs());

  private Staging ended(int number) throws IOException {
    String id = ApplicationId.newInstance(1, number).toString();
    Staging run = directories.directory(id);
    run.create();
    RunPlan plan = Plans.of(1, Plans.task("a", List.of(), List.of()));
    run.writeJson(
        Staging.SUMMARY,
        RunSummary.of(id, plan, Instant.EPOCH)
            .ended(
                new RunSummary.End(
                    RunState.SUCCEEDED, Instant.EPOCH.toString(), 1, 0, 0, 0, 0, "")));
    return run;
  }

  @Test
  void addressOfAKilledSessionDoesNotKeepItsDirectory() throws IOException {
    Staging killed = ended(1);
    killed.writeSecretJson(Staging.MASTER, new MasterAddress(1, "h", 1, "ab", 0));
    Instant killedAt =
        Instant.ofEpochMilli(
            HDFS.fs().getFileStatus(killed.file(Staging.MASTER)).getModificationTime());
    Staging other = ended(2);
    for (int i = 0; i < RunDirectories.KEPT; i++) {
      ended(3 + i);
    }

    directories.prune(killedAt.plus(Duration.ofDays(29)));
    assertThat(HDFS.fs().exists(other.directory())).isFalse();
    assertThat(HDFS.fs().exists(killed.directory())).as("its session may be live").isTrue();

    directories.prune(killedAt.plus(Duration.ofDays(31)));
    assertThat(HDFS.fs().exists(killed.directory())).isFalse();
    assertThat(directories.ids()).hasSize(RunDirectories.KEPT);
  }
}
