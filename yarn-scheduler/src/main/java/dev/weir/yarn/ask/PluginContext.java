package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ContainerRunTimes;
import dev.weir.yarn.cluster.RmCluster;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.HeadroomReservations;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.jspecify.annotations.Nullable;

/**
 * What {@code WeirAskProcessor} and {@link WeirPlacementAllocator} share while a ResourceManager is
 * active. The processor makes it, and it lives as long as that.
 *
 * @param clock milliseconds ≥ 0
 * @param executor where a look-up or a look at nodes does not hold the scheduler up
 */
public record PluginContext(
    AskSettings settings,
    LocationCache locations,
    RmCluster cluster,
    ContainerRunTimes runTimes,
    AskMetrics metrics,
    LongSupplier clock,
    Executor executor,
    HeadroomReservations reservations) {

  /**
   * Hadoop makes both classes by their names and gives them nothing in common but the context of
   * the ResourceManager, which has no place for anything of ours. Nothing is kept alive by this. It
   * is read for each key of each application, so without a lock; there is one, in tests some.
   */
  private static volatile List<Active> all = List.of();

  private record Active(WeakReference<RMContext> context, WeakReference<PluginContext> plugin) {}

  /** Shows this to the allocators of a ResourceManager. */
  public void publish(RMContext context) {
    synchronized (PluginContext.class) {
      List<Active> next = new ArrayList<>();
      next.add(new Active(new WeakReference<>(context), new WeakReference<>(this)));
      for (Active one : all) {
        RMContext other = one.context().get();
        if (other != null && other != context) {
          next.add(one);
        }
      }
      all = List.copyOf(next);
    }
  }

  /** That of a ResourceManager; null if the processor is not in use. */
  public static @Nullable PluginContext of(RMContext context) {
    for (Active one : all) {
      if (one.context().refersTo(context)) {
        return one.plugin().get();
      }
    }
    return null;
  }
}
