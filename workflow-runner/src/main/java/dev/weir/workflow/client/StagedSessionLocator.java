package dev.weir.workflow.client;

import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionLocator;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.yarn.ApplicationStates;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Finds a session by the endpoint file that its ApplicationMaster has written, with one read from
 * HDFS. YARN is asked only if the session does not answer.
 *
 * @param yarn waits for the YARN client, which may still be starting
 */
record StagedSessionLocator(
    DistributedFileSystem fs, CallableRaisingIOE<YarnClient> yarn, ApplicationId session)
    implements SessionLocator {

  /** The HTTP status of a session that has ended. */
  static final int GONE = 410;

  /** The HTTP status of a session that the user may not use. */
  private static final int FORBIDDEN = 403;

  @Override
  public SessionEndpoint find() throws IOException {
    try {
      return SessionStarter.staging(fs, session).readJson(Staging.ENDPOINT, SessionEndpoint.class);
    } catch (FileNotFoundException e) {
      throw new IOException("The session " + session + " accepts no requests yet", e);
    }
  }

  @Override
  public void requireAlive() throws IOException {
    try {
      ApplicationReport report = yarn.apply().getApplicationReport(session);
      if (ApplicationStates.hasEnded(report.getYarnApplicationState())) {
        throw new JobException(
            GONE,
            "The session "
                + session
                + " has ended ("
                + report.getYarnApplicationState()
                + "): start another with 'weir session start'. "
                + report.getDiagnostics().strip()
                + MasterMemory.remedy(report.getDiagnostics()));
      }
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      if (!report.getUser().equals(user)) {
        throw new JobException(
            FORBIDDEN,
            session
                + " is a session of "
                + report.getUser()
                + ", and you are "
                + user
                + ": only its owner may use it");
      }
    } catch (ApplicationNotFoundException e) {
      throw new JobException(
          GONE, "YARN knows no session " + session + ": see 'weir session list'");
    } catch (YarnException e) {
      throw new IOException("YARN says nothing about " + session + ": " + e.getMessage(), e);
    }
  }
}
