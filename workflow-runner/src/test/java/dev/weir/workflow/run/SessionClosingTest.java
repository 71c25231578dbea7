package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.session.RecordingClosingServices;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a session, and which files it leaves. */
class SessionClosingTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final Staging staging = new Staging(HDFS.fs(), new Path("/session"));
  private final RecordingClosingServices services = new RecordingClosingServices();
  private final SessionClosing closing =
      new SessionClosing(staging, () -> services.actions.add("profiles stored"));

  @BeforeEach
  void make() throws IOException {
    HDFS.fs().delete(staging.directory(), true);
    HDFS.fs().mkdirs(staging.directory());
  }

  private MasterFencing fencing(int attempt) throws InterruptedException {
    return MasterFencing.of(
        MasterFencing.in(staging),
        new MasterFencing.Term(attempt, Duration.ZERO),
        HdfsRetry.DEFAULT);
  }

  private boolean isThere() throws IOException {
    return HDFS.fs().exists(staging.directory());
  }

  @Test
  void endedSessionLeavesNothing() throws Exception {
    services.fencing = fencing(1);
    services.fencing.publish("m1", 1);

    closing.close(services, null);

    assertThat(services.actions)
        .containsExactly("workers shut down", "profiles stored", "SUCCEEDED|");
    assertThat(isThere()).isFalse();
  }

  @Test
  void replacedMasterLeavesTheSession() throws Exception {
    services.fencing = fencing(1);
    services.fencing.publish("m1", 1);
    MasterFencing second = fencing(2);
    second.publish("m2", 2);

    assertThatIOException()
        .isThrownBy(() -> closing.close(services, null))
        .withMessageContaining("Master 2");

    assertThat(services.actions).isEmpty();
    assertThat(isThere()).isTrue();
    second.requireLast();
  }

  @Test
  void endRefusedByYarnRemovesNothing() throws Exception {
    services.fencing = fencing(1);
    services.refused = true;

    assertThatIOException()
        .isThrownBy(() -> closing.close(services, RunFailure.ofRun("no workers", "")))
        .withMessageContaining("on purpose");

    assertThat(isThere()).isTrue();
  }
}
