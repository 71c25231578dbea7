package dev.weir.workflow.yarn;

import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers' containers: requests them, spreads them evenly over the nodes, starts them and
 * replaces lost ones. Thread-safe.
 */
public final class ContainerPool extends AMRMClientAsync.AbstractCallbackHandler
    implements WorkerUpkeep {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPool.class);

  /** How many containers may end without a completed task, per wanted worker. */
  private static final int REPLACEMENTS = 5;

  /** YARN kills a container this long after the first message, by default after half of it. */
  private static final long PREEMPTION_MILLIS = 30_000;

  private final Spec spec;
  private final ContainerListener events;
  private final Executor launches;
  private final Consumer<Runnable> later;
  private final ContainerRequests requests;
  private final Map<ContainerId, Container> held = new HashMap<>();
  private final DedicatedContainers dedicated;
  private final WorkerNodes nodes;
  private final Clock clock;
  private final ContainerEnds ends;

  /**
   * Containers whose worker has connected, before or after YARN has reported them, and is not lost.
   */
  private final Set<ContainerId> alive = new HashSet<>();

  private final Set<String> decommissioned = new HashSet<>();
  private Containers yarn;
  private int wanted;
  private boolean finished;

  /**
   * Containers that YARN reported before this ApplicationMaster asked for those of its predecessor.
   */
  private final Map<ContainerId, Container> reportedEarly = new LinkedHashMap<>();

  private boolean isKept;
  private boolean countsMemoryOnly;

  /**
   * What the session wants.
   *
   * @param workers maximum number of workers
   * @param first initial number of workers
   * @param names preferred resource names for each of the first workers; an empty list, and workers
   *     beyond the list, have no preference
   * @param again supplies the same for a replacement; may block, but only briefly
   * @param dedicated how dedicated workers are requested
   */
  public record Spec(
      int workers,
      int first,
      Resource size,
      List<List<String>> names,
      Supplier<List<String>> again,
      Dedicated dedicated) {

    /** Of a session without dedicated workers. */
    public Spec(
        int workers,
        int first,
        Resource size,
        List<List<String>> names,
        Supplier<List<String>> again) {
      this(workers, first, size, names, again, Dedicated.NONE);
    }
  }

  /**
   * How dedicated workers are requested.
   *
   * @param megabytes the memory of a container in MiB, for what its task needs
   * @param ownMegabytes the part of it that the worker keeps for itself
   * @param cluster which nodes have further types of resources
   */
  public record Dedicated(
      ToIntFunction<ResourceNeeds> megabytes, int ownMegabytes, ClusterResources cluster) {

    static final Dedicated NONE = new Dedicated(needs -> 0, 0, ClusterResources.NONE);
  }

  /**
   * Creates a pool.
   *
   * @param launches runs container starts, which block
   * @param later runs an action once YARN has had time to report how a container ended: after a
   *     release YARN no longer reports the cause
   * @param clock must not be set
   */
  @SuppressWarnings("NullAway.Init") // YARN's client needs this object as its call-back handler
  public ContainerPool(
      Spec spec,
      ContainerListener events,
      Executor launches,
      Consumer<Runnable> later,
      Clock clock) {
    this.spec = spec;
    this.events = events;
    this.launches = launches;
    this.later = later;
    this.clock = clock;
    this.requests = new ContainerRequests(spec.size());
    this.dedicated = new DedicatedContainers(spec.dedicated());
    this.nodes = new WorkerNodes(spec.workers());
    this.ends = new ContainerEnds(REPLACEMENTS * spec.workers());
  }

  /** Sets the interface to YARN; requests nothing yet. */
  synchronized void open(Containers of) {
    yarn = of;
    requests.open(of);
    dedicated.open(of);
    nodes.open(of);
  }

  /**
   * Takes over containers that an earlier ApplicationMaster started and YARN kept, and requests
   * fewer new ones. Call it once, after {@link #open}; containers that YARN reports later are
   * released.
   *
   * @param avoidable nodes that an earlier ApplicationMaster may have had YARN avoid, besides those
   *     of its containers
   * @return the ids of all kept containers
   */
  synchronized List<String> keep(List<Container> earlier, Set<String> avoidable) {
    isKept = true;
    avoidable.forEach(nodes::inherit);
    Map<ContainerId, Container> all = new LinkedHashMap<>(reportedEarly);
    reportedEarly.clear();
    earlier.forEach(container -> all.put(container.getId(), container));
    for (Container container : List.copyOf(all.values())) {
      if (DedicatedContainers.isOfGang(container)) {
        yarn.release(container.getId());
        all.remove(container.getId());
      } else if (!finished && held.putIfAbsent(container.getId(), container) == null) {
        String node = host(container);
        LOG.info("Keeping {} on {} of an earlier ApplicationMaster", container.getId(), node);
        nodes.inherit(node);
        if (!dedicated.keep(container)) {
          nodes.add(node);
        }
        ends.allocated(container.getId(), node);
      }
    }
    wanted = Math.max(wanted, ordinary());
    return all.keySet().stream().map(ContainerId::toString).toList();
  }

  /** Requests all missing workers; call it after {@link #open}. */
  synchronized void start() {
    want(spec.first(), spec.names());
  }

  /**
   * Requests the workers that are missing to a number. There may be more; open requests are only
   * withdrawn when no worker is wanted.
   *
   * @param workers how many, up to those of the {@link Spec}
   * @param more preferred resource names for some of the next workers
   */
  public synchronized void want(int workers, List<List<String>> more) {
    if (finished) {
      return;
    }
    nodes.readmit(clock.millis());
    nodes.relax(requests.size() > 0, clock.millis());
    if (workers == 0) {
      requests.withdraw();
      wanted = ordinary();
    }
    wanted = Math.max(wanted, workers);
    int missing = wanted - requests.size() - ordinary();
    for (int i = 0; i < missing && mayRequest(); i++) {
      requests.add(i < more.size() ? more.get(i) : List.of());
    }
  }

  /** The number of held containers that are not dedicated. */
  private int ordinary() {
    return held.size() - dedicated.size();
  }

  /**
   * Requests dedicated workers, and withdraws requests that are not needed any more.
   *
   * @param workers how many are wanted in all, by what their tasks need
   */
  public void wantDedicated(Map<ResourceNeeds, Integer> workers) {
    boolean hasTypes = workers.keySet().stream().anyMatch(it -> !it.resources().isEmpty());
    String refusal = hasTypes ? resourceRefusal().orElse("") : "";
    if (refusal.isEmpty()) {
      requestDedicated(workers);
    } else {
      events.hopeless(RunFailure.ofRun(refusal, ""));
    }
  }

  private synchronized void requestDedicated(Map<ResourceNeeds, Integer> workers) {
    if (finished || !mayRequest()) {
      return;
    }
    if (!workers.isEmpty() && requests.size() == 0) {
      // These nodes are avoided only because they have their share of ordinary workers.
      nodes.readmitFull();
    }
    dedicated.want(workers, clock.millis());
  }

  /**
   * Sets whether YARN's scheduler counts all types of resources, not only memory.
   *
   * @param whether by default it does
   */
  synchronized void countsAllResources(boolean whether) {
    countsMemoryOnly = !whether;
  }

  /** Returns why tasks that need further types of resources cannot run; empty when they can. */
  public synchronized Optional<String> resourceRefusal() {
    return countsMemoryOnly
        ? Optional.of(
            "YARN counts only memory here, so it would run tasks on nodes without the resources"
                + " that they need: set yarn.scheduler.capacity.resource-calculator to"
                + " org.apache.hadoop.yarn.util.resource.DominantResourceCalculator")
        : Optional.empty();
  }

  /** Returns what the container of a worker is dedicated to; null if the worker is ordinary. */
  @Override
  public synchronized @Nullable ResourceNeeds dedication(String worker) {
    return dedicated.of(ContainerId.fromString(worker));
  }

  /** Returns the first container of the gang of a further one; empty for any other container. */
  public synchronized String firstOfGang(String container) {
    ContainerId first = dedicated.first(ContainerId.fromString(container));
    return first == null ? "" : first.toString();
  }

  /** Returns the container whose worker is lost with a container: the first one of its gang. */
  private synchronized ContainerId workerOf(ContainerId container) {
    ContainerId first = dedicated.first(container);
    return first == null ? container : first;
  }

  /** While containers keep ending, the remaining ones continue alone until a task is completed. */
  private boolean mayRequest() {
    return alive.isEmpty() || !ends.areTooMany();
  }

  @Override
  public synchronized void joined(String worker) {
    alive.add(ContainerId.fromString(worker));
  }

  /** A completed task shows that the earlier ends do not predict later ones. */
  @Override
  public synchronized void worked(String worker) {
    Container container = held.get(ContainerId.fromString(worker));
    if (container != null) {
      nodes.worked(host(container));
    }
    resetEndCount();
  }

  private static String host(Container container) {
    return container.getNodeId().getHost();
  }

  /** Releases the container of a worker that is not needed any more, without a replacement. */
  public synchronized void release(String container) {
    Container gone = held.remove(ContainerId.fromString(container));
    if (gone != null) {
      alive.remove(gone.getId());
      ends.forget(gone.getId());
      yarn.release(gone.getId());
      dedicated.gang(gone.getId()).stream()
          .filter(other -> !other.equals(gone.getId()))
          .forEach(this::releaseOfGang);
      if (!dedicated.remove(gone.getId())) {
        wanted--;
        nodes.leave(host(gone));
      }
    }
  }

  /** Releases a container of a gang because another one of it has ended. */
  private void releaseOfGang(ContainerId container) {
    held.remove(container);
    alive.remove(container);
    ends.forget(container);
    dedicated.remove(container);
    yarn.release(container);
  }

  /** Restarts the count of ended containers. */
  public void resetEndCount() {
    ends.resetCount();
  }

  /** After a release YARN no longer reports the cause. */
  private void releaseUnlessEnded(ContainerId id, String reason) {
    synchronized (this) {
      if (!ends.isOpen(id)) {
        return;
      }
      yarn.release(id);
    }
    ended(id, reason, EndCause.SELF);
  }

  /** Stops requesting containers; those held are about to end. */
  public synchronized void finish() {
    finished = true;
    requests.withdraw();
    dedicated.withdraw();
  }

  /**
   * A restarted ResourceManager may report containers late. Replacements were requested, and their
   * tasks may have been started again, so they are released.
   */
  @Override
  public void onContainersReceivedFromPreviousAttempts(List<Container> containers) {
    List<ContainerId> lateIds = new ArrayList<>();
    synchronized (this) {
      for (Container container : containers) {
        if (!isKept) {
          reportedEarly.put(container.getId(), container);
        } else if (!held.containsKey(container.getId())) {
          LOG.info(
              "Releasing {} of an earlier ApplicationMaster, which YARN reported too late",
              container.getId());
          yarn.release(container.getId());
          lateIds.add(container.getId());
        }
      }
    }
    lateIds.forEach(id -> events.gone(id.toString(), "YARN reported its container too late"));
  }

  @Override
  public synchronized void onContainersAllocated(List<Container> containers) {
    for (Container container : containers) {
      String node = host(container);
      Optional<List<Container>> toStart =
          finished ? Optional.empty() : dedicated.answer(container, clock.millis());
      if (toStart.isPresent()) {
        toStart.get().forEach(this::hold);
        continue;
      }
      Optional<List<String>> where = requests.answer(container);
      if (finished || where.isEmpty()) {
        yarn.release(container.getId());
      } else if (!nodes.accepts(node)) {
        LOG.info("{} accepts no more workers; requesting one elsewhere", node);
        yarn.release(container.getId());
        nodes.refuse(node);
        requests.add(where.get());
      } else {
        nodes.add(node);
        hold(container);
      }
    }
  }

  private void hold(Container container) {
    held.put(container.getId(), container);
    ends.allocated(container.getId(), host(container));
    launches.execute(() -> launch(container));
  }

  private void launch(Container container) {
    try {
      LOG.info("Starting {} on {}", container.getId(), container.getNodeId());
      yarn.start(container);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot start {} on {}", container.getId(), container.getNodeId(), e);
      String reason = "could not be started: " + e.getMessage();
      ended(container.getId(), reason, EndCause.SELF);
    }
  }

  @Override
  public void onContainersCompleted(List<ContainerStatus> statuses) {
    for (ContainerStatus status : statuses) {
      boolean forMemory = MemoryKill.isCauseOf(status);
      String reason =
          forMemory
              ? MemoryKill.explain(status)
              : "its container ended with exit status "
                  + status.getExitStatus()
                  + ": "
                  + status.getDiagnostics().strip();
      EndCause cause = EndCause.of(status.getExitStatus());
      String worker = workerOf(status.getContainerId()).toString();
      // After a release the status is YARN's, too, but the cause is another one.
      if (cause.isOfYarn() && ends.isOpen(status.getContainerId())) {
        events.endedByYarn(worker, cause == EndCause.PREEMPTED);
      }
      ended(status.getContainerId(), reason, cause);
      if (forMemory) {
        events.killedForMemory(worker, reason);
      }
    }
  }

  /** Releases the container and requests another; YARN may still report how it ended. */
  @Override
  public void replace(String container, String reason) {
    replace(ContainerId.fromString(container), reason, false);
  }

  private void ended(ContainerId id, String reason, EndCause cause) {
    Optional<ContainerEnds.End> end = ends.ended(id, reason, cause);
    if (cause.countsAgainstNode()) {
      end.ifPresent(this::chargeNode);
    }
    if (cause == EndCause.PREEMPTED) {
      end.map(ContainerEnds.End::node).filter(this::stays).ifPresent(this::leavesNoMore);
    }
    boolean isHopeless = replace(id, reason, end.isPresent() && cause.countsAgainstRun());
    if (isHopeless) {
      end.ifPresent(last -> events.hopeless(ends.failure(last)));
    }
  }

  private synchronized boolean stays(String node) {
    return !decommissioned.contains(node);
  }

  /**
   * Ends the avoidance of a node after a preemption. YARN has the container's resources, and may
   * allocate the next container on the same node. It announces each further preemption.
   */
  private void leavesNoMore(String node) {
    events.leaving(node, 0);
  }

  /** Called before a replacement is requested, which must not go to the same node. */
  private void chargeNode(ContainerEnds.End end) {
    Optional<String> note;
    synchronized (this) {
      note = finished ? Optional.empty() : nodes.ended(end, clock.millis());
    }
    note.ifPresent(events::avoided);
  }

  /**
   * A container is lost, or is known now to have ended by itself.
   *
   * @return whether no container is left and requesting another is useless
   */
  private boolean replace(ContainerId id, String reason, boolean byItself) {
    boolean isHopeless;
    ContainerId worker;
    // Called outside the lock: it asks another thread, which may call this object meanwhile.
    List<String> near = isHeld(id) ? spec.again().get() : List.of();
    synchronized (this) {
      if (finished) {
        return false;
      }
      Container container = held.remove(id);
      alive.remove(id);
      dedicated.endedUnstarted(id);
      isHopeless = byItself && alive.isEmpty() && ends.areTooMany();
      if (container == null) {
        return isHopeless;
      }
      LOG.info("{} on {} is lost: {}", id, container.getNodeId(), reason);
      if (ends.lost(id)) {
        later.accept(() -> releaseUnlessEnded(id, reason));
      } else {
        yarn.release(id);
      }
      worker = workerOf(id);
      dedicated.gang(worker).stream()
          .filter(other -> !other.equals(id))
          .forEach(this::releaseOfGang);
      if (!dedicated.remove(id)) {
        nodes.leave(host(container));
        if (!isHopeless && mayRequest() && requests.size() + ordinary() < wanted) {
          requests.add(near);
        }
      }
    }
    events.gone(
        worker.toString(),
        worker.equals(id)
            ? reason
            : "another container of its task, " + id + ", was lost: " + reason);
    return isHopeless;
  }

  /** Returns whether a container is one of this session's workers. */
  public synchronized boolean holds(String container) {
    return held.containsKey(ContainerId.fromString(container));
  }

  private synchronized boolean isHeld(ContainerId id) {
    return held.containsKey(id) && !finished;
  }

  @Override
  public void onContainersUpdated(List<UpdatedContainer> containers) {
    // Resources of containers are never changed.
  }

  @Override
  public void onShutdownRequest() {
    events.abandoned("the ResourceManager asked this ApplicationMaster to stop", null);
  }

  @Override
  public synchronized void onNodesUpdated(List<NodeReport> updatedNodes) {
    for (NodeReport node : updatedNodes) {
      LOG.info("{} is {}", node.getNodeId(), node.getNodeState());
      boolean leaves = node.getNodeState() == NodeState.DECOMMISSIONING;
      String host = node.getNodeId().getHost();
      if (leaves) {
        decommissioned.add(host);
      } else {
        decommissioned.remove(host);
      }
      events.leaving(host, leaves ? Long.MAX_VALUE : 0);
    }
    nodes.changed(updatedNodes.stream().map(node -> node.getNodeId().getHost()).toList());
  }

  /** YARN repeats the message until it kills the containers, or needs them no more. */
  @Override
  public void onPreemptionMessageReceived(PreemptionMessage message) {
    Set<PreemptionContainer> wanted = new HashSet<>();
    if (message.getStrictContract() != null) {
      wanted.addAll(message.getStrictContract().getContainers());
    }
    if (message.getContract() != null) {
      wanted.addAll(message.getContract().getContainers());
    }
    for (String node : nodesOf(wanted)) {
      events.leaving(node, clock.millis() + PREEMPTION_MILLIS);
    }
  }

  private synchronized Set<String> nodesOf(Set<PreemptionContainer> containers) {
    return containers.stream()
        .map(container -> held.get(container.getId()))
        .filter(Objects::nonNull)
        .map(ContainerPool::host)
        .collect(Collectors.toSet());
  }

  @Override
  public float getProgress() {
    return events.progress();
  }

  @Override
  public void onError(Throwable e) {
    // Called before logging, which may fail for lack of memory.
    events.abandoned("lost the ResourceManager: " + e, e);
    LOG.error("Lost the ResourceManager", e);
  }
}
