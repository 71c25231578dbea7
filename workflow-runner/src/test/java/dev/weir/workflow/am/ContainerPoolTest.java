package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.dispatch.RunFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
import org.junit.jupiter.api.Test;

class ContainerPoolTest {

  private final Yarn yarn = new Yarn();
  private final Heard heard = new Heard();
  private final List<String> waiting = new ArrayList<>();

  private ContainerPool pool(int workers, List<List<String>> names) {
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(
                workers, workers, Resource.newInstance(1024, 1), names, () -> List.copyOf(waiting)),
            heard,
            Runnable::run);
    pool.start(yarn);
    return pool;
  }

  /** A cluster that does as the test says. */
  private static final class Yarn implements Containers {
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

    /** Answers the oldest ask. */
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

  private static final class Heard implements ContainerPool.Events {
    final List<String> gone = new ArrayList<>();
    final List<RunFailure> hopeless = new ArrayList<>();
    final List<String> abandoned = new ArrayList<>();

    @Override
    public void gone(String container, String reason) {
      gone.add(container);
    }

    @Override
    public void hopeless(RunFailure failure) {
      hopeless.add(failure);
    }

    @Override
    public void abandoned(String reason) {
      abandoned.add(reason);
    }

    @Override
    public float progress() {
      return 0;
    }
  }

  @Test
  void asksForEachWorkerByItselfAndNamesTheFirstOnesFiles() {
    pool(3, List.of(List.of("weir:/a"), List.of("weir:/b")));

    assertThat(yarn.asks).hasSize(3);
    assertThat(yarn.asks)
        .extracting(ContainerRequest::getNodes)
        .containsExactly(List.of("weir:/a"), List.of("weir:/b"), null);
    assertThat(yarn.asks)
        .extracting(ContainerRequest::getAllocationRequestId)
        .doesNotHaveDuplicates();
    assertThat(yarn.asks).allMatch(ContainerRequest::getRelaxLocality);
  }

  @Test
  void whatAnEarlierApplicationMasterHasStartedIsNeitherAskedForNorStartedAgain() {
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(
                2, 2, Resource.newInstance(1024, 1), List.of(), () -> List.copyOf(waiting)),
            heard,
            Runnable::run);
    pool.open(yarn);
    pool.onNodesUpdated(List.of());
    Container kept = yarn.container("n1");
    pool.keep(List.of(kept));
    pool.start(yarn);

    assertThat(yarn.asks).hasSize(1);
    ContainerId tooMuch = yarn.give(pool, "n1");
    assertThat(yarn.released).as("its node has its share").containsExactly(tooMuch);
    yarn.give(pool, "n2");
    assertThat(yarn.started).hasSize(1).doesNotContain(kept.getId());

    pool.giveUp(kept.getId().toString(), "its worker has not come");

    assertThat(yarn.released).contains(kept.getId());
    assertThat(heard.gone).containsExactly(kept.getId().toString());
    assertThat(yarn.asks).as("another in its place").hasSize(1);
  }

  @Test
  void moreContainersFromBeforeThanAreAskedForAreKept() {
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(4, 1, Resource.newInstance(1024, 1), List.of(), List::of),
            heard,
            Runnable::run);
    pool.open(yarn);
    Container one = yarn.container("n1");
    pool.keep(List.of(one, yarn.container("n2")));
    pool.start(yarn);
    assertThat(yarn.asks).isEmpty();

    pool.letGo(one.getId().toString());
    pool.want(2, List.of());

    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void containersFromBeforeThatYarnTellsOfLateAreReleased() {
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(2, 2, Resource.newInstance(1024, 1), List.of(), List::of),
            heard,
            Runnable::run);
    pool.open(yarn);
    Container soon = yarn.container("n1");
    Container kept = yarn.container("n2");
    pool.onContainersReceivedFromPreviousAttempts(List.of(soon));
    assertThat(pool.keep(List.of(kept)))
        .containsExactlyInAnyOrder(soon.getId().toString(), kept.getId().toString());
    pool.start(yarn);
    Container late = yarn.container("n1");

    pool.onContainersReceivedFromPreviousAttempts(List.of(kept, late));

    assertThat(yarn.released).containsExactly(late.getId());
    assertThat(heard.gone).as("it is sent away").containsExactly(late.getId().toString());
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void startsWhatItIsGivenAndAsksForItNoMore() {
    ContainerPool pool = pool(2, List.of());

    ContainerId first = yarn.give(pool, "n1");
    ContainerId second = yarn.give(pool, "n2");

    assertThat(yarn.started).containsExactly(first, second);
    assertThat(yarn.asks).isEmpty();
    assertThat(yarn.released).isEmpty();
  }

  @Test
  void aNodeThatHasItsShareIsAvoided() {
    ContainerPool pool = pool(2, List.of());
    yarn.give(pool, "n1");

    ContainerId tooMuch = yarn.give(pool, "n1");

    assertThat(yarn.released).containsExactly(tooMuch);
    assertThat(yarn.avoided).containsExactly("n1");
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void moreWorkersThanNodesShareTheNodes() {
    ContainerPool pool = pool(3, List.of());

    yarn.give(pool, "n1");
    yarn.give(pool, "n1");

    assertThat(yarn.started).hasSize(2);
  }

  @Test
  void aNodeIsNoLongerAvoidedWhenItsWorkerIsGoneOrTheClusterChanges() {
    ContainerPool pool = pool(2, List.of());
    ContainerId first = yarn.give(pool, "n1");
    yarn.give(pool, "n1");
    pool.giveUp(first.toString(), "killed");
    assertThat(yarn.avoided).isEmpty();

    yarn.give(pool, "n1");
    yarn.give(pool, "n1");
    assertThat(yarn.avoided).containsExactly("n1");
    pool.onNodesUpdated(List.of());
    assertThat(yarn.avoided).isEmpty();
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
  void aWorkerThatIsAskedForElsewhereIsAskedForNearTheSameFiles() {
    ContainerPool pool = pool(2, List.of(List.of("weir:%2Fa"), List.of("weir:%2Fb")));
    yarn.give(pool, "n1");
    yarn.give(pool, "n1");

    assertThat(yarn.avoided).containsExactly("n1");
    assertThat(yarn.asks)
        .singleElement()
        .satisfies(ask -> assertThat(ask.getNodes()).containsExactly("weir:%2Fb"));
  }

  @Test
  void aContainerThatEndsIsReplacedOnce() {
    ContainerPool pool = pool(1, List.of());
    ContainerId id = yarn.give(pool, "n1");

    pool.giveUp(id.toString(), "connection lost");
    pool.onContainersCompleted(
        List.of(ContainerStatus.newInstance(id, ContainerState.COMPLETE, "killed", 137)));

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
          List.of(
              ContainerStatus.newInstance(
                  id, ContainerState.COMPLETE, "java: not found\nLast 4096 bytes of stderr", 127)));
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
  void growsWithWhatIsWantedAndSaysWhereItWouldBeBest() {
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(4, 0, Resource.newInstance(1024, 1), List.of(), List::of),
            heard,
            Runnable::run);
    pool.start(yarn);
    assertThat(yarn.asks).isEmpty();

    pool.want(2, List.of(List.of("weir:/a")));
    pool.want(2, List.of(List.of("weir:/a")));

    assertThat(yarn.asks)
        .extracting(ContainerRequest::getNodes)
        .containsExactly(List.of("weir:/a"), null);
    yarn.give(pool, "n1");
    pool.want(1, List.of());
    assertThat(yarn.asks).as("what was asked for may still come").hasSize(1);
    pool.want(0, List.of());
    assertThat(yarn.asks).as("nobody needs it").isEmpty();
  }

  @Test
  void whoIsLetGoIsNotReplacedAndMakesRoomForAnother() {
    ContainerPool pool = pool(2, List.of());
    ContainerId one = yarn.give(pool, "n1");
    yarn.give(pool, "n2");

    pool.letGo(one.toString());
    pool.letGo(one.toString());
    pool.giveUp(one.toString(), "its connection has ended");
    pool.onContainersCompleted(
        List.of(ContainerStatus.newInstance(one, ContainerState.COMPLETE, "bye", 0)));

    assertThat(yarn.released).containsExactly(one);
    assertThat(yarn.asks).isEmpty();
    assertThat(heard.gone).isEmpty();
    pool.want(2, List.of());
    assertThat(yarn.asks).hasSize(1);
    yarn.give(pool, "n1");
    assertThat(yarn.started).hasSize(3);
  }
}
