package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.junit.jupiter.api.Test;

/** Nodes on which containers keep ending, while other nodes work. */
class ContainerPoolAvoidedNodesTest extends ContainerPoolTestBase {

  private static void end(ContainerPool pool, ContainerId id, int exitStatus) {
    pool.onContainersCompleted(List.of(ended(id, exitStatus, "No space left\nand more")));
  }

  /** Ends enough containers on a node to have it avoided. */
  private void failNode(ContainerPool pool, String node) {
    for (int i = 0; i < WorkerNodes.MAX_ENDS; i++) {
      end(pool, yarn.give(pool, node), 1);
    }
  }

  @Test
  void failingNodeIsAvoidedAndItsWorkerReplacedElsewhere() {
    ContainerPool pool = pool(2, List.of());
    startWorker(pool, "n1");

    failNode(pool, "n2");

    assertThat(yarn.avoided).containsExactly("n2");
    assertThat(listener.notes)
        .singleElement()
        .asString()
        .contains("n2 gets no workers", "exit status 1: No space left")
        .doesNotContain("\n");
    ContainerId second = startWorker(pool, "n1");
    assertThat(yarn.started).contains(second);
    assertThat(yarn.asks).isEmpty();
    assertThat(listener.hopeless).isEmpty();
  }

  @Test
  void containerAllocatedOnAnAvoidedNodeIsReleased() {
    ContainerPool pool = pool(2, List.of());
    startWorker(pool, "n1");
    failNode(pool, "n2");

    ContainerId late = yarn.give(pool, "n2");

    assertThat(yarn.released).contains(late);
    assertThat(yarn.started).doesNotContain(late);
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void fullNodeThatFailsStaysAvoided() {
    ContainerPool pool = pool(2, List.of());
    for (int i = 0; i < WorkerNodes.MAX_ENDS; i++) {
      pool.replace(yarn.give(pool, "n2").toString(), "its connection has ended");
    }
    ContainerId next = yarn.give(pool, "n2");
    yarn.give(pool, "n2");
    assertThat(yarn.avoided).as("the node has its share of workers").containsExactly("n2");

    later.forEach(Runnable::run);
    assertThat(listener.notes).hasSize(1);
    pool.replace(next.toString(), "gone");

    assertThat(yarn.avoided).containsExactly("n2");
  }

  @Test
  void evenShareIsRelaxedWhenOtherNodesGiveNothing() {
    ContainerPool pool = pool(4, List.of());
    startWorker(pool, "n1");
    startWorker(pool, "n1");
    yarn.give(pool, "n1");
    assertThat(yarn.avoided).containsExactly("n1");

    pool.want(4, List.of());
    clock.advance(Duration.ofMillis(WorkerNodes.RELAX_MILLIS - 1));
    pool.want(4, List.of());
    assertThat(yarn.avoided).as("other nodes may have room soon").containsExactly("n1");
    clock.advance(Duration.ofMillis(1));
    pool.want(4, List.of());

    assertThat(yarn.avoided).isEmpty();
    assertThat(yarn.started).contains(yarn.give(pool, "n1"));
    yarn.give(pool, "n1");
    assertThat(yarn.avoided).as("one more only").containsExactly("n1");
  }

  @Test
  void evenShareHoldsAgainOnceNoWorkerWaits() {
    ContainerPool pool = pool(4, List.of());
    startWorker(pool, "n1");
    startWorker(pool, "n1");
    yarn.give(pool, "n1");
    pool.want(4, List.of());
    clock.advance(Duration.ofMillis(WorkerNodes.RELAX_MILLIS));
    pool.want(4, List.of());
    String third = startWorker(pool, "n1").toString();
    startWorker(pool, "n2");

    pool.want(4, List.of());
    pool.replace(third, "gone");

    assertThat(yarn.started).doesNotContain(yarn.give(pool, "n1"));
    assertThat(yarn.avoided).containsExactly("n1");
  }

  @Test
  void missingWorkerWithoutAReportOfYarnCountsAgainstItsNode() {
    ContainerPool pool = pool(2, List.of());
    for (int i = 0; i < WorkerNodes.MAX_ENDS; i++) {
      pool.replace(startWorker(pool, "n2").toString(), "its connection has ended");
      later.forEach(Runnable::run);
      later.clear();
    }

    assertThat(yarn.avoided).containsExactly("n2");
    assertThat(listener.notes).singleElement().asString().contains("its connection has ended");
  }

  @Test
  void failedDisksCountAgainstTheNodeAndKillsDoNot() {
    yarn.nodes = 8;
    ContainerPool pool = pool(8, List.of());
    for (int i = 0; i < WorkerNodes.MAX_ENDS; i++) {
      end(pool, yarn.give(pool, "n1"), ContainerExitStatus.DISKS_FAILED);
      end(pool, yarn.give(pool, "n2"), ContainerExitStatus.PREEMPTED);
      end(pool, yarn.give(pool, "n3"), ContainerExitStatus.ABORTED);
      end(pool, yarn.give(pool, "n4"), ContainerExitStatus.KILLED_EXCEEDED_PMEM);
    }

    assertThat(yarn.avoided).containsExactly("n1");
  }

  @Test
  void completedTaskClearsItsNode() {
    ContainerPool pool = pool(2, List.of());
    for (int i = 0; i < 2 * WorkerNodes.MAX_ENDS; i++) {
      ContainerId id = startWorker(pool, "n2");
      if (i % 2 == 0) {
        pool.worked(id.toString());
      }
      end(pool, id, 1);
    }

    assertThat(yarn.avoided).isEmpty();
    assertThat(listener.notes).isEmpty();
  }

  @Test
  void taskOfAnOlderWorkerDoesNotClearTheNode() {
    ContainerPool pool = pool(4, List.of());
    ContainerId working = startWorker(pool, "n2");
    failNode(pool, "n2");

    pool.worked(working.toString());

    assertThat(yarn.avoided).containsExactly("n2");
    clock.advance(Duration.ofMillis(WorkerNodes.AVOID_MILLIS));
    pool.want(4, List.of());
    end(pool, yarn.give(pool, "n2"), 1);
    assertThat(yarn.avoided).as("one more end suffices, not three").containsExactly("n2");
  }

  @Test
  void repeatedlyFailingNodeIsNotedOnce() {
    ContainerPool pool = pool(4, List.of());
    ContainerId working = startWorker(pool, "n2");
    for (int i = 0; i < 3; i++) {
      failNode(pool, "n2");
      assertThat(yarn.avoided).containsExactly("n2");
      clock.advance(Duration.ofMillis(WorkerNodes.AVOID_MILLIS));
      pool.want(4, List.of());
      pool.worked(working.toString());
    }

    assertThat(yarn.avoided).isEmpty();
    assertThat(listener.notes).hasSize(1);
  }

  @Test
  void atMostHalfOfTheNodesAreAvoided() {
    yarn.nodes = 5;
    ContainerPool pool = pool(5, List.of());

    failNode(pool, "n1");
    failNode(pool, "n2");
    failNode(pool, "n3");

    assertThat(yarn.avoided).containsExactly("n1", "n2");
    assertThat(listener.notes).hasSize(2);
  }

  @Test
  void nodeIsUsedAgainWhenTooManyOthersAreLost() {
    ContainerPool pool = pool(2, List.of());
    failNode(pool, "n2");
    assertThat(yarn.avoided).containsExactly("n2");

    yarn.nodes = 1;
    pool.want(2, List.of());

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void onlyNodeIsNotAvoided() {
    yarn.nodes = 1;
    ContainerPool pool = pool(1, List.of());

    failNode(pool, "n1");

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void avoidedNodeIsTriedAgainAfterAWhile() {
    ContainerPool pool = pool(2, List.of());
    failNode(pool, "n2");
    pool.want(2, List.of());
    assertThat(yarn.avoided).containsExactly("n2");

    clock.advance(Duration.ofMillis(WorkerNodes.AVOID_MILLIS));
    pool.want(2, List.of());

    assertThat(yarn.avoided).isEmpty();
    end(pool, yarn.give(pool, "n2"), 1);
    assertThat(yarn.avoided).containsExactly("n2");
  }

  @Test
  void restartedNodeIsNotAvoided() {
    ContainerPool pool = pool(2, List.of());
    failNode(pool, "n2");

    pool.onNodesUpdated(List.of(node("n1")));
    assertThat(yarn.avoided).containsExactly("n2");
    pool.onNodesUpdated(List.of(node("n2")));

    assertThat(yarn.avoided).isEmpty();
    end(pool, yarn.give(pool, "n2"), 1);
    assertThat(yarn.avoided).as("its ends are counted again from zero").isEmpty();
  }

  @Test
  void simultaneousEndsOnANodeCountOnce() {
    yarn.nodes = 2;
    ContainerPool pool = pool(6, List.of());
    for (int i = 0; i < 2; i++) {
      List<ContainerId> all =
          List.of(yarn.give(pool, "n2"), yarn.give(pool, "n2"), yarn.give(pool, "n2"));
      all.forEach(id -> end(pool, id, 1));
    }
    assertThat(yarn.avoided).isEmpty();

    end(pool, yarn.give(pool, "n2"), 1);

    assertThat(yarn.avoided).containsExactly("n2");
  }

  @Test
  void workersMissingAtOnceCountOnceDespiteNewOnes() {
    ContainerPool pool = pool(6, List.of());
    for (int i = 0; i < WorkerNodes.MAX_ENDS; i++) {
      startWorker(pool, "n2");
    }

    List.copyOf(yarn.started).forEach(id -> pool.replace(id.toString(), "silent"));
    yarn.give(pool, "n2");
    later.forEach(Runnable::run);

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void earlierMissingWorkerDoesNotCountAfterTheRetry() {
    ContainerPool pool = pool(6, List.of());
    ContainerId old = startWorker(pool, "n2");
    failNode(pool, "n2");
    pool.replace(old.toString(), "silent");
    clock.advance(Duration.ofMillis(WorkerNodes.AVOID_MILLIS));
    pool.want(6, List.of());

    later.forEach(Runnable::run);

    assertThat(yarn.avoided).isEmpty();
  }

  /** Starts the next ApplicationMaster, while YARN still avoids the nodes of the previous one. */
  private ContainerPool next(Set<String> nodes, Container... kept) {
    ContainerPool next = unstarted(2, 2, List.of());
    next.open(yarn);
    next.keep(List.of(kept), nodes);
    next.start();
    return next;
  }

  @Test
  void nextMasterAvoidsNoNodeOfThePreviousOne() {
    ContainerPool first = pool(2, List.of());
    failNode(first, "n2");
    yarn.asks.clear();

    ContainerPool next = next(Set.of("n1", "n2"));

    assertThat(yarn.avoided).isEmpty();
    failNode(next, "n2");
    assertThat(yarn.avoided).as("it counts its own ends").containsExactly("n2");
  }

  @Test
  void nextMasterDoesNotAvoidTheNodeOfAKeptWorker() {
    ContainerPool first = pool(4, List.of());
    failNode(first, "n2");

    next(Set.of(), yarn.container("n2"));

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void nextMasterDoesNotAvoidANodeReportedLater() {
    ContainerPool first = pool(2, List.of());
    failNode(first, "n2");

    ContainerPool next = next(Set.of());
    next.onNodesUpdated(List.of(node("n2")));

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void decommissionedNodeLeavesUntilItIsRecommissioned() {
    ContainerPool pool = pool(2, List.of());

    pool.onNodesUpdated(List.of(node("n1", NodeState.DECOMMISSIONING)));
    assertThat(listener.leaving).containsEntry("n1", Long.MAX_VALUE);

    pool.onNodesUpdated(List.of(node("n1")));
    assertThat(listener.leaving).containsEntry("n1", 0L);
  }

  @Test
  void nodeOfContainersThatYarnTakesBackLeavesForAWhile() {
    ContainerPool pool = pool(2, List.of());
    PreemptionContainer first = PreemptionContainer.newInstance(startWorker(pool, "n1"));
    PreemptionContainer second = PreemptionContainer.newInstance(startWorker(pool, "n2"));
    PreemptionContainer other = PreemptionContainer.newInstance(yarn.container("n3").getId());

    pool.onPreemptionMessageReceived(
        PreemptionMessage.newInstance(
            StrictPreemptionContract.newInstance(Set.of(first, other)),
            PreemptionContract.newInstance(List.of(), Set.of(second))));

    assertThat(listener.leaving)
        .containsOnlyKeys("n1", "n2")
        .containsEntry("n1", clock.millis() + 30_000);
    pool.onPreemptionMessageReceived(PreemptionMessage.newInstance(null, null));
  }

  @Test
  void nodeOfAPreemptedContainerStays() {
    ContainerPool pool = pool(2, List.of());
    ContainerId taken = startWorker(pool, "n1");
    PreemptionContract contract =
        PreemptionContract.newInstance(List.of(), Set.of(PreemptionContainer.newInstance(taken)));
    pool.onPreemptionMessageReceived(PreemptionMessage.newInstance(null, contract));

    end(pool, taken, ContainerExitStatus.PREEMPTED);

    assertThat(listener.leaving).containsExactly(Map.entry("n1", 0L));
  }

  @Test
  void decommissionedNodeOfAPreemptedContainerLeaves() {
    ContainerPool pool = pool(2, List.of());
    ContainerId taken = startWorker(pool, "n1");
    pool.onNodesUpdated(List.of(node("n1", NodeState.DECOMMISSIONING)));

    end(pool, taken, ContainerExitStatus.PREEMPTED);

    assertThat(listener.leaving).containsEntry("n1", Long.MAX_VALUE);
  }

  private static NodeReport node(String host) {
    return node(host, NodeState.RUNNING);
  }

  private static NodeReport node(String host, NodeState state) {
    return NodeReport.newInstance(
        NodeId.newInstance(host, 1), state, host, "/r", null, null, 0, "", 0);
  }
}
