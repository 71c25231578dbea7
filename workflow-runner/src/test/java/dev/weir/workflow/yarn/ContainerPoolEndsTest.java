package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers that end, whether they are replaced, and when the run fails. */
class ContainerPoolEndsTest extends ContainerPoolTestBase {

  /** With a single node, no node is avoided. */
  @BeforeEach
  void oneNode() {
    yarn.nodes = 1;
  }

  @Test
  void workerIsReplacedNearTheInputsThatWaitThen() {
    ContainerPool pool = pool(1, List.of(List.of("weir:%2Ffirst")));
    ContainerId first = yarn.give(pool, "n1");
    waiting.add("weir:%2Fsecond;rate=7");

    pool.replace(first.toString(), "gone");

    assertThat(yarn.asks)
        .singleElement()
        .satisfies(ask -> assertThat(ask.getNodes()).containsExactly("weir:%2Fsecond;rate=7"));
  }

  @Test
  void endedContainerIsReplacedOnce() {
    ContainerPool pool = pool(1, List.of());
    ContainerId id = yarn.give(pool, "n1");

    pool.replace(id.toString(), "connection lost");
    pool.onContainersCompleted(List.of(ended(id, 137, "killed")));

    assertThat(yarn.asks).hasSize(1);
    assertThat(listener.gone).containsExactly(id.toString());
  }

  @Test
  void containerThatCannotBeStartedIsReplaced() {
    ContainerPool pool = pool(1, List.of());
    yarn.broken = true;

    yarn.give(pool, "n1");

    assertThat(yarn.asks).hasSize(1);
    assertThat(listener.gone).hasSize(1);
  }

  @Test
  void replacementsAreLimited() {
    ContainerPool pool = pool(1, List.of());
    yarn.broken = true;
    for (int i = 0; i < 100 && listener.hopeless.isEmpty(); i++) {
      yarn.give(pool, "n1");
    }

    assertThat(listener.hopeless).hasSize(1);
    assertThat(listener.hopeless.get(0).message()).contains("on n1", "broken on purpose");
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void failureOfARunWithoutWorkersNamesNodesAndReasons() {
    ContainerPool pool = pool(1, List.of());
    String last = "";
    for (int i = 0; i < 100 && listener.hopeless.isEmpty(); i++) {
      ContainerId id = yarn.give(pool, "n" + i);
      last = id + " on n" + i;
      pool.onContainersCompleted(
          List.of(ended(id, 127, "java: not found\nLast 4096 bytes of stderr")));
    }

    RunFailure failure = listener.hopeless.get(0);
    assertThat(failure.byTask()).isFalse();
    assertThat(failure.message())
        .contains(last, "exit status 127: java: not found", "yarn logs -applicationId");
    assertThat(failure.message()).doesNotContain("\n");
    assertThat(failure.outputTail())
        .contains(last, "exit status 127", "Last 4096 bytes of stderr")
        .doesNotContain("on n0 ");
    assertThat(listener.abandoned).isEmpty();
  }

  @Test
  void masterThatYarnShutsDownLeavesTheRunToTheNext() {
    ContainerPool pool = pool(1, List.of());

    pool.onShutdownRequest();
    pool.onError(new IOException("no ResourceManager"));

    assertThat(listener.abandoned).hasSize(2);
    assertThat(listener.hopeless).isEmpty();
  }

  @Test
  void afterTheEndNothingIsRequestedOrKept() {
    ContainerPool pool = pool(2, List.of());
    ContainerId held = yarn.give(pool, "n1");
    long open = yarn.asks.iterator().next().getAllocationRequestId();

    pool.finish();
    pool.replace(held.toString(), "told to stop");
    ContainerId late = yarn.give(pool, "n2", open);

    assertThat(yarn.asks).isEmpty();
    assertThat(yarn.released).containsExactly(late);
    assertThat(listener.gone).isEmpty();
  }

  @Test
  void dismissedWorkerIsNotReplacedAndFreesItsPlace() {
    ContainerPool pool = pool(2, List.of());
    ContainerId one = yarn.give(pool, "n1");
    yarn.give(pool, "n2");

    pool.release(one.toString());
    pool.release(one.toString());
    pool.replace(one.toString(), "its connection has ended");
    pool.onContainersCompleted(List.of(ended(one, 0, "bye")));

    assertThat(yarn.released).containsExactly(one);
    assertThat(yarn.asks).isEmpty();
    assertThat(listener.gone).isEmpty();
    pool.want(2, List.of());
    assertThat(yarn.asks).hasSize(1);
    yarn.give(pool, "n1");
    assertThat(yarn.started).hasSize(3);
  }

  private static ContainerStatus end(ContainerId id, int exitStatus) {
    return ended(
        id,
        exitStatus,
        "[2026-11-27 19:00:00.123]Container [pid=7,containerID=c] is running 107374182B beyond the"
            + " 'PHYSICAL' memory limit. Current usage: 2.1 GB of 2 GB physical memory used; 3.0 GB"
            + " of 4.2 GB virtual memory used. Killing container.\nDump of the process-tree");
  }

  @Test
  void memoryKillIsReportedEvenIfTheWorkerWasMissingBefore() {
    ContainerPool pool = pool(2, List.of());
    ContainerId missed = yarn.give(pool, "n1");
    ContainerId seen = yarn.give(pool, "n2");

    pool.replace(missed.toString(), "its connection has ended");
    assertThat(yarn.asks).as("another is requested at once").hasSize(1);
    assertThat(yarn.released)
        .as("YARN would not report the reason of a released container")
        .isEmpty();
    pool.onContainersCompleted(
        List.of(
            end(missed, ContainerExitStatus.KILLED_EXCEEDED_PMEM),
            end(seen, ContainerExitStatus.KILLED_EXCEEDED_VMEM)));
    later.forEach(Runnable::run);

    assertThat(listener.starved).hasSize(2);
    assertThat(listener.starved.get(0))
        .startsWith(missed + " ")
        .contains("(2.1 GB of 2 GB physical memory used)", "--worker-memory")
        .doesNotContain("vmem-check", "\n");
    assertThat(listener.starved.get(1))
        .contains("(3.0 GB of 4.2 GB virtual memory used)", "yarn.nodemanager.vmem-check-enabled");
    assertThat(listener.gone).containsExactly(missed.toString(), seen.toString());
    assertThat(yarn.released).as("the container has ended").doesNotContain(missed);
  }

  @Test
  void workersThatKeepExceedingTheirMemoryFailTheRunWithTheRemedy() {
    endWorkers(pool(1, List.of()), "n1", ContainerExitStatus.KILLED_EXCEEDED_PMEM);

    assertThat(listener.hopeless)
        .singleElement()
        .satisfies(
            failure -> assertThat(failure.message()).contains("2.1 GB of 2 GB", "--worker-memory"));
  }

  @Test
  void containerOfAMissingWorkerIsReleasedAfterAWhile() {
    ContainerPool pool = pool(1, List.of());
    ContainerId missed = yarn.give(pool, "n1");
    pool.replace(missed.toString(), "its connection has ended");

    later.forEach(Runnable::run);

    assertThat(yarn.released).containsExactly(missed);
    assertThat(listener.starved).isEmpty();
  }

  @Test
  void otherEndsAreNoMemoryKills() {
    ContainerPool pool = pool(1, List.of());
    ContainerId id = yarn.give(pool, "n1");

    pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.PREEMPTED)));

    assertThat(listener.starved).isEmpty();
  }

  /** Ends workers until the run fails, or 100 have ended. */
  private void endWorkers(ContainerPool pool, String node, int exitStatus) {
    for (int i = 0; i < 100 && listener.hopeless.isEmpty() && !yarn.asks.isEmpty(); i++) {
      pool.onContainersCompleted(List.of(end(yarn.give(pool, node), exitStatus)));
    }
  }

  @Test
  void preemptedContainerIsReplacedAndNotCounted() {
    ContainerPool pool = pool(1, List.of());

    endWorkers(pool, "n1", ContainerExitStatus.PREEMPTED);
    endWorkers(pool, "n1", ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER);
    endWorkers(pool, "n1", ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
    endWorkers(pool, "n1", ContainerExitStatus.ABORTED);
    assertThat(listener.preempted).hasSize(200);
    assertThat(listener.endedByYarn).as("may be due to the tasks").hasSize(200);
    endWorkers(pool, "n1", ContainerExitStatus.DISKS_FAILED);

    assertThat(listener.endedByYarn).as("without failed disks").hasSize(200);
    assertThat(listener.hopeless).isEmpty();
    assertThat(listener.gone).hasSize(500);
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void preemptionIsNotCountedEvenIfTheWorkerWasMissingBefore() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100; i++) {
      ContainerId id = startWorker(pool, "n1");
      pool.replace(id.toString(), "its connection has ended");
      pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.PREEMPTED)));
      later.forEach(Runnable::run);
      later.clear();
    }

    assertThat(listener.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void missingWorkersWithoutAReportOfYarnCount() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100 && listener.hopeless.isEmpty(); i++) {
      ContainerId id = yarn.give(pool, "n" + i);
      pool.replace(id.toString(), "its connection has ended");
      later.forEach(Runnable::run);
      later.clear();
      // As YARN reports a released container.
      pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.ABORTED)));
    }

    assertThat(listener.endedByYarn).isEmpty();
    assertThat(listener.hopeless).hasSize(1);
    assertThat(listener.hopeless.get(0).message())
        .contains("keep ending, 6", "connection has ended");
  }

  @Test
  void completedTaskResetsTheCountOfLosses() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100; i++) {
      ContainerId id = startWorker(pool, "n1");
      pool.worked(id.toString());
      pool.onContainersCompleted(List.of(end(id, 1)));
    }

    assertThat(listener.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
  }

  /** Ends other workers until no more are requested, and returns a live one. */
  private ContainerId liveAfterManyEnds(ContainerPool pool) {
    ContainerId alive = startWorker(pool, "n1");
    endWorkers(pool, "n2", 1);
    return alive;
  }

  @Test
  void runContinuesWithALiveWorkerAndRequestsOthersAfterATask() {
    ContainerPool pool = pool(2, List.of());

    ContainerId alive = liveAfterManyEnds(pool);

    assertThat(listener.hopeless).isEmpty();
    assertThat(listener.gone).as("5 for each worker, and one more").hasSize(11);
    pool.want(2, List.of());
    assertThat(yarn.asks).as("further requests would be useless").isEmpty();
    pool.worked(alive.toString());
    pool.want(2, List.of());
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void runFailsIfTheLastWorkerAndItsReplacementsEnd() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveAfterManyEnds(pool);

    pool.onContainersCompleted(List.of(end(alive, 1)));

    assertThat(listener.hopeless).hasSize(1);
    assertThat(listener.hopeless.get(0).message()).contains(alive + " on n1", "no worker is left");
  }

  @Test
  void preemptionOfTheLastWorkerRequestsOthersOnceMore() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveAfterManyEnds(pool);

    pool.onContainersCompleted(List.of(end(alive, ContainerExitStatus.PREEMPTED)));

    assertThat(listener.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
    pool.onContainersCompleted(List.of(end(yarn.give(pool, "n2"), 1)));
    assertThat(listener.hopeless).hasSize(1);
  }

  @Test
  void dismissalOfTheLastWorkerAllowsFurtherRequests() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveAfterManyEnds(pool);

    pool.release(alive.toString());
    pool.want(1, List.of());

    assertThat(yarn.asks).isNotEmpty();
  }
}
