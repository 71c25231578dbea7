package dev.weir.workflow.session;

import dev.weir.workflow.journal.Fencings;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.run.RunClosing;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records what the end of a run or session does with its services. */
public final class RecordingClosingServices implements RunClosing.Services {

  /** A plan of one task, which has not begun. */
  public static final RunPlan PLAN = Plans.of(1, Plans.task("t", List.of(), List.of("o")));

  /** The actions in their order; tests may add their own. */
  public final List<String> actions = new ArrayList<>();

  /** Tells whether another ApplicationMaster has replaced this one. */
  public MasterFencing fencing = Fencings.alone();

  /** Whether YARN refuses to unregister the application. */
  public boolean refused;

  @Override
  public void requireLast() throws IOException {
    fencing.requireNotReplaced();
  }

  @Override
  public Progress progress() {
    return Dispatchers.of(PLAN.workflow(), AssignmentPolicy.FIFO, Limits.DEFAULT).progress();
  }

  @Override
  public int reused() {
    return 0;
  }

  @Override
  public void finish() {
    actions.add("workers shut down");
  }

  @Override
  public CacheTraffic cacheTraffic() {
    return CacheTraffic.NONE;
  }

  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    if (refused) {
      throw new IOException("YARN knows another on purpose");
    }
    actions.add((failure == null ? "SUCCEEDED" : failure.message()) + "|" + remark);
  }
}
