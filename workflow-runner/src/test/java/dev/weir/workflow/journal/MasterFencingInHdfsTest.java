package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How an ApplicationMaster learns from HDFS that another one has replaced it. */
class MasterFencingInHdfsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final Staging staging = new Staging(HDFS.fs(), new Path("/run"));
  private final List<String> reasons = new ArrayList<>();

  @BeforeEach
  void make() throws IOException {
    HDFS.fs().delete(staging.directory(), true);
    HDFS.fs().mkdirs(staging.directory());
  }

  private MasterFencing fencing(int attempt) throws InterruptedException {
    MasterFencing fencing =
        MasterFencing.of(
            MasterFencing.in(staging),
            new MasterFencing.Term(attempt, Duration.ofMinutes(1)),
            HdfsRetry.DEFAULT);
    fencing.onReplaced(reasons::add);
    return fencing;
  }

  @Test
  void firstMasterSeesTheSecondWhenItStarts() throws Exception {
    MasterFencing first = fencing(1);
    first.requireAlone();
    first.publish("10.0.0.1", 1);
    first.requireAlone();
    first.requireAlone();

    MasterFencing second = fencing(2);

    assertThatIOException().isThrownBy(first::requireAlone).withMessageContaining("Master 2");
    assertThat(reasons).singleElement().asString().contains("taken the place of 1");
    second.requireLast();
  }

  @Test
  void masterWhoseRunEndedIsReplaced() throws Exception {
    MasterFencing first = fencing(1);
    first.publish("10.0.0.1", 1);
    MasterFencing second = fencing(2);
    second.publish("10.0.0.2", 1);
    staging.tidy(true);

    assertThatIOException().isThrownBy(first::requireAlone).withMessageContaining("has ended");
    assertThat(reasons).hasSize(1);
  }

  @Test
  void masterKeyIsReadableByTheOwnerOnly() throws Exception {
    fencing(1).publish("10.0.0.1", 1);

    assertThat(HDFS.fs().getFileStatus(staging.file(Staging.MASTER)).getPermission().toShort())
        .isEqualTo((short) 0600);
  }
}
