package dev.weir.workflow.session;

import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.run.RunClosing;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Limits;
import dev.weir.workflow.scheduler.Policy;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes on beside a run or a pool that ends, for tests of its end. */
public final class ClosingServices implements RunClosing.Services {

  /** Of one task, which has not begun. */
  public static final RunPlan PLAN = Plans.of(1, Plans.task("t", List.of(), List.of("o")));

  /** What has been done, in its order; tests add what they see done elsewhere. */
  public final List<String> done = new ArrayList<>();

  /** Who knows whether another has come. */
  public MasterFencing fencing = MasterFencing.none();

  /** Whether YARN does not take the end. */
  public boolean refused;

  @Override
  public void requireLast() throws IOException {
    fencing.requireNotReplaced();
  }

  @Override
  public Progress progress() {
    return new Dispatcher(PLAN.workflow(), Policy.FIFO, Limits.DEFAULT).progress();
  }

  @Override
  public int reused() {
    return 0;
  }

  @Override
  public void finish() {
    done.add("sent home");
  }

  @Override
  public CacheTraffic cacheTraffic() {
    return new CacheTraffic(0, 0, 0);
  }

  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    if (refused) {
      throw new IOException("YARN knows another on purpose");
    }
    done.add((failure == null ? "SUCCEEDED" : failure.message()) + "|" + remark);
  }
}
