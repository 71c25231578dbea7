package dev.weir.workflow.staging;

import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Workflow;
import java.util.Map;

/**
 * What the ApplicationMaster is to do; {@code plan.json} in the staging directory.
 *
 * @param workflow what to run
 * @param mode how
 * @param fileSystem URI of the HDFS that holds the data
 * @param dataDir absolute path of the directory that holds inputs and receives outputs
 * @param standIn whether stand-ins take the commands' place
 * @param workers what workers to ask for, at least 1
 * @param environment variables of each command
 * @param settings configuration that the client insists on, by key
 * @param user on whose behalf the run is
 * @param choices what the user has chosen beside that
 * @param racks the rack of each node that ran when the run was submitted, by host name
 */
public record RunPlan(
    Workflow workflow,
    Mode mode,
    String fileSystem,
    String dataDir,
    boolean standIn,
    WorkerPlan workers,
    Map<String, String> environment,
    Map<String, String> settings,
    String user,
    RunOptions choices,
    Map<String, String> racks)
    implements MasterPlan {

  /** Copies. */
  public RunPlan {
    environment = Map.copyOf(environment);
    settings = Map.copyOf(settings);
    racks = Map.copyOf(racks);
  }

  /**
   * The same plan on a cluster of these nodes.
   *
   * @param nodes the rack of each node by host name
   * @return the plan
   */
  public RunPlan on(Map<String, String> nodes) {
    return new RunPlan(
        workflow,
        mode,
        fileSystem,
        dataDir,
        standIn,
        workers,
        environment,
        settings,
        user,
        choices,
        nodes);
  }

  /**
   * Where a file of the workflow is in HDFS.
   *
   * @param fileId id of the file
   * @return absolute path
   */
  @Override
  public String path(String fileId) {
    return FileIds.pathIn(dataDir, fileId);
  }
}
