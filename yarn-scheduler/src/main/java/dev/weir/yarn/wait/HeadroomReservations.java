package dev.weir.yarn.wait;

import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Makes what the allocators of an application attempt, of which each has one key, have in common.
 * They pass it on among themselves, so that those of other applications never hear of it. Safe for
 * any thread.
 */
public final class HeadroomReservations {

  private final AtomicInteger made = new AtomicInteger();
  private final Executor executor;

  public HeadroomReservations(Executor executor) {
    this.executor = executor;
  }

  /** How many were made so far: as long as it is none, no allocator needs to ask another. */
  public int made() {
    return made.get();
  }

  /** One for an attempt that has none. */
  public HeadroomReservation make(AppSchedulingInfo info, RMContext context) {
    made.incrementAndGet();
    return new HeadroomReservation(
        headroom(context, info.getApplicationAttemptId()),
        context.getScheduler().getResourceCalculator(),
        executor);
  }

  private static Supplier<@Nullable Resource> headroom(RMContext context, ApplicationAttemptId id) {
    return () -> {
      SchedulerApplicationAttempt attempt =
          context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
              ? scheduler.getApplicationAttempt(id)
              : null;
      // With asks in several partitions YARN tells the sum alone.
      return attempt == null || !isInDefaultAlone(attempt.getAppSchedulingInfo())
          ? null
          : attempt.getHeadroom();
    };
  }

  private static boolean isInDefaultAlone(AppSchedulingInfo info) {
    Set<String> partitions = info.getRequestedPartitions();
    return partitions.isEmpty()
        || (partitions.size() == 1 && partitions.contains(CommonNodeLabelsManager.NO_LABEL));
  }
}
