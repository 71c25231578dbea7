package dev.weir.yarn;

import dev.weir.yarn.allocator.MasterPlacement;
import dev.weir.yarn.ask.ApplicationInputs;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.EligibleNodes;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.NodeWait;
import dev.weir.yarn.wait.WaitingRequest;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.PendingAskUpdateResult;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Extends Hadoop's own allocator for one key of an application: other nodes are declined for as
 * long as {@link WeirAskProcessor} decided that waiting is worthwhile. It also places the
 * ApplicationMaster's own container, whose ask the processor never sees. Set as {@code
 * yarn.scheduler.app-placement-allocator.class}, or for one application as the scheduling property
 * {@code APPLICATION_PLACEMENT_TYPE_CLASS}. Without the processor it behaves as Hadoop's own.
 *
 * <p>The scheduler calls it under its locks, so no method blocks, looks up files or throws. It only
 * makes the decisions of Hadoop's own allocator stricter, for a bounded time.
 *
 * @param <N> the scheduler's kind of node
 */
public final class WeirPlacementAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {
  private volatile @Nullable PluginContext plugin;
  private volatile boolean prechecksNodes;
  private volatile @Nullable NodeWait nodeWait;
  private volatile @Nullable MasterPlacement master;

  @Override
  public void initialize(
      AppSchedulingInfo appSchedulingInfo,
      SchedulerRequestKey schedulerRequestKey,
      RMContext rmContext) {
    super.initialize(appSchedulingInfo, schedulerRequestKey, rmContext);
    try {
      PluginContext active = PluginContext.of(rmContext);
      if (active != null) {
        active.metrics().count(AskMetrics.Event.ALLOCATORS);
        prechecksNodes = rmContext.getScheduler() instanceof CapacityScheduler;
        plugin = active;
      }
    } catch (RuntimeException | Error e) {
      disable();
    }
  }

  @Override
  public PendingAskUpdateResult updatePendingAsk(
      Collection<ResourceRequest> requests, boolean recoverPreemptedRequestForAContainer) {
    if (plugin != null && !recoverPreemptedRequestForAContainer) {
      try {
        recordWait(requests);
      } catch (RuntimeException | Error e) {
        disable();
      }
    }
    return super.updatePendingAsk(requests, recoverPreemptedRequestForAContainer);
  }

  private void recordWait(Collection<ResourceRequest> requests) {
    NodeWait carried = null;
    ResourceRequest any = null;
    for (ResourceRequest request : requests) {
      if (request instanceof WaitingRequest waiting) {
        carried = waiting.nodeWait();
      }
      if (ResourceRequest.isAnyLocation(request.getResourceName())) {
        any = request;
      }
    }
    if (carried != null || any != null) {
      nodeWait = carried;
    }
    if (any != null && carried == null && master == null && mayBeMasterAsk(any)) {
      master = masterPlacement(any);
    }
  }

  /** Compares with the ask that the ResourceManager itself makes for an ApplicationMaster. */
  private static boolean mayBeMasterAsk(ResourceRequest any) {
    return any.getNumContainers() == 1
        && any.getPriority().equals(RMAppAttemptImpl.AM_CONTAINER_PRIORITY);
  }

  /** Creates the placement of the ApplicationMaster's container near the application's inputs. */
  private @Nullable MasterPlacement masterPlacement(ResourceRequest any) {
    PluginContext active = plugin;
    RMApp app = rmContext.getRMApps().get(appSchedulingInfo.getApplicationId());
    // Only checks whether there are inputs: parsing many of them takes time.
    if (active == null || app == null || !awaitsMaster() || !ApplicationInputs.areNamed(app)) {
      return null;
    }
    MasterPlacement masterContainer =
        new MasterPlacement(
            active,
            app,
            ContainerRequirement.of(any),
            new EligibleNodes(rmContext, appSchedulingInfo.getApplicationAttemptId(), null));
    masterContainer.prepare();
    return masterContainer;
  }

  private boolean awaitsMaster() {
    if (rmContext.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler) {
      SchedulerApplicationAttempt attempt =
          scheduler.getApplicationAttempt(appSchedulingInfo.getApplicationAttemptId());
      return attempt != null && attempt.isWaitingForAMContainer();
    }
    return false;
  }

  @Override
  public boolean precheckNode(
      SchedulerNode schedulerNode,
      SchedulingMode schedulingMode,
      Optional<DiagnosticsCollector> dcOpt) {
    return super.precheckNode(schedulerNode, schedulingMode, dcOpt) && mayUse(schedulerNode);
  }

  private boolean mayUse(SchedulerNode node) {
    PluginContext active = plugin;
    MasterPlacement masterContainer = master;
    NodeWait wait = nodeWait;
    if (active == null || (masterContainer == null && wait == null)) {
      return true;
    }
    try {
      if (masterContainer != null) {
        return masterContainer.allows(node.getNodeName(), hasRoom(node));
      }
      // Runs for each waiting key at each node's heartbeat, so it takes no lock and avoids reading
      // the clock.
      return wait == null || asksFor(node) || !declines(wait, node, active.clock().getAsLong());
    } catch (RuntimeException | Error e) {
      disable();
      return true;
    }
  }

  private boolean declines(NodeWait wait, SchedulerNode node, long now) {
    if (wait.isOver(now)) {
      return false;
    }
    wait.declined(now, wait.dependsOnRoom() && hasRoom(node));
    return true;
  }

  /** The scheduler calls this under the lock under which it changes asks. */
  private boolean asksFor(SchedulerNode node) {
    ResourceRequest ask = getResourceRequests().get(node.getNodeName());
    return ask != null && ask.getNumContainers() > 0;
  }

  private boolean hasRoom(SchedulerNode node) {
    return Resources.fitsIn(
        rmContext.getScheduler().getResourceCalculator(),
        getPendingAsk(ResourceRequest.ANY).getPerAllocationResource(),
        node.getUnallocatedResource());
  }

  /** Other schedulers check resource names instead of nodes. */
  @Override
  public boolean canDelayTo(String resourceName) {
    return super.canDelayTo(resourceName) && (prechecksNodes || mayRelaxTo(resourceName));
  }

  private boolean mayRelaxTo(String resourceName) {
    PluginContext active = plugin;
    NodeWait wait = nodeWait;
    if (active == null || wait == null) {
      return true;
    }
    try {
      long now = active.clock().getAsLong();
      boolean wide = ResourceRequest.isAnyLocation(resourceName) || resourceName.startsWith("/");
      if (!wide || wait.isOver(now)) {
        return true;
      }
      wait.declined(now, true);
      return false;
    } catch (RuntimeException | Error e) {
      disable();
      return true;
    }
  }

  @Override
  public ContainerRequest allocate(
      SchedulerRequestKey schedulerKey, NodeType type, SchedulerNode node) {
    MasterPlacement masterContainer = master;
    if (masterContainer != null) {
      master = null;
      try {
        masterContainer.allocated(node.getNodeName());
      } catch (RuntimeException | Error e) {
        disable();
      }
    }
    return super.allocate(schedulerKey, type, node);
  }

  /** Falls back to the behaviour of Hadoop's own allocator permanently. */
  private void disable() {
    PluginContext active = plugin;
    plugin = null;
    try {
      if (active != null) {
        active.metrics().count(AskMetrics.Event.FAILURES);
      }
    } catch (RuntimeException | Error e) {
      // Cannot be reported.
    }
  }
}
