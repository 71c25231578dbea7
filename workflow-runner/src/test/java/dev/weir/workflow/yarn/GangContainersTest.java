package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;

/** The containers of a gang begin and end together. */
class GangContainersTest extends ContainerPoolTestBase {

  private static final ResourceNeeds GANG = new ResourceNeeds(1, 1 << 30, Map.of(), 2);
  private static final ResourceNeeds PAIR = new ResourceNeeds(2, 1 << 30, Map.of(), 1);
  private static final ResourceNeeds LARGE = new ResourceNeeds(2, 1L << 31);

  private final ContainerPool pool = started();

  private ContainerPool started() {
    ContainerPool created =
        new ContainerPool(
            new ContainerPool.Spec(
                1,
                0,
                Resource.newInstance(1024, 1),
                List.of(),
                List::of,
                new ContainerPool.Dedicated(
                    needs -> (int) (needs.memoryBytes() >> 20), 0, ClusterResources.NONE)),
            listener,
            Runnable::run,
            later::add,
            clock);
    created.open(yarn);
    created.start();
    return created;
  }

  private ContainerId give(String node) {
    return yarn.give(pool, node);
  }

  /** Starts a gang; the first is the one whose worker runs the command. */
  private List<ContainerId> gang() {
    pool.wantDedicated(Map.of(GANG, 1));
    return List.of(give("n1"), give("n2"), give("n1"));
  }

  @Test
  void containersBeginWhenAllAreThere() {
    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.asks).hasSize(3);
    ContainerId first = give("n1");
    ContainerId second = give("n2");
    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.started).isEmpty();
    assertThat(yarn.asks).hasSize(1);

    ContainerId third = give("n2");

    assertThat(yarn.started).containsExactly(first, second, third);
    assertThat(pool.dedication(first.toString())).isEqualTo(GANG);
    assertThat(pool.dedication(second.toString())).isNull();
    assertThat(pool.firstOfGang(first.toString())).isEmpty();
    assertThat(pool.firstOfGang(third.toString())).isEqualTo(first.toString());
    pool.wantDedicated(Map.of(GANG, 1));
    pool.want(0, List.of());
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void gangsAreRequestedOneAfterTheOther() {
    pool.wantDedicated(Map.of(GANG, 2));
    assertThat(yarn.asks).hasSize(3);
    List.of("n1", "n1", "n2").forEach(this::give);
    assertThat(yarn.asks).isEmpty();

    pool.wantDedicated(Map.of(GANG, 2, LARGE, 1));
    assertThat(yarn.asks).as("the second gang, and another dedicated worker").hasSize(4);
    pool.wantDedicated(Map.of(GANG, 1, PAIR, 1));
    assertThat(yarn.asks).as("of the other gang").hasSize(2);
    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void aPartOfAGangIsReleasedIfTheRestDoesNotCome() {
    pool.wantDedicated(Map.of(GANG, 1));
    ContainerId first = give("n1");
    clock.advance(Duration.ofSeconds(61));

    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.released).containsExactly(first);
    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.asks).as("after a pause").isEmpty();

    clock.advance(Duration.ofSeconds(61));
    pool.wantDedicated(Map.of(GANG, 1));
    assertThat(yarn.asks).hasSize(3);
    assertThat(yarn.started).isEmpty();
  }

  @Test
  void anotherGangIsTriedAfterALateOne() {
    Map<ResourceNeeds, Integer> both = Map.of(GANG, 1, PAIR, 1);
    pool.wantDedicated(both);
    int first = yarn.asks.size();
    assertThat(first).as("the containers of one of them").isIn(2, 3);

    clock.advance(Duration.ofSeconds(61));
    pool.wantDedicated(both);
    assertThat(yarn.asks).as("of the other one").hasSize(5 - first);

    clock.advance(Duration.ofSeconds(61));
    pool.wantDedicated(both);
    assertThat(yarn.asks).hasSize(first);
  }

  @Test
  void aPartOfAGangThatIsNotWantedIsReleased() {
    pool.wantDedicated(Map.of(GANG, 1));
    ContainerId first = give("n1");

    pool.wantDedicated(Map.of());

    assertThat(yarn.released).containsExactly(first);
    assertThat(yarn.asks).isEmpty();
  }

  @Test
  void containerThatEndsBeforeTheGangBeginsIsRequestedAgain() {
    pool.wantDedicated(Map.of(GANG, 1));
    ContainerId first = give("n1");
    ContainerId second = give("n1");
    pool.onContainersCompleted(List.of(ended(first, -100, "lost")));
    assertThat(yarn.asks).hasSize(2);

    ContainerId third = give("n2");
    ContainerId last = give("n2");

    assertThat(yarn.started).containsExactly(second, third, last);
    assertThat(listener.gone).isEmpty();
  }

  @Test
  void allAreReleasedTogether() {
    List<ContainerId> gang = gang();

    pool.release(gang.get(0).toString());

    assertThat(yarn.released).containsExactlyInAnyOrderElementsOf(gang);
    pool.wantDedicated(Map.of());
    assertThat(yarn.asks).isEmpty();
    assertThat(listener.gone).isEmpty();
  }

  @Test
  void lossOfOneEndsAll() {
    for (int lost = 0; lost < 3; lost++) {
      yarn.released.clear();
      listener.gone.clear();
      List<ContainerId> gang = gang();
      pool.joined(gang.get(0).toString());

      pool.onContainersCompleted(List.of(ended(gang.get(lost), 137, "killed")));

      assertThat(yarn.released).containsAll(others(gang, lost));
      assertThat(listener.gone).containsExactly(gang.get(0).toString());
      pool.wantDedicated(Map.of());
      assertThat(pool.holds(gang.get(0).toString())).isFalse();
      assertThat(pool.holds(gang.get(2).toString())).isFalse();
    }
  }

  @Test
  void anEndOfAFurtherContainerIsThatOfTheWorker() {
    List<ContainerId> gang = gang();
    pool.onContainersCompleted(List.of(ended(gang.get(1), ContainerExitStatus.PREEMPTED, "")));
    assertThat(listener.preempted).containsExactly(gang.get(0).toString());

    List<ContainerId> next = gang();
    pool.onContainersCompleted(
        List.of(ended(next.get(2), ContainerExitStatus.KILLED_EXCEEDED_PMEM, "memory")));
    assertThat(listener.starved).hasSize(1).first().asString().startsWith(next.get(0) + " ");
    assertThat(listener.gone).containsExactly(gang.get(0).toString(), next.get(0).toString());
  }

  private static List<ContainerId> others(List<ContainerId> gang, int lost) {
    return gang.stream().filter(id -> !id.equals(gang.get(lost))).toList();
  }

  @Test
  void gangsOfAnEarlierApplicationMasterAreReleased() {
    Container kept = yarn.container("n1");
    kept.setPriority(Priority.newInstance(3));

    assertThat(pool.keep(List.of(kept), Set.of())).isEmpty();

    assertThat(yarn.released).containsExactly(kept.getId());
    assertThat(pool.holds(kept.getId().toString())).isFalse();
  }
}
