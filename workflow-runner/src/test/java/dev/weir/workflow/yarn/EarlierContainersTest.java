package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;

/** Containers that an earlier ApplicationMaster has started. */
class EarlierContainersTest extends ContainerPoolTestBase {

  @Test
  void containersOfAnEarlierMasterAreKept() {
    ContainerPool pool = unstarted(2, 2, List.of());
    pool.open(yarn);
    pool.onNodesUpdated(List.of());
    Container kept = yarn.container("n1");
    pool.keep(List.of(kept), Set.of());
    pool.start();

    assertThat(yarn.asks).hasSize(1);
    ContainerId tooMuch = yarn.give(pool, "n1");
    assertThat(yarn.released).as("its node has its share of workers").containsExactly(tooMuch);
    yarn.give(pool, "n2");
    assertThat(yarn.started).hasSize(1).doesNotContain(kept.getId());

    pool.replace(kept.getId().toString(), "its worker has not come");

    later.forEach(Runnable::run);
    assertThat(yarn.released).contains(kept.getId());
    assertThat(listener.gone).containsExactly(kept.getId().toString());
    assertThat(yarn.asks).as("a replacement").hasSize(1);
  }

  @Test
  void moreEarlierContainersThanRequestedAreKept() {
    ContainerPool pool = unstarted(4, 1, List.of());
    pool.open(yarn);
    Container one = yarn.container("n1");
    pool.keep(List.of(one, yarn.container("n2")), Set.of());
    pool.start();
    assertThat(yarn.asks).isEmpty();

    pool.release(one.getId().toString());
    pool.want(2, List.of());

    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void earlierContainersReportedLateAreReleased() {
    ContainerPool pool = unstarted(2, 2, List.of());
    pool.open(yarn);
    Container soon = yarn.container("n1");
    Container kept = yarn.container("n2");
    pool.onContainersReceivedFromPreviousAttempts(List.of(soon));
    assertThat(pool.keep(List.of(kept), Set.of()))
        .containsExactlyInAnyOrder(soon.getId().toString(), kept.getId().toString());
    pool.start();
    Container late = yarn.container("n1");

    pool.onContainersReceivedFromPreviousAttempts(List.of(kept, late));

    assertThat(yarn.released).containsExactly(late.getId());
    assertThat(listener.gone)
        .as("the container counts as gone")
        .containsExactly(late.getId().toString());
    assertThat(yarn.asks).isEmpty();
  }
}
