package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.PreemptionResourceRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.RejectedSchedulingRequest;
import org.apache.hadoop.yarn.api.records.RejectionReason;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class AllocationMergerTest {

  @Test
  void nothingThatTheSchedulerReportsOnceIsLost() {
    AllocateResponse answer = Records.newRecord(AllocateResponse.class);
    answer.setAllocatedContainers(List.of(container(1)));
    answer.setPreemptionMessage(
        PreemptionMessage.newInstance(
            null,
            PreemptionContract.newInstance(
                List.of(PreemptionResourceRequest.newInstance(ask())),
                Set.of(PreemptionContainer.newInstance(id(8))))));

    AllocationMerger.add(
        new Allocation(
            List.of(container(2)),
            Resource.newInstance(7, 7),
            Set.of(),
            Set.of(id(9)),
            List.of(ask()),
            List.of(),
            List.of(container(3)),
            List.of(),
            List.of(),
            List.of(),
            List.of(container(4)),
            List.of()),
        answer);

    assertThat(answer.getAllocatedContainers()).containsExactly(container(1), container(2));
    assertThat(answer.getUpdatedContainers())
        .singleElement()
        .satisfies(updated -> assertThat(updated.getContainer()).isEqualTo(container(3)));
    assertThat(answer.getContainersFromPreviousAttempts()).containsExactly(container(4));
    assertThat(answer.getAvailableResources()).isEqualTo(Resource.newInstance(7, 7));
    assertThat(answer.getPreemptionMessage().getContract().getContainers())
        .extracting(PreemptionContainer::getId)
        .containsExactlyInAnyOrder(id(8), id(9));
    assertThat(answer.getPreemptionMessage().getContract().getResourceRequest()).hasSize(2);
    assertThat(answer.getPreemptionMessage().getStrictContract()).isNull();
  }

  @Test
  void rejectedRequestsAreReportedOnce() {
    AllocateResponse answer = Records.newRecord(AllocateResponse.class);
    answer.setRejectedSchedulingRequests(new ArrayList<>(List.of(rejected(1))));

    AllocationMerger.add(
        new Allocation(
            List.of(),
            Resource.newInstance(7, 7),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(rejected(1), rejected(2))),
        answer);

    assertThat(answer.getRejectedSchedulingRequests())
        .extracting(rejected -> rejected.getRequest().getAllocationRequestId())
        .containsExactly(1L, 2L);
  }

  private static RejectedSchedulingRequest rejected(long id) {
    return RejectedSchedulingRequest.newInstance(
        RejectionReason.COULD_NOT_SCHEDULE_ON_NODE,
        SchedulingRequest.newBuilder()
            .priority(Priority.newInstance(1))
            .allocationRequestId(id)
            .build());
  }

  private static ResourceRequest ask() {
    return ResourceRequest.newInstance(Priority.newInstance(1), "*", Resource.newInstance(1, 1), 1);
  }

  private static ContainerId id(long number) {
    return ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
  }

  private static Container container(long number) {
    Container container = Records.newRecord(Container.class);
    container.setId(id(number));
    return container;
  }
}
