package dev.weir.bench.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;

/**
 * Hadoop's own allocator under another name.
 *
 * @param <N> the scheduler's type of node
 */
public final class EmptyAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {}
