package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.RunFailure;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers that end, are replaced or not, and what becomes of the run then. */
class ContainerPoolEndsTest extends ContainerPoolBench {

  /** No node is avoided, for there is none beside it. */
  @BeforeEach
  void oneNode() {
    yarn.nodes = 1;
  }

  @Test
  void aWorkerIsReplacedNearWhatWaitsThen() {
    ContainerPool pool = pool(1, List.of(List.of("weir:%2Ffirst")));
    ContainerId first = yarn.give(pool, "n1");
    waiting.add("weir:%2Fsecond;rate=7");

    pool.giveUp(first.toString(), "gone");

    assertThat(yarn.asks)
        .singleElement()
        .satisfies(ask -> assertThat(ask.getNodes()).containsExactly("weir:%2Fsecond;rate=7"));
  }

  @Test
  void aContainerThatEndsIsReplacedOnce() {
    ContainerPool pool = pool(1, List.of());
    ContainerId id = yarn.give(pool, "n1");

    pool.giveUp(id.toString(), "connection lost");
    pool.onContainersCompleted(List.of(ended(id, 137, "killed")));

    assertThat(yarn.asks).hasSize(1);
    assertThat(heard.gone).containsExactly(id.toString());
  }

  @Test
  void aContainerThatCannotBeStartedIsReplaced() {
    ContainerPool pool = pool(1, List.of());
    yarn.broken = true;

    yarn.give(pool, "n1");

    assertThat(yarn.asks).hasSize(1);
    assertThat(heard.gone).hasSize(1);
  }

  @Test
  void workersThatAlwaysEndAreNotReplacedForever() {
    ContainerPool pool = pool(1, List.of());
    yarn.broken = true;
    for (int i = 0; i < 100 && heard.hopeless.isEmpty(); i++) {
      yarn.give(pool, "n1");
    }

    assertThat(heard.hopeless).hasSize(1);
    assertThat(heard.hopeless.get(0).message()).contains("on n1", "broken on purpose");
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void theFailureOfARunWithoutWorkersSaysWhereAndHowTheyEnded() {
    ContainerPool pool = pool(1, List.of());
    String last = "";
    for (int i = 0; i < 100 && heard.hopeless.isEmpty(); i++) {
      ContainerId id = yarn.give(pool, "n" + i);
      last = id + " on n" + i;
      pool.onContainersCompleted(
          List.of(ended(id, 127, "java: not found\nLast 4096 bytes of stderr")));
    }

    RunFailure failure = heard.hopeless.get(0);
    assertThat(failure.byTask()).isFalse();
    assertThat(failure.message())
        .contains(last, "exit status 127: java: not found", "yarn logs -applicationId");
    assertThat(failure.message()).doesNotContain("\n");
    assertThat(failure.stderrTail())
        .contains(last, "exit status 127", "Last 4096 bytes of stderr")
        .doesNotContain("on n0 ");
    assertThat(heard.abandoned).isEmpty();
  }

  @Test
  void anApplicationMasterThatYarnWantsNoMoreLeavesTheRunToTheNext() {
    ContainerPool pool = pool(1, List.of());

    pool.onShutdownRequest();
    pool.onError(new IOException("no ResourceManager"));

    assertThat(heard.abandoned).hasSize(2);
    assertThat(heard.hopeless).isEmpty();
  }

  @Test
  void afterTheEndNothingIsAskedForOrKept() {
    ContainerPool pool = pool(2, List.of());
    ContainerId held = yarn.give(pool, "n1");
    long open = yarn.asks.iterator().next().getAllocationRequestId();

    pool.finish();
    pool.giveUp(held.toString(), "told to stop");
    ContainerId late = yarn.give(pool, "n2", open);

    assertThat(yarn.asks).isEmpty();
    assertThat(yarn.released).containsExactly(late);
    assertThat(heard.gone).isEmpty();
  }

  @Test
  void whoIsLetGoIsNotReplacedAndMakesRoomForAnother() {
    ContainerPool pool = pool(2, List.of());
    ContainerId one = yarn.give(pool, "n1");
    yarn.give(pool, "n2");

    pool.release(one.toString());
    pool.release(one.toString());
    pool.giveUp(one.toString(), "its connection has ended");
    pool.onContainersCompleted(List.of(ended(one, 0, "bye")));

    assertThat(yarn.released).containsExactly(one);
    assertThat(yarn.asks).isEmpty();
    assertThat(heard.gone).isEmpty();
    pool.want(2, List.of());
    assertThat(yarn.asks).hasSize(1);
    yarn.give(pool, "n1");
    assertThat(yarn.started).hasSize(3);
  }

  private static ContainerStatus end(ContainerId id, int exitStatus) {
    return ended(id, exitStatus, "2.1 GB of 2 GB used\nand more");
  }

  @Test
  void thatAContainerWasKilledForItsMemoryIsSaidAlsoWhenItsWorkerWasMissedBefore() {
    ContainerPool pool = pool(2, List.of());
    ContainerId missed = yarn.give(pool, "n1");
    ContainerId seen = yarn.give(pool, "n2");

    pool.giveUp(missed.toString(), "its connection has ended");
    assertThat(yarn.asks).as("another is asked for at once").hasSize(1);
    assertThat(yarn.released).as("then YARN would say nothing else of it").isEmpty();
    pool.onContainersCompleted(
        List.of(
            end(missed, ContainerExitStatus.KILLED_EXCEEDED_PMEM),
            end(seen, ContainerExitStatus.KILLED_EXCEEDED_VMEM)));
    later.forEach(Runnable::run);

    assertThat(heard.starved).hasSize(2);
    assertThat(heard.starved.get(0))
        .startsWith(missed + " ")
        .contains("2.1 GB of 2 GB used", "--worker-memory")
        .doesNotContain("\n");
    assertThat(heard.gone).containsExactly(missed.toString(), seen.toString());
    assertThat(yarn.released).as("it has ended by itself").doesNotContain(missed);
  }

  @Test
  void aContainerWhoseWorkerIsMissedIsGivenBackWhenYarnSaysNothingOfIt() {
    ContainerPool pool = pool(1, List.of());
    ContainerId missed = yarn.give(pool, "n1");
    pool.giveUp(missed.toString(), "its connection has ended");

    later.forEach(Runnable::run);

    assertThat(yarn.released).containsExactly(missed);
    assertThat(heard.starved).isEmpty();
  }

  @Test
  void aContainerThatEndsForAnotherReasonWasNotKilledForItsMemory() {
    ContainerPool pool = pool(1, List.of());
    ContainerId id = yarn.give(pool, "n1");

    pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.PREEMPTED)));

    assertThat(heard.starved).isEmpty();
  }

  /** Ends worker after worker until the run is given up, or 100 are gone. */
  private void endMany(ContainerPool pool, String node, int exitStatus) {
    for (int i = 0; i < 100 && heard.hopeless.isEmpty() && !yarn.asks.isEmpty(); i++) {
      pool.onContainersCompleted(List.of(end(yarn.give(pool, node), exitStatus)));
    }
  }

  @Test
  void whatYarnTakesAwayIsReplacedAndHeldAgainstNobody() {
    ContainerPool pool = pool(1, List.of());

    endMany(pool, "n1", ContainerExitStatus.PREEMPTED);
    endMany(pool, "n1", ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER);
    endMany(pool, "n1", ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
    endMany(pool, "n1", ContainerExitStatus.ABORTED);
    endMany(pool, "n1", ContainerExitStatus.DISKS_FAILED);

    assertThat(heard.hopeless).isEmpty();
    assertThat(heard.gone).hasSize(500);
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void aPreemptedWorkerIsHeldAgainstNobodyAlsoWhenItWasMissedBefore() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100; i++) {
      ContainerId id = live(pool, "n1");
      pool.giveUp(id.toString(), "its connection has ended");
      pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.PREEMPTED)));
      later.forEach(Runnable::run);
      later.clear();
    }

    assertThat(heard.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void workersThatAreMissedWithoutAWordOfYarnCount() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100 && heard.hopeless.isEmpty(); i++) {
      ContainerId id = yarn.give(pool, "n" + i);
      pool.giveUp(id.toString(), "its connection has ended");
      later.forEach(Runnable::run);
      later.clear();
      // As it says of what it was given back.
      pool.onContainersCompleted(List.of(end(id, ContainerExitStatus.ABORTED)));
    }

    assertThat(heard.hopeless).hasSize(1);
    assertThat(heard.hopeless.get(0).message()).contains("keep ending, 6", "connection has ended");
  }

  @Test
  void lossesAreForgivenWhenATaskIsDone() {
    ContainerPool pool = pool(1, List.of());
    for (int i = 0; i < 100; i++) {
      ContainerId id = live(pool, "n1");
      pool.worked(id.toString());
      pool.onContainersCompleted(List.of(end(id, 1)));
    }

    assertThat(heard.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
  }

  /** A worker that goes on, while others end until no more are asked for. */
  private ContainerId liveBesideMany(ContainerPool pool) {
    ContainerId alive = live(pool, "n1");
    endMany(pool, "n2", 1);
    return alive;
  }

  @Test
  void whileAWorkerLivesTheRunGoesOnWithItAndAsksAgainWhenItHasDoneATask() {
    ContainerPool pool = pool(2, List.of());

    ContainerId alive = liveBesideMany(pool);

    assertThat(heard.hopeless).isEmpty();
    assertThat(heard.gone).as("5 for each worker, and one more").hasSize(11);
    pool.want(2, List.of());
    assertThat(yarn.asks).as("it would be of no use").isEmpty();
    pool.worked(alive.toString());
    pool.want(2, List.of());
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void whenTheLastWorkerEndsByItselfAndSoDoAllOthersTheRunIsGivenUp() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveBesideMany(pool);

    pool.onContainersCompleted(List.of(end(alive, 1)));

    assertThat(heard.hopeless).hasSize(1);
    assertThat(heard.hopeless.get(0).message()).contains(alive + " on n1", "no worker is left");
  }

  @Test
  void whenTheLastWorkerIsTakenAwayOthersAreAskedForOnceMore() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveBesideMany(pool);

    pool.onContainersCompleted(List.of(end(alive, ContainerExitStatus.PREEMPTED)));

    assertThat(heard.hopeless).isEmpty();
    assertThat(yarn.asks).hasSize(1);
    pool.onContainersCompleted(List.of(end(yarn.give(pool, "n2"), 1)));
    assertThat(heard.hopeless).hasSize(1);
  }

  @Test
  void whenTheLastWorkerIsLetGoOthersCanBeAskedFor() {
    ContainerPool pool = pool(2, List.of());
    ContainerId alive = liveBesideMany(pool);

    pool.release(alive.toString());
    pool.want(1, List.of());

    assertThat(yarn.asks).isNotEmpty();
  }
}
