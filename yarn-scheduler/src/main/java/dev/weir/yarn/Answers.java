package dev.weir.yarn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.jspecify.annotations.Nullable;

/** Makes one answer of two, for a heartbeat whose asks went to the scheduler in two parts. */
final class Answers {

  private Answers() {}

  /** A heartbeat with these asks and nothing else. */
  static AllocateRequest request(AllocateRequest heartbeat, List<ResourceRequest> asks) {
    return AllocateRequest.newBuilder()
        .responseId(heartbeat.getResponseId())
        .progress(heartbeat.getProgress())
        .trackingUrl(heartbeat.getTrackingUrl())
        .askList(new ArrayList<>(asks))
        .releaseList(new ArrayList<>())
        .build();
  }

  /** Adds what was answered to the later part: what is listed there is not told again. */
  static void add(AllocateResponse later, AllocateResponse to) {
    to.setAllocatedContainers(both(to.getAllocatedContainers(), later.getAllocatedContainers()));
    to.setCompletedContainersStatuses(
        both(to.getCompletedContainersStatuses(), later.getCompletedContainersStatuses()));
    to.setNMTokens(both(to.getNMTokens(), later.getNMTokens()));
    to.setUpdatedNodes(both(to.getUpdatedNodes(), later.getUpdatedNodes()));
    to.setUpdatedContainers(both(to.getUpdatedContainers(), later.getUpdatedContainers()));
    to.setUpdateErrors(both(to.getUpdateErrors(), later.getUpdateErrors()));
    to.setContainersFromPreviousAttempts(
        both(to.getContainersFromPreviousAttempts(), later.getContainersFromPreviousAttempts()));
    to.setRejectedSchedulingRequests(
        both(to.getRejectedSchedulingRequests(), later.getRejectedSchedulingRequests()));
    if (later.getAvailableResources() != null) {
      to.setAvailableResources(later.getAvailableResources());
    }
    PreemptionMessage preempted = later.getPreemptionMessage();
    if (preempted != null) {
      to.setPreemptionMessage(both(to.getPreemptionMessage(), preempted));
    }
  }

  private static PreemptionMessage both(@Nullable PreemptionMessage first, PreemptionMessage then) {
    if (first == null) {
      return then;
    }
    return PreemptionMessage.newInstance(
        both(first.getStrictContract(), then.getStrictContract()),
        both(first.getContract(), then.getContract()));
  }

  private static @Nullable StrictPreemptionContract both(
      @Nullable StrictPreemptionContract first, @Nullable StrictPreemptionContract then) {
    if (first == null || then == null) {
      return first == null ? then : first;
    }
    return StrictPreemptionContract.newInstance(both(first.getContainers(), then.getContainers()));
  }

  private static @Nullable PreemptionContract both(
      @Nullable PreemptionContract first, @Nullable PreemptionContract then) {
    if (first == null || then == null) {
      return first == null ? then : first;
    }
    return PreemptionContract.newInstance(
        both(first.getResourceRequest(), then.getResourceRequest()),
        both(first.getContainers(), then.getContainers()));
  }

  private static <T> Set<T> both(Set<T> first, Set<T> then) {
    Set<T> all = new HashSet<>(first);
    all.addAll(then);
    return all;
  }

  private static <T> List<T> both(@Nullable List<T> first, @Nullable List<T> second) {
    List<T> all = new ArrayList<>();
    if (first != null) {
      all.addAll(first);
    }
    if (second != null) {
      all.addAll(second);
    }
    return all;
  }
}
