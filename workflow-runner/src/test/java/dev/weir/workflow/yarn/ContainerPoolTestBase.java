package dev.weir.workflow.yarn;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.jspecify.annotations.Nullable;

/** Container pools of a cluster that the test controls. */
abstract class ContainerPoolTestBase {

  final Yarn yarn = new Yarn();
  final RecordingListener listener = new RecordingListener();
  final MutableClock clock = new MutableClock(Instant.ofEpochSecond(1));
  final List<String> waiting = new ArrayList<>();

  /** Actions that run when YARN's answer is overdue. */
  final List<Runnable> later = new ArrayList<>();

  /** Returns a pool that has requested this many workers, each near its own files. */
  ContainerPool pool(int workers, List<List<String>> names) {
    ContainerPool pool = unstarted(workers, workers, names);
    pool.open(yarn);
    pool.start();
    return pool;
  }

  /**
   * Returns a pool of at most {@code most} workers that requests {@code first} of them when it
   * starts.
   */
  ContainerPool unstarted(int most, int first, List<List<String>> names) {
    return new ContainerPool(
        new ContainerPool.Spec(
            most, first, Resource.newInstance(1024, 1), names, () -> List.copyOf(waiting)),
        listener,
        Runnable::run,
        later::add,
        clock);
  }

  /** Starts a worker on a node. */
  ContainerId startWorker(ContainerPool pool, String node) {
    ContainerId id = yarn.give(pool, node);
    pool.joined(id.toString());
    return id;
  }

  /** Returns the status with which YARN reports the end of a container. */
  static ContainerStatus ended(ContainerId id, int exitStatus, String diagnostics) {
    return ContainerStatus.newInstance(id, ContainerState.COMPLETE, diagnostics, exitStatus);
  }

  /** A cluster that the test controls. */
  static final class Yarn implements Containers {
    final Set<ContainerRequest> asks = new LinkedHashSet<>();
    final List<ContainerId> started = new ArrayList<>();
    final List<ContainerId> released = new ArrayList<>();
    final Set<String> avoided = new LinkedHashSet<>();
    int nodes = 2;
    boolean broken;
    private int number;

    @Override
    public void ask(ContainerRequest request) {
      asks.add(request);
    }

    @Override
    public void withdraw(ContainerRequest request) {
      asks.remove(request);
    }

    @Override
    public void release(ContainerId container) {
      released.add(container);
    }

    @Override
    public void avoid(String node) {
      avoided.add(node);
    }

    @Override
    public void avoidNoLonger(String node) {
      avoided.remove(node);
    }

    @Override
    public int nodes() {
      return nodes;
    }

    @Override
    public void start(Container container) throws IOException {
      if (broken) {
        throw new IOException("broken on purpose");
      }
      started.add(container.getId());
    }

    /** Allocates the oldest request. */
    ContainerId give(ContainerPool pool, String node) {
      return give(pool, node, asks.iterator().next().getAllocationRequestId());
    }

    ContainerId give(ContainerPool pool, String node, long request) {
      Container container = container(node);
      container.setAllocationRequestId(request);
      pool.onContainersAllocated(List.of(container));
      return container.getId();
    }

    Container container(String node) {
      ContainerId id =
          ContainerId.newContainerId(
              ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), ++number);
      return Container.newInstance(
          id, NodeId.newInstance(node, 1), node, Resource.newInstance(1024, 1), null, null);
    }
  }

  static final class RecordingListener implements ContainerListener {
    final List<String> gone = new ArrayList<>();
    final List<String> starved = new ArrayList<>();
    final List<String> endedByYarn = new ArrayList<>();
    final List<String> preempted = new ArrayList<>();
    final Map<String, Long> leaving = new HashMap<>();
    final List<String> notes = new ArrayList<>();
    final List<RunFailure> hopeless = new ArrayList<>();
    final List<String> abandoned = new ArrayList<>();

    @Override
    public void gone(String container, String reason) {
      gone.add(container);
    }

    @Override
    public void endedByYarn(String container, boolean isPreempted) {
      (isPreempted ? preempted : endedByYarn).add(container);
    }

    @Override
    public void killedForMemory(String container, String reason) {
      starved.add(container + " " + reason);
    }

    @Override
    public void leaving(String node, long until) {
      leaving.put(node, until);
    }

    @Override
    public void avoided(String note) {
      notes.add(note);
    }

    @Override
    public void hopeless(RunFailure failure) {
      hopeless.add(failure);
    }

    @Override
    public void abandoned(String reason, @Nullable Throwable cause) {
      abandoned.add(reason);
    }

    @Override
    public float progress() {
      return 0;
    }
  }
}
