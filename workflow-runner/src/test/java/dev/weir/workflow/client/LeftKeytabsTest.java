package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A submission deletes the keytabs of applications that have ended, and no others. */
class LeftKeytabsTest {

  private static final ApplicationId OWN = ApplicationId.newInstance(7, 9);
  private static final ApplicationId OTHER = ApplicationId.newInstance(7, 2);
  private static final ApplicationId OLD = ApplicationId.newInstance(6, 2);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final RunDirectories directories = RunDirectories.own(fs);

  @BeforeEach
  void clear() throws IOException {
    fs.delete(directories.root().getParent(), true);
  }

  private Instant writeKeytab(Staging directory) throws IOException {
    directory.create();
    return Instant.ofEpochMilli(
        directory.writeSecret(Staging.KEYTAB, new byte[1]).getModificationTime());
  }

  private void delete(Map<ApplicationId, YarnApplicationState> states, Instant now)
      throws IOException {
    try (KnownApplications yarn = new KnownApplications(KnownApplications.RUNS, states)) {
      new LeftKeytabs(fs, yarn, OWN, now).delete();
    }
  }

  private static boolean hasKeytab(Staging directory) throws IOException {
    return directory.number(Staging.KEYTAB) != 0;
  }

  private Staging run(ApplicationId id) {
    return directories.directory(id.toString());
  }

  @Test
  void keytabOfAKilledRunIsDeletedWhateverElseItHasLeft() throws Exception {
    Instant now = writeKeytab(run(OTHER));
    run(OTHER).writeJson(Staging.TIDIED, 1);
    run(OTHER).writeJson(Staging.RECORD, 1);
    writeKeytab(run(OLD));

    delete(Map.of(OTHER, YarnApplicationState.KILLED, OLD, YarnApplicationState.FAILED), now);

    assertThat(hasKeytab(run(OTHER))).isFalse();
    assertThat(hasKeytab(run(OLD))).isFalse();
    assertThat(run(OTHER).names("")).contains(Staging.RECORD);
  }

  @Test
  void keytabOfAKilledSessionIsDeleted() throws Exception {
    Staging session = directories.session(OTHER.toString());
    Instant now = writeKeytab(session);

    delete(Map.of(OTHER, YarnApplicationState.KILLED), now);

    assertThat(hasKeytab(session)).isFalse();
  }

  @Test
  void keytabsOfLiveApplicationsStay() throws Exception {
    Instant now = writeKeytab(run(OTHER));
    writeKeytab(run(OWN));

    delete(
        Map.of(OTHER, YarnApplicationState.ACCEPTED, OWN, YarnApplicationState.KILLED),
        now.plus(Duration.ofDays(30)));

    assertThat(hasKeytab(run(OTHER))).isTrue();
    assertThat(hasKeytab(run(OWN))).isTrue();
  }

  @Test
  void keytabOfAnUnknownApplicationIsDeletedWhenItCannotBeSubmittedAnyMore() throws Exception {
    Instant written = writeKeytab(run(OTHER));

    delete(Map.of(), written.plus(Duration.ofHours(1)));
    assertThat(hasKeytab(run(OTHER))).as("it may be submitted now").isTrue();

    delete(Map.of(), written.plus(Duration.ofDays(2)));
    assertThat(hasKeytab(run(OTHER))).isFalse();
  }

  @Test
  void keytabOfAnUnknownApplicationFromBeforeAnRmRestartStaysLonger() throws Exception {
    Instant written = writeKeytab(run(OLD));

    delete(Map.of(), written.plus(Duration.ofDays(29)));
    assertThat(hasKeytab(run(OLD))).as("it may be live on another YARN cluster").isTrue();

    delete(Map.of(), written.plus(Duration.ofDays(31)));
    assertThat(hasKeytab(run(OLD))).isFalse();
  }
}
