package dev.weir.yarn;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.jspecify.annotations.Nullable;

/**
 * What {@link WeirAskProcessor} and {@link WeirPlacementAllocator} share while a ResourceManager is
 * active. The processor makes it, and it lives as long as that.
 *
 * @param clock milliseconds ≥ 0
 * @param executor where a look-up or a look at nodes does not hold the scheduler up
 */
record YarnPlugin(
    AskSettings settings,
    LocationCache locations,
    RmCluster cluster,
    RunTimes runTimes,
    AskMetrics metrics,
    LongSupplier clock,
    Executor executor,
    Precedences precedences) {

  /**
   * Hadoop makes both classes by their names and gives them nothing in common but the context of
   * the ResourceManager, which has no place for anything of ours. Nothing is kept alive by this.
   */
  private static final Map<RMContext, WeakReference<YarnPlugin>> ACTIVE =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Shows this to the allocators of a ResourceManager. */
  void publish(RMContext context) {
    ACTIVE.put(context, new WeakReference<>(this));
  }

  /** That of a ResourceManager; null if the processor is not in use. */
  static @Nullable YarnPlugin of(RMContext context) {
    WeakReference<YarnPlugin> plugin = ACTIVE.get(context);
    return plugin == null ? null : plugin.get();
  }
}
