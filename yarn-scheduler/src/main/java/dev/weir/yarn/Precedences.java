package dev.weir.yarn;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
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
 * tells them of nothing but what the scheduler knows of the attempt, with which this goes too.
 * There is something only where a key waits for its nodes, so that nobody else pays for it. Safe
 * for any thread.
 */
final class Precedences {

  /** No value refers to its key, which would keep it for ever. */
  private final Map<AppSchedulingInfo, Precedence> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final AtomicInteger made = new AtomicInteger();
  private final Executor executor;

  Precedences(Executor executor) {
    this.executor = executor;
  }

  /** How many were made so far. Where it is the same as before, {@link #existing} is too. */
  int made() {
    return made.get();
  }

  /** That of the attempt, null if none was made. */
  @Nullable Precedence existing(AppSchedulingInfo info) {
    return known.get(info);
  }

  /** That of the attempt, which is made if it is not there. */
  Precedence of(AppSchedulingInfo info, RMContext context) {
    return known.computeIfAbsent(
        info,
        absent -> {
          made.incrementAndGet();
          return new Precedence(
              headroom(context, absent.getApplicationAttemptId()),
              context.getScheduler().getResourceCalculator(),
              executor);
        });
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
