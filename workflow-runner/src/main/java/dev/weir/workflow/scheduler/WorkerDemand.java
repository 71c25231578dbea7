package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.PendingInputs;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.NodeFiles;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Determines how many workers are needed, what a further worker would read, and which idle workers
 * may be dismissed. A part of a {@link Dispatcher}, for the same thread.
 */
public final class WorkerDemand {

  /** Rounding error of a sum after many additions and subtractions. */
  private static final double ROUNDING = 1e-6;

  private final SessionGraphs session;
  private final WorkerSet workers;
  private final DedicatedTasks dedicated;
  private final NodeCaches caches;
  private final WriteBackScheduler writeBack;

  WorkerDemand(
      SessionGraphs session,
      DedicatedTasks dedicated,
      NodeCaches caches,
      WriteBackScheduler writeBack) {
    this.session = session;
    this.workers = session.state.workers();
    this.dedicated = dedicated;
    this.caches = caches;
    this.writeBack = writeBack;
  }

  /**
   * Returns the inputs that a further worker would read.
   *
   * @param most maximum number of inputs
   * @return the inputs and the read rate
   */
  public PendingInputs pendingInputs(int most) {
    Set<String> inputs = new LinkedHashSet<>();
    for (GraphRun run : session.inOrder()) {
      run.graph.ready().inputs(most, inputs);
      // Tasks ahead are taken back for an idle worker.
      run.graph.ahead().inputs(most, inputs);
    }
    return new PendingInputs(List.copyOf(inputs), session.state.readRate().bytesPerSecond());
  }

  /**
   * Returns how many dedicated workers are wanted, for tasks that do not fit ordinary ones.
   *
   * @param most at most this many in all
   * @return numbers by what the tasks need
   */
  public Map<ResourceNeeds, Integer> wantedDedicated(int most) {
    return dedicated.wanted(most);
  }

  public int ordinaryWorkers() {
    return workers.ordinary().all().size();
  }

  /**
   * Returns how many ordinary workers the unsettled tasks would occupy if all were ready.
   *
   * @return the number, at least 0
   */
  public int wantedWorkers() {
    double load = 0;
    for (GraphRun run : session.inOrder()) {
      load += run.graph.wantedWorkers();
    }
    return (int) Math.ceil(load - ROUNDING);
  }

  /** Whether tasks wait for dedicated workers, for which nodes may lack room. */
  public boolean isWaitingForDedicated() {
    return session.inOrder().stream()
        .anyMatch(run -> !run.graph.readyTasks().dedicated().isEmpty());
  }

  /**
   * Whether ready tasks wait for dedicated workers only. Tasks after these would keep the other
   * workers, whose room a dedicated one may need, without end.
   */
  public boolean isOnlyWaitingForDedicated() {
    return isWaitingForDedicated()
        && session.inOrder().stream().allMatch(run -> run.graph.ready().isEmpty());
  }

  /**
   * Dismisses idle workers, the longest idle first. The last worker of a node stays while the node
   * has files that are not in HDFS; those of single jobs are copied to HDFS.
   *
   * @param atMost maximum number of workers
   * @param since only workers that have been idle since this time, in milliseconds since the epoch
   */
  public List<String> dismiss(int atMost, long since) {
    return dismiss(atMost, since, writeBack::handOver);
  }

  /**
   * Dismisses all idle workers that are not dedicated. Files that only their nodes have are copied
   * to HDFS first.
   *
   * @param since only workers that have been idle since this time, in milliseconds since the epoch
   */
  public List<String> dismissAll(long since) {
    return dismiss(Integer.MAX_VALUE, since, writeBack::handOverAll);
  }

  private List<String> dismiss(
      int atMost, long since, Consumer<Collection<FileState>> handingOver) {
    List<String> dismissed = new ArrayList<>();
    for (WorkerState free : workers.free(since)) {
      if (dismissed.size() >= atMost) {
        break;
      }
      dismiss(free.info(), dismissed, handingOver);
    }
    return dismissed;
  }

  /**
   * Dismisses idle dedicated workers. While other tasks wait for dedicated ones, files that only
   * their nodes have are copied to HDFS first.
   *
   * @param since only workers that have been idle since this time, in milliseconds since the epoch
   */
  public List<String> dismissDedicated(long since) {
    List<String> dismissed = new ArrayList<>();
    Consumer<Collection<FileState>> handingOver =
        isWaitingForDedicated() ? writeBack::handOverAll : writeBack::handOver;
    for (WorkerState worker : workers.dedicated()) {
      if (worker.isFree() && worker.freeSince() <= since) {
        dismiss(worker.info(), dismissed, handingOver);
      }
    }
    return dismissed;
  }

  private void dismiss(
      WorkerInfo worker, List<String> dismissed, Consumer<Collection<FileState>> handingOver) {
    NodeFiles nodeFiles = session.state.nodeFiles();
    if (workers.workersOn(worker.node()) == 1 && nodeFiles.isOnlyPlaceOfSome(worker.node())) {
      handingOver.accept(nodeFiles.on(worker.node()));
    } else {
      workers.leave(worker.id());
      caches.workerLeft(worker);
      writeBack.workerLeft(worker.id());
      dismissed.add(worker.id());
    }
  }
}
