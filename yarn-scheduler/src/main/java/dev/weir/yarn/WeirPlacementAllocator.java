package dev.weir.yarn;

import dev.weir.yarn.allocator.MasterPlacement;
import dev.weir.yarn.ask.ApplicationInputs;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.EligibleNodes;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.HeadroomReservation;
import dev.weir.yarn.wait.NodeWait;
import dev.weir.yarn.wait.WaitingRequest;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
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
 * <p>Called under the scheduler's locks: nothing here blocks, looks up files or throws. It only
 * makes the decisions of Hadoop's own allocator stricter, for a bounded time.
 *
 * @param <N> the scheduler's kind of node
 */
public final class WeirPlacementAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {

  private volatile @Nullable PluginContext plugin;
  private volatile boolean asksOfNodes;
  private volatile @Nullable NodeWait nodeWait;
  private volatile @Nullable MasterPlacement master;

  /** Whether this key shares headroom with other keys of the application. */
  private volatile boolean sharesRoom;

  /** Null until some key of the application waits for its nodes; then shared by all of its keys. */
  private volatile @Nullable HeadroomReservation reservation;

  /** Called by the scheduler, which creates the configured class. */
  public WeirPlacementAllocator() {}

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
        asksOfNodes = rmContext.getScheduler() instanceof CapacityScheduler;
        sharesRoom = asksOfNodes && schedulerRequestKey.getContainerToUpdate() == null;
        plugin = active;
      }
    } catch (RuntimeException | Error e) {
      failed();
    }
  }

  @Override
  public PendingAskUpdateResult updatePendingAsk(
      Collection<ResourceRequest> requests, boolean recoverPreemptedRequestForAContainer) {
    if (plugin != null && !recoverPreemptedRequestForAContainer) {
      try {
        note(requests);
      } catch (RuntimeException | Error e) {
        failed();
      }
    }
    PendingAskUpdateResult result =
        super.updatePendingAsk(requests, recoverPreemptedRequestForAContainer);
    notePending();
    return result;
  }

  /** Updates what other keys of the application have to leave for this one. */
  private void notePending() {
    try {
      NodeWait wait = nodeWait;
      HeadroomReservation others = common(wait != null);
      if (others == null) {
        return;
      }
      // Partitions have a headroom of their own.
      if (wait == null || !isOfDefaultPartition()) {
        others.update(schedulerRequestKey, null, null, 0);
      } else {
        PendingAsk pending = getPendingAsk(ResourceRequest.ANY);
        others.update(
            schedulerRequestKey, wait, pending.getPerAllocationResource(), pending.getCount());
      }
    } catch (RuntimeException | Error e) {
      failed();
    }
  }

  /**
   * The reservation shared by the application's keys. The scheduler's lock on the application's
   * asks is held, so no keys are added or removed meanwhile.
   *
   * @param begin whether to create it if there is none
   */
  private @Nullable HeadroomReservation common(boolean begin) {
    HeadroomReservation found = reservation;
    PluginContext active = plugin;
    if (found != null || active == null || !sharesRoom) {
      return found;
    }
    // In most ResourceManagers most keys end here.
    if (active.reservations().made() > 0) {
      found = anyOthers();
    }
    if (found == null && begin) {
      found = active.reservations().make(appSchedulingInfo, rmContext);
      for (SchedulerRequestKey key : appSchedulingInfo.getSchedulerKeys()) {
        WeirPlacementAllocator<?> sibling = sibling(key);
        if (sibling != null) {
          sibling.reservation = found;
        }
      }
    }
    reservation = found;
    return found;
  }

  /** The reservation of the application's other keys; either all have it or none. */
  private @Nullable HeadroomReservation anyOthers() {
    for (SchedulerRequestKey key : appSchedulingInfo.getSchedulerKeys()) {
      WeirPlacementAllocator<?> sibling = sibling(key);
      if (sibling != null) {
        return sibling.reservation;
      }
    }
    return null;
  }

  /** The allocator of another key; null if it is not of this class, or is this one. */
  private @Nullable WeirPlacementAllocator<?> sibling(SchedulerRequestKey key) {
    return appSchedulingInfo.getAppPlacementAllocator(key) instanceof WeirPlacementAllocator<?> one
            && one != this
            && one.sharesRoom
            && one.plugin != null
        ? one
        : null;
  }

  private boolean isOfDefaultPartition() {
    return isDefault(getPrimaryRequestedNodePartition());
  }

  private static boolean isDefault(String partition) {
    return CommonNodeLabelsManager.NO_LABEL.equals(partition);
  }

  private void note(Collection<ResourceRequest> requests) {
    NodeWait brought = null;
    ResourceRequest any = null;
    for (ResourceRequest request : requests) {
      if (request instanceof WaitingRequest patient) {
        brought = patient.nodeWait();
      }
      if (ResourceRequest.isAnyLocation(request.getResourceName())) {
        any = request;
      }
    }
    if (brought != null || any != null) {
      nodeWait = brought;
    }
    if (any != null && brought == null && master == null && mayBeMasters(any)) {
      master = masterPlacement(any);
    }
  }

  /** Compares with the ask that the ResourceManager itself makes for an ApplicationMaster. */
  private static boolean mayBeMasters(ResourceRequest any) {
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
    HeadroomReservation others = reservation;
    if (active == null || (masterContainer == null && wait == null && others == null)) {
      return true;
    }
    try {
      if (masterContainer != null) {
        return masterContainer.allows(node.getNodeName(), hasRoom(node));
      }
      // Called for each waiting key at each node's heartbeat: takes no lock and avoids reading the
      // clock.
      if (wait != null && !wants(node) && declines(wait, node, active.clock().getAsLong())) {
        return false;
      }
      return others == null
          || !others.mayBlock(schedulerRequestKey.getPriority().getPriority())
          || !comesLater(others, node, active.clock().getAsLong());
    } catch (RuntimeException | Error e) {
      failed();
      return true;
    }
  }

  private boolean declines(NodeWait wait, SchedulerNode node, long now) {
    if (wait.over(now)) {
      return false;
    }
    HeadroomReservation others = reservation;
    if (wait.declined(now, wait.countsRoom() && hasRoom(node)) && others != null) {
      others.changed(schedulerRequestKey);
    }
    return true;
  }

  /** Whether waiting keys of higher priority need what is left of the queue. */
  private boolean comesLater(HeadroomReservation others, SchedulerNode node, long now) {
    Resource first = others.before(schedulerRequestKey.getPriority().getPriority(), now);
    if (first == null || !isOfDefaultPartition() || !isDefault(node.getPartition())) {
      return false;
    }
    Resource each = getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
    if (!others.hasRoomBeside(first, each, now)) {
      return true;
    }
    if (hasRoom(node) && takesAtOnce(node)) {
      // Several scheduler threads may propose containers before the first is allocated.
      others.given(each);
    }
    return false;
  }

  /** Whether the scheduler allocates on the node at once if there is room. */
  private boolean takesAtOnce(SchedulerNode node) {
    return wants(node) || getUniqueLocationAsks() <= 1;
  }

  /** The scheduler calls this under the lock under which it changes asks. */
  private boolean wants(SchedulerNode node) {
    ResourceRequest ask = getResourceRequests().get(node.getNodeName());
    return ask != null && ask.getNumContainers() > 0;
  }

  private boolean hasRoom(SchedulerNode node) {
    return Resources.fitsIn(
        rmContext.getScheduler().getResourceCalculator(),
        getPendingAsk(ResourceRequest.ANY).getPerAllocationResource(),
        node.getUnallocatedResource());
  }

  /** Other schedulers do not ask about nodes, but about names. */
  @Override
  public boolean canDelayTo(String resourceName) {
    return super.canDelayTo(resourceName) && (asksOfNodes || mayRelaxTo(resourceName));
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
      if (!wide || wait.over(now)) {
        return true;
      }
      wait.declined(now, true);
      return false;
    } catch (RuntimeException | Error e) {
      failed();
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
        masterContainer.given(node.getNodeName());
      } catch (RuntimeException | Error e) {
        failed();
      }
    }
    HeadroomReservation others = reservation;
    if (others == null || others.isEmpty()) {
      return super.allocate(schedulerKey, type, node);
    }
    Resource each = getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
    boolean noted = takesAtOnce(node);
    ContainerRequest given = super.allocate(schedulerKey, type, node);
    try {
      if (!noted || !others.mayBlock(schedulerKey.getPriority().getPriority())) {
        // The other containers are recorded when this allocator lets them pass.
        others.given(each);
      }
      notePending();
    } catch (RuntimeException | Error e) {
      failed();
    }
    return given;
  }

  /** Falls back to the behaviour of Hadoop's own allocator permanently. */
  private void failed() {
    PluginContext active = plugin;
    HeadroomReservation others = reservation;
    plugin = null;
    reservation = null;
    try {
      if (others != null) {
        others.update(schedulerRequestKey, null, null, 0);
      }
      if (active != null) {
        active.metrics().count(AskMetrics.Event.FAILURES);
      }
    } catch (RuntimeException | Error e) {
      // There is no way to report this.
    }
  }
}
