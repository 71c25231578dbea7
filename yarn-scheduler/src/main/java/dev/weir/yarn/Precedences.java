package dev.weir.yarn;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.jspecify.annotations.Nullable;

/**
 * What the allocators of an application attempt, of which each has one key, have in common. Hadoop
 * tells them of nothing but what the scheduler knows of the attempt, with which this goes too. Safe
 * for any thread.
 */
final class Precedences {

  /** No value refers to its key, which would keep it for ever. */
  private final Map<AppSchedulingInfo, Precedence> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Executor executor;

  Precedences(Executor executor) {
    this.executor = executor;
  }

  /** That of the attempt. */
  Precedence of(AppSchedulingInfo info, RMContext context) {
    return known.computeIfAbsent(
        info,
        absent ->
            new Precedence(
                headroom(context, absent.getApplicationAttemptId()),
                context.getScheduler().getResourceCalculator(),
                executor));
  }

  private static Supplier<@Nullable Resource> headroom(RMContext context, ApplicationAttemptId id) {
    return () -> {
      SchedulerApplicationAttempt attempt =
          context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
              ? scheduler.getApplicationAttempt(id)
              : null;
      return attempt == null ? null : attempt.getHeadroom();
    };
  }
}
