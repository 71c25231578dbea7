package dev.weir.workflow.session;

import dev.weir.workflow.controller.WorkerStaffing;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.yarn.ContainerPool;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests containers near the inputs of waiting tasks, and releases idle ones. */
final class ContainerStaffing implements WorkerStaffing {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerStaffing.class);

  private final ContainerPool pool;
  private final Mode mode;
  private final UnaryOperator<String> paths;

  /**
   * Creates the staffing of a session.
   *
   * @param paths gives the absolute path of the file that the dispatcher knows by an id
   */
  ContainerStaffing(ContainerPool pool, Mode mode, UnaryOperator<String> paths) {
    this.pool = pool;
    this.mode = mode;
    this.paths = paths;
  }

  @Override
  public void request(int workers, List<List<String>> inputs) {
    pool.want(
        workers,
        inputs.stream()
            .filter(ids -> mode == Mode.WEIR && !ids.isEmpty())
            .map(ids -> InputResourceNames.name(ids.stream().map(paths).toList(), 0))
            .toList());
  }

  @Override
  public void requestDedicated(Map<ResourceNeeds, Integer> workers) {
    pool.wantDedicated(workers);
  }

  @Override
  public void release(String worker) {
    LOG.info("{} is idle and is released", worker);
    pool.release(worker);
  }
}
