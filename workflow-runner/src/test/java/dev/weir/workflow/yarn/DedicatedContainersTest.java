package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.junit.jupiter.api.Test;

/** Containers of dedicated workers are requested beside those of ordinary ones. */
class DedicatedContainersTest extends ContainerPoolTestBase {

  private static final int OWN = 100;
  private static final ResourceNeeds LARGE = new ResourceNeeds(2, 1L << 31);

  private final ContainerPool pool = pool();

  private ContainerPool pool() {
    ContainerPool created =
        new ContainerPool(
            new ContainerPool.Spec(
                1,
                1,
                Resource.newInstance(1024, 1),
                List.of(),
                List::of,
                new ContainerPool.Dedicated(
                    needs -> (int) (needs.memoryBytes() >> 20) + OWN,
                    OWN,
                    new ClusterResources(0, Map.of("fpga", Map.of("n2", 1L)), Map.of()))),
            listener,
            Runnable::run,
            later::add,
            clock);
    created.open(yarn);
    created.start();
    return created;
  }

  private ContainerRequest lastAsk() {
    return List.copyOf(yarn.asks).get(yarn.asks.size() - 1);
  }

  @Test
  void dedicatedWorkerIsRequestedBesideTheOrdinaryOnes() {
    pool.wantDedicated(Map.of(LARGE, 1));
    pool.wantDedicated(Map.of(LARGE, 1));

    assertThat(yarn.asks).as("the ordinary one, and one for both calls").hasSize(2);
    assertThat(lastAsk().getCapability()).isEqualTo(Resource.newInstance(2048 + OWN, 2));
    assertThat(lastAsk().getRelaxLocality()).isTrue();

    long request = lastAsk().getAllocationRequestId();
    ContainerId ordinary = yarn.give(pool, "n1");
    ContainerId dedicated = yarn.give(pool, "n1", request);

    assertThat(yarn.started).containsExactly(ordinary, dedicated);
    assertThat(pool.dedication(ordinary.toString())).isNull();
    assertThat(pool.dedication(dedicated.toString())).isEqualTo(LARGE);
    pool.wantDedicated(Map.of(LARGE, 1));
    pool.want(1, List.of());
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void lostDedicatedWorkerIsReplacedOnlyWhileItIsWanted() {
    yarn.give(pool, "n1");
    pool.wantDedicated(Map.of(LARGE, 1));
    ContainerId dedicated = yarn.give(pool, "n1");

    pool.replace(dedicated.toString(), "killed");
    pool.want(1, List.of());

    assertThat(yarn.asks).isEmpty();
    assertThat(listener.gone).containsExactly(dedicated.toString());
    pool.wantDedicated(Map.of(LARGE, 1));
    assertThat(yarn.asks).hasSize(1);
    pool.wantDedicated(Map.of());
    assertThat(yarn.asks).as("withdrawn").isEmpty();
  }

  @Test
  void releasedDedicatedWorkerDoesNotCountAsAnOrdinaryOne() {
    yarn.give(pool, "n1");
    pool.wantDedicated(Map.of(LARGE, 1));
    ContainerId dedicated = yarn.give(pool, "n1");

    pool.release(dedicated.toString());
    pool.want(1, List.of());

    assertThat(yarn.released).containsExactly(dedicated);
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void nodesThatAreFullOfOrdinaryWorkersAreOfferedAgain() {
    yarn.asks.clear();
    ContainerPool two = unstarted(2, 2, List.of());
    two.open(yarn);
    two.start();
    yarn.give(two, "n1");
    yarn.give(two, "n1");
    yarn.give(two, "n2");
    assertThat(yarn.avoided).containsExactly("n1");

    two.wantDedicated(Map.of(LARGE, 1));

    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void containersOfAnEarlierApplicationMasterAreRecognised() {
    pool.wantDedicated(Map.of(LARGE, 1));
    Container kept = yarn.container("n1");
    kept.setPriority(lastAsk().getPriority());
    kept.setResource(Resource.newInstance(3072 + OWN, 2));

    pool.keep(List.of(kept), Set.of());

    assertThat(pool.dedication(kept.getId().toString())).isEqualTo(new ResourceNeeds(2, 3L << 30));
  }

  @Test
  void schedulerThatCountsMemoryOnlyFailsTheRun() {
    pool.countsAllResources(false);

    pool.wantDedicated(Map.of(new ResourceNeeds(1, 0, Map.of("fpga", 1L)), 1));

    assertThat(listener.hopeless)
        .singleElement()
        .satisfies(failure -> assertThat(failure.message()).contains("resource-calculator"));
  }
}
