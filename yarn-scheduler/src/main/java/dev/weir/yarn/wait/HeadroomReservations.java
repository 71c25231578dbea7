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
 * Creates the reservations that the allocators of an application attempt share; each allocator has
 * one key. Allocators pass a reservation only to those of the same attempt. Thread-safe.
 */
public final class HeadroomReservations {

  private final AtomicInteger created = new AtomicInteger();
  private final Executor executor;

  public HeadroomReservations(Executor executor) {
    this.executor = executor;
  }

  /** The number of reservations created. While it is 0, no allocator needs to ask its siblings. */
  public int created() {
    return created.get();
  }

  /** Creates the reservation of an attempt that has none. */
  public HeadroomReservation create(AppSchedulingInfo info, RMContext context) {
    created.incrementAndGet();
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
      // With asks in several partitions, YARN reports only the sum of their headroom.
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
