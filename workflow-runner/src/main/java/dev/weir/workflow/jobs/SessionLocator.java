package dev.weir.workflow.jobs;

import java.io.IOException;

/** Says where a session's ApplicationMaster is. Any thread may use it. */
public interface SessionLocator {

  /**
   * Looks it up.
   *
   * @return where it was last known to be
   * @throws IOException when the session takes no requests yet, or HDFS does not answer
   */
  SessionEndpoint find() throws IOException;

  /**
   * Checks whether it is worth looking again.
   *
   * @throws JobException when the session has ended: 410
   */
  void requireAlive() throws IOException;
}
