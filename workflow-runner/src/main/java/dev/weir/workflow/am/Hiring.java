package dev.weir.workflow.am;

import dev.weir.workflow.run.MasterPlan;
import dev.weir.workflow.run.Mode;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Workers come and go with the work: containers are asked for near inputs, and given back. */
final class Hiring implements Staff {

  private static final Logger LOG = LoggerFactory.getLogger(Hiring.class);

  private final ContainerPool pool;
  private final MasterPlan plan;

  Hiring(ContainerPool pool, MasterPlan plan) {
    this.pool = pool;
    this.plan = plan;
  }

  @Override
  public void want(int workers, List<List<String>> inputs) {
    pool.want(
        workers,
        inputs.stream()
            .filter(ids -> plan.mode() == Mode.WEIR && !ids.isEmpty())
            .map(ids -> FirstInputs.name(ids.stream().map(plan::path).toList(), 0))
            .toList());
  }

  @Override
  public void letGo(String worker) {
    LOG.info("{} has nothing to do and is let go", worker);
    pool.letGo(worker);
  }
}
