package dev.weir.workflow.staging;

import dev.weir.workflow.jobs.SessionStatus;
import java.util.Map;

/**
 * What the ApplicationMaster of a session is to do; {@code plan.json} in the staging directory.
 *
 * @param name what its owner calls it
 * @param mode how much to make of what is known about files
 * @param fileSystem URI of the HDFS that holds the data
 * @param workers what workers to ask for
 * @param settings configuration that the client insists on, by key
 * @param user on whose behalf it works
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

  /** Copies. */
  public SessionPlan {
    settings = Map.copyOf(settings);
    racks = Map.copyOf(racks);
  }

  /** The id of a job's file is its path without the slash in front. */
  @Override
  public String path(String fileId) {
    return "/" + fileId;
  }

  @Override
  public boolean endless() {
    return true;
  }

  /**
   * What the session has for tasks.
   *
   * @return what its status says of it
   */
  public SessionStatus.Offer offer() {
    return new SessionStatus.Offer(
        mode.label(), workers.count(), workers.cores(), workers.megabytes());
  }

  @Override
  public String toString() {
    return "SessionPlan[" + name + ", " + mode + ", " + workers + "]";
  }
}
