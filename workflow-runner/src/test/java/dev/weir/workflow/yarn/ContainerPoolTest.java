package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.junit.jupiter.api.Test;

/** Tests how many containers are requested, and on which nodes. */
class ContainerPoolTest extends ContainerPoolTestBase {

  @Test
  void requestsEachWorkerAndNamesTheFilesOfTheFirst() {
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
  void startsAllocatedContainersAndRemovesTheirRequests() {
    ContainerPool pool = pool(2, List.of());

    ContainerId first = yarn.give(pool, "n1");
    ContainerId second = yarn.give(pool, "n2");

    assertThat(yarn.started).containsExactly(first, second);
    assertThat(yarn.asks).isEmpty();
    assertThat(yarn.released).isEmpty();
  }

  @Test
  void nodeWithItsShareOfWorkersIsAvoided() {
    ContainerPool pool = pool(2, List.of());
    yarn.give(pool, "n1");

    ContainerId tooMuch = yarn.give(pool, "n1");

    assertThat(yarn.released).containsExactly(tooMuch);
    assertThat(yarn.avoided).containsExactly("n1");
    assertThat(yarn.asks).hasSize(1);
  }

  @Test
  void moreWorkersThanNodesAreSpreadEvenly() {
    ContainerPool pool = pool(3, List.of());

    yarn.give(pool, "n1");
    yarn.give(pool, "n1");

    assertThat(yarn.started).hasSize(2);
  }

  @Test
  void nodeIsUsedAgainWhenItsWorkerEndsOrTheClusterChanges() {
    ContainerPool pool = pool(2, List.of());
    ContainerId first = yarn.give(pool, "n1");
    yarn.give(pool, "n1");
    pool.replace(first.toString(), "killed");
    assertThat(yarn.avoided).isEmpty();

    yarn.give(pool, "n1");
    yarn.give(pool, "n1");
    assertThat(yarn.avoided).containsExactly("n1");
    pool.onNodesUpdated(List.of());
    assertThat(yarn.avoided).isEmpty();
  }

  @Test
  void movedRequestKeepsItsFiles() {
    ContainerPool pool = pool(2, List.of(List.of("weir:%2Fa"), List.of("weir:%2Fb")));
    yarn.give(pool, "n1");
    yarn.give(pool, "n1");

    assertThat(yarn.avoided).containsExactly("n1");
    assertThat(yarn.asks)
        .singleElement()
        .satisfies(ask -> assertThat(ask.getNodes()).containsExactly("weir:%2Fb"));
  }

  @Test
  void growsWithDemandAndNamesFiles() {
    ContainerPool pool = unstarted(4, 0, List.of());
    pool.open(yarn);
    pool.start();
    assertThat(yarn.asks).isEmpty();

    pool.want(2, List.of(List.of("weir:/a")));
    pool.want(2, List.of(List.of("weir:/a")));

    assertThat(yarn.asks)
        .extracting(ContainerRequest::getNodes)
        .containsExactly(List.of("weir:/a"), null);
    yarn.give(pool, "n1");
    pool.want(1, List.of());
    assertThat(yarn.asks).as("the request may still be allocated").hasSize(1);
    pool.want(0, List.of());
    assertThat(yarn.asks).as("it is not needed").isEmpty();
  }
}
