package dev.weir.workflow.staging;

import dev.weir.workflow.jobs.SessionStatus;
import java.util.Map;

/**
 * The plan of a session's ApplicationMaster; {@code session.json} in the staging directory.
 *
 * @param mode how placement and scheduling use knowledge about files
 * @param fileSystem URI of the HDFS that holds the data
 * @param settings configuration that the client sets, by key
 * @param user user on whose behalf it works
 * @param racks the rack of each node that ran when it was started, by host name
 */
public record SessionPlan(
    String name,
    Mode mode,
    String fileSystem,
    WorkerPlan workers,
    Map<String, String> settings,
    String user,
    Map<String, String> racks)
    implements MasterPlan {

  /** Copies the maps. */
  public SessionPlan {
    settings = Map.copyOf(settings);
    racks = Map.copyOf(racks);
  }

  /** Returns the path of a job's file. Its id is the path without the leading slash. */
  @Override
  public String path(String fileId) {
    return "/" + fileId;
  }

  @Override
  public boolean endless() {
    return true;
  }

  /** Returns the resources that the session offers to tasks. */
  public SessionStatus.Offer offer() {
    return new SessionStatus.Offer(
        mode.label(), workers.count(), workers.cores(), workers.megabytes());
  }

  @Override
  public String toString() {
    return "SessionPlan[" + name + ", " + mode + ", " + workers + "]";
  }
}
