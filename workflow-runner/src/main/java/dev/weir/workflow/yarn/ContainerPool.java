package dev.weir.workflow.yarn;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers' containers: asked for, spread evenly over the nodes, started, and replaced when they
 * are gone. Thread-safe.
 */
public final class ContainerPool extends AMRMClientAsync.AbstractCallbackHandler
    implements WorkerUpkeep {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPool.class);

  /** How many containers may end while no work is done, for each worker wanted. */
  private static final int REPLACEMENTS = 5;

  private final Spec spec;
  private final ContainerListener events;
  private final Executor launches;
  private final Consumer<Runnable> later;
  private final ContainerRequests asked;
  private final Map<ContainerId, Container> held = new HashMap<>();
  private final WorkerNodes nodes;
  private final Clock clock;
  private final ContainerEnds ends;

  /** Those whose worker has come, before or after YARN has told of them, and is not gone. */
  private final Set<ContainerId> alive = new HashSet<>();

  private Containers yarn;
  private int wanted;
  private boolean finished;

  /** What YARN has told of before it was asked what there is from before. */
  private final Map<ContainerId, Container> early = new LinkedHashMap<>();

  private boolean isKept;

  /**
   * What is wanted.
   *
   * @param workers how many at most
   * @param first how many at first
   * @param size of each container
   * @param names for each of the first workers, resource names that say where it would be best;
   *     empty lists and workers beyond the list may be anywhere
   * @param again the same for a worker that takes another's place; may block, but only for a while
   */
  public record Spec(
      int workers,
      int first,
      Resource size,
      List<List<String>> names,
      Supplier<List<String>> again) {}

  /**
   * A pool.
   *
   * @param launches carries out starts, which block
   * @param later does something when YARN has had the time to say how a container has ended: of one
   *     that was given back it says no more than that
   * @param clock which nobody sets
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
    this.asked = new ContainerRequests(spec.size());
    this.nodes = new WorkerNodes(spec.workers());
    this.ends = new ContainerEnds(REPLACEMENTS * spec.workers());
  }

  /** Says what YARN does with containers; nothing is asked for yet. */
  synchronized void open(Containers of) {
    yarn = of;
    asked.open(of);
    nodes.open(of);
  }

  /**
   * Takes over what an earlier ApplicationMaster has started, and YARN has kept: as many fewer are
   * asked for. To be called once, after {@link #open}; what YARN tells of later is released.
   *
   * @param avoidable nodes that an earlier ApplicationMaster may have had YARN avoid, beside those
   *     of its containers
   * @return the ids of all that are kept
   */
  synchronized List<String> keep(List<Container> earlier, Set<String> avoidable) {
    isKept = true;
    avoidable.forEach(nodes::inherit);
    Map<ContainerId, Container> all = new LinkedHashMap<>(early);
    early.clear();
    earlier.forEach(container -> all.put(container.getId(), container));
    for (Container container : all.values()) {
      if (!finished && held.putIfAbsent(container.getId(), container) == null) {
        String node = host(container);
        LOG.info("{} on {} is from before", container.getId(), node);
        nodes.inherit(node);
        nodes.add(node);
        ends.began(container.getId(), node);
      }
    }
    wanted = Math.max(wanted, held.size());
    return all.keySet().stream().map(ContainerId::toString).toList();
  }

  /** Asks for all workers that are not there, once {@link #open} was called. */
  synchronized void start() {
    want(spec.first(), spec.names());
  }

  /**
   * Asks for what is missing to a number of workers. There may be more; only when none is wanted
   * are asks taken back that YARN has not answered.
   *
   * @param workers how many, up to those of the {@link Spec}
   * @param more for some of the next workers, resource names that say where it would be best
   */
  public synchronized void want(int workers, List<List<String>> more) {
    if (finished) {
      return;
    }
    nodes.wake(clock.millis());
    if (workers == 0) {
      asked.withdraw();
      wanted = held.size();
    }
    wanted = Math.max(wanted, workers);
    int missing = wanted - asked.size() - held.size();
    for (int i = 0; i < missing && mayAsk(); i++) {
      asked.add(i < more.size() ? more.get(i) : List.of());
    }
  }

  /** While containers keep ending those that live go on alone, until work is done. */
  private boolean mayAsk() {
    return alive.isEmpty() || !ends.areTooMany();
  }

  @Override
  public synchronized void joined(String worker) {
    alive.add(ContainerId.fromString(worker));
  }

  /** Work gets done: that containers have ended so far says nothing about those to come. */
  @Override
  public synchronized void worked(String worker) {
    Container container = held.get(ContainerId.fromString(worker));
    if (container != null) {
      nodes.worked(host(container));
    }
    forgiveLosses();
  }

  private static String host(Container container) {
    return container.getNodeId().getHost();
  }

  /** A worker's container is not needed any more; no other takes its place. */
  public synchronized void letGo(String container) {
    Container gone = held.remove(ContainerId.fromString(container));
    if (gone != null) {
      wanted--;
      alive.remove(gone.getId());
      ends.forget(gone.getId());
      yarn.release(gone.getId());
      nodes.leave(host(gone));
    }
  }

  /** Counts the containers that are gone from now on. */
  public void forgiveLosses() {
    ends.forgive();
  }

  /** Of a container that is given back YARN says no more than that. */
  private void releaseUnlessEnded(ContainerId id, String reason) {
    synchronized (this) {
      if (!ends.isOpen(id)) {
        return;
      }
      yarn.release(id);
    }
    ended(id, reason, EndCause.ITSELF);
  }

  /** No more containers are wanted; those held are on their way out. */
  public synchronized void finish() {
    finished = true;
    asked.withdraw();
  }

  /**
   * A ResourceManager that was started anew hears of them late: others were asked for in their
   * places, and what they have in hand may have been begun once more.
   */
  @Override
  public void onContainersReceivedFromPreviousAttempts(List<Container> containers) {
    List<ContainerId> late = new ArrayList<>();
    synchronized (this) {
      for (Container container : containers) {
        if (!isKept) {
          early.put(container.getId(), container);
        } else if (!held.containsKey(container.getId())) {
          LOG.info("{} is from before, and comes too late", container.getId());
          yarn.release(container.getId());
          late.add(container.getId());
        }
      }
    }
    late.forEach(id -> events.gone(id.toString(), "YARN has told of it too late"));
  }

  @Override
  public synchronized void onContainersAllocated(List<Container> containers) {
    for (Container container : containers) {
      Optional<List<String>> where = asked.answer(container);
      String node = host(container);
      if (finished || where.isEmpty()) {
        yarn.release(container.getId());
      } else if (!nodes.takes(node)) {
        LOG.info("{} is to have no more workers; asking for one elsewhere", node);
        yarn.release(container.getId());
        nodes.refuse(node);
        asked.add(where.get());
      } else {
        nodes.add(node);
        held.put(container.getId(), container);
        ends.began(container.getId(), node);
        launches.execute(() -> launch(container));
      }
    }
  }

  private void launch(Container container) {
    try {
      LOG.info("Starting {} on {}", container.getId(), container.getNodeId());
      yarn.start(container);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot start {} on {}", container.getId(), container.getNodeId(), e);
      String reason = "could not be started: " + e.getMessage();
      ended(container.getId(), reason, EndCause.ITSELF);
    }
  }

  @Override
  public void onContainersCompleted(List<ContainerStatus> statuses) {
    for (ContainerStatus status : statuses) {
      String reason =
          "its container ended with exit status "
              + status.getExitStatus()
              + ": "
              + status.getDiagnostics().strip();
      ended(status.getContainerId(), reason, EndCause.of(status.getExitStatus()));
      if (EndCause.isForMemory(status.getExitStatus())) {
        events.killedForMemory(
            status.getContainerId().toString(),
            "YARN has killed its container for the memory of what ran in it ("
                + status.getDiagnostics().strip().lines().findFirst().orElse("it says no more")
                + "): declare what the task needs, or give --worker-memory");
      }
    }
  }

  /** The container is given back and another asked for; YARN may yet say how it has ended. */
  @Override
  public void giveUp(String container, String reason) {
    giveUp(ContainerId.fromString(container), reason, false);
  }

  private void ended(ContainerId id, String reason, EndCause cause) {
    Optional<ContainerEnds.End> news = ends.ended(id, reason, cause);
    if (cause.isTheNodes()) {
      news.ifPresent(this::holdAgainstNode);
    }
    boolean isHopeless = giveUp(id, reason, news.isPresent() && cause.isTheRuns());
    if (isHopeless) {
      news.ifPresent(end -> events.hopeless(ends.failure(end)));
    }
  }

  /** Before another is asked for, which is not to come from there. */
  private void holdAgainstNode(ContainerEnds.End end) {
    Optional<String> note;
    synchronized (this) {
      note = finished ? Optional.empty() : nodes.ended(end, clock.millis());
    }
    note.ifPresent(events::avoided);
  }

  /**
   * A container is gone, or is known now to have ended by itself.
   *
   * @return whether nobody is left and asking for another is no use
   */
  private boolean giveUp(ContainerId id, String reason, boolean byItself) {
    boolean isHopeless;
    // Asks another thread, which may want something of this object meanwhile.
    List<String> near = isHeld(id) ? spec.again().get() : List.of();
    synchronized (this) {
      if (finished) {
        return false;
      }
      Container container = held.remove(id);
      alive.remove(id);
      isHopeless = byItself && alive.isEmpty() && ends.areTooMany();
      if (container == null) {
        return isHopeless;
      }
      LOG.info("{} on {} is gone: {}", id, container.getNodeId(), reason);
      if (ends.missed(id)) {
        later.accept(() -> releaseUnlessEnded(id, reason));
      } else {
        yarn.release(id);
      }
      nodes.leave(host(container));
      if (!isHopeless && mayAsk() && asked.size() + held.size() < wanted) {
        asked.add(near);
      }
    }
    events.gone(id.toString(), reason);
    return isHopeless;
  }

  /**
   * Whether a container is one of this session's workers.
   *
   * @param container its id
   */
  public synchronized boolean holds(String container) {
    return held.containsKey(ContainerId.fromString(container));
  }

  private synchronized boolean isHeld(ContainerId id) {
    return held.containsKey(id) && !finished;
  }

  @Override
  public void onContainersUpdated(List<UpdatedContainer> containers) {
    // None is ever asked for.
  }

  @Override
  public void onShutdownRequest() {
    events.abandoned("the ResourceManager wants this ApplicationMaster to stop", null);
  }

  @Override
  public synchronized void onNodesUpdated(List<NodeReport> updatedNodes) {
    for (NodeReport node : updatedNodes) {
      LOG.info("{} is {}", node.getNodeId(), node.getNodeState());
    }
    nodes.changed(updatedNodes.stream().map(node -> node.getNodeId().getHost()).toList());
  }

  @Override
  public float getProgress() {
    return events.progress();
  }

  @Override
  public void onError(Throwable e) {
    // First, for there may be no memory to write that down.
    events.abandoned("lost the ResourceManager: " + e, e);
    LOG.error("Lost the ResourceManager", e);
  }
}
