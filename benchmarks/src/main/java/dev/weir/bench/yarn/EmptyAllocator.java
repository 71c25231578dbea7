package dev.weir.bench.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;

/**
 * Hadoop's own allocator under another name.
 *
 * @param <N> the scheduler's kind of node
 */
public final class EmptyAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {
  /** For the scheduler, which makes the class it finds configured. */
  public EmptyAllocator() {}
}
