package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ContainerRunTimes;
import dev.weir.yarn.cluster.RmCluster;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.metrics.AskMetrics;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.jspecify.annotations.Nullable;

/**
 * What {@code WeirAskProcessor} and {@code WeirPlacementAllocator} share while a ResourceManager is
 * active. The processor creates it.
 *
 * @param clock monotonic milliseconds ≥ 0
 * @param executor runs lookups and examines nodes without blocking the scheduler
 */
public record PluginContext(
    AskSettings settings,
    LocationCache locations,
    RmCluster cluster,
    ContainerRunTimes runTimes,
    AskMetrics metrics,
    LongSupplier clock,
    Executor executor) {

  /**
   * Static because Hadoop creates both classes by name, and the ResourceManager's context that they
   * share cannot hold other objects. Weak references keep nothing alive. It is read without a lock,
   * for each key of each application. It has one entry, in tests several.
   */
  private static volatile List<Active> all = List.of();

  private record Active(WeakReference<RMContext> context, WeakReference<PluginContext> plugin) {}

  /** Makes this context available to the allocators of a ResourceManager. */
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

  /** The context of a ResourceManager's plugin; null if the processor is not in use. */
  public static @Nullable PluginContext of(RMContext context) {
    for (Active one : all) {
      if (one.context().refersTo(context)) {
        return one.plugin().get();
      }
    }
    return null;
  }
}
