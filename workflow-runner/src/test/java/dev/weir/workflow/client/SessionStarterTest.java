package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.OneNodeHdfs;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which ended sessions the next one cleans up. */
class SessionStarterTest {

  private static final ApplicationId KILLED = ApplicationId.newInstance(7, 1);
  private static final ApplicationId GOES_ON = ApplicationId.newInstance(7, 2);
  private static final ApplicationId STOPPED = ApplicationId.newInstance(7, 3);
  private static final ApplicationId UNKNOWN = ApplicationId.newInstance(6, 4);
  private static final Map<ApplicationId, YarnApplicationState> STATES =
      Map.of(
          KILLED, YarnApplicationState.KILLED,
          GOES_ON, YarnApplicationState.RUNNING,
          STOPPED, YarnApplicationState.FINISHED);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  @Test
  void endedSessionsWithADirectoryWereKilled() throws Exception {
    DistributedFileSystem fs = HDFS.fs();
    for (ApplicationId session : List.of(KILLED, GOES_ON, UNKNOWN)) {
      SessionStarter.staging(fs, session).create();
    }
    try (KnownApplications yarn = new KnownApplications(SessionStarter.APPLICATION_TYPE, STATES)) {
      assertThat(SessionStarter.endedIfKnown(fs, yarn)).containsExactly(KILLED.toString());
    }
  }

  @Test
  void sessionStartsEvenIfYarnDoesNotListSessions() throws Exception {
    DistributedFileSystem fs = HDFS.fs();
    SessionStarter.staging(fs, KILLED).create();
    try (YarnClientImpl refuses =
        new YarnClientImpl() {
          @Override
          public List<ApplicationReport> getApplications(
              Set<String> types, EnumSet<YarnApplicationState> wanted) throws YarnException {
            throw new YarnException("on purpose");
          }
        }) {
      assertThat(SessionStarter.endedIfKnown(fs, refuses)).isEmpty();
    }
  }
}
