package dev.weir.workflow.staging;

import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Workflow;
import java.util.Map;

/**
 * The plan of a run's ApplicationMaster; {@code plan.json} in the staging directory.
 *
 * @param mode how placement and scheduling use knowledge about the data
 * @param fileSystem URI of the HDFS that holds the data
 * @param dataDir absolute path of the directory that holds inputs and receives outputs
 * @param standIn whether stand-ins replace the commands
 * @param workers number and size of the workers, at least 1
 * @param settings configuration that the client sets, by key
 * @param user user on whose behalf the run is
 * @param choices the user's further options
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

  /** Key of the most tasks that sub-workflows may add to a run. */
  public static final String MAX_ADDED_KEY = "weir.run.added-tasks.max";

  /** An ApplicationMaster of the default size has memory for this many added tasks. */
  public static final int MAX_ADDED = 20_000;

  /** Copies the maps. */
  public RunPlan {
    environment = Map.copyOf(environment);
    settings = Map.copyOf(settings);
    racks = Map.copyOf(racks);
  }

  /** Returns a copy of the plan with another workflow. */
  public RunPlan with(Workflow other) {
    return copy(other, racks);
  }

  /**
   * Returns a copy of the plan for a cluster of the given nodes.
   *
   * @param nodes the rack of each node by host name
   */
  public RunPlan on(Map<String, String> nodes) {
    return copy(workflow, nodes);
  }

  private RunPlan copy(Workflow tasks, Map<String, String> nodes) {
    return new RunPlan(
        tasks,
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
   * Returns the path of a file in HDFS.
   *
   * @return absolute path
   */
  @Override
  public String path(String fileId) {
    return FileIds.pathIn(dataDir, fileId);
  }
}
