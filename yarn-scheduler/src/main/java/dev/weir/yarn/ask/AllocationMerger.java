package dev.weir.yarn.ask;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceUtils;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.PreemptionResourceRequest;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * Merges two answers of the scheduler into one, for a heartbeat whose asks went to the scheduler in
 * two parts.
 */
public final class AllocationMerger {

  private AllocationMerger() {}

  /**
   * Adds the scheduler's second answer to the response. The scheduler reports most things once, so
   * nothing may be dropped. It reports rejected constrained requests every time, so these are
   * deduplicated.
   */
  public static void add(Allocation later, AllocateResponse to) {
    to.setAllocatedContainers(both(to.getAllocatedContainers(), later.getContainers()));
    to.setNMTokens(both(to.getNMTokens(), later.getNMTokens()));
    to.setContainersFromPreviousAttempts(
        both(to.getContainersFromPreviousAttempts(), later.getPreviousAttemptContainers()));
    ApplicationMasterServiceUtils.addToUpdatedContainers(
        to, ContainerUpdateType.INCREASE_RESOURCE, later.getIncreasedContainers());
    ApplicationMasterServiceUtils.addToUpdatedContainers(
        to, ContainerUpdateType.DECREASE_RESOURCE, later.getDecreasedContainers());
    ApplicationMasterServiceUtils.addToUpdatedContainers(
        to, ContainerUpdateType.PROMOTE_EXECUTION_TYPE, later.getPromotedContainers());
    ApplicationMasterServiceUtils.addToUpdatedContainers(
        to, ContainerUpdateType.DEMOTE_EXECUTION_TYPE, later.getDemotedContainers());
    to.setRejectedSchedulingRequests(
        new ArrayList<>(
            new LinkedHashSet<>(
                both(to.getRejectedSchedulingRequests(), later.getRejectedRequest()))));
    if (later.getResourceLimit() != null) {
      to.setAvailableResources(later.getResourceLimit());
    }
    addPreemption(later, to);
  }

  private static void addPreemption(Allocation later, AllocateResponse to) {
    Set<PreemptionContainer> strict = containers(later.getStrictContainerPreemptions());
    Set<PreemptionContainer> negotiable = containers(later.getContainerPreemptions());
    if (strict.isEmpty() && negotiable.isEmpty()) {
      return;
    }
    PreemptionMessage first = to.getPreemptionMessage();
    StrictPreemptionContract strictBefore = first == null ? null : first.getStrictContract();
    if (strictBefore != null) {
      strict.addAll(strictBefore.getContainers());
    }
    List<PreemptionResourceRequest> resources = new ArrayList<>();
    PreemptionContract before = first == null ? null : first.getContract();
    if (before != null) {
      negotiable.addAll(before.getContainers());
      resources.addAll(before.getResourceRequest());
    }
    if (later.getResourcePreemptions() != null) {
      later
          .getResourcePreemptions()
          .forEach(ask -> resources.add(PreemptionResourceRequest.newInstance(ask)));
    }
    to.setPreemptionMessage(
        PreemptionMessage.newInstance(
            strict.isEmpty() ? null : StrictPreemptionContract.newInstance(strict),
            negotiable.isEmpty() ? null : PreemptionContract.newInstance(resources, negotiable)));
  }

  private static Set<PreemptionContainer> containers(@Nullable Set<ContainerId> ids) {
    Set<PreemptionContainer> containers = new HashSet<>();
    if (ids != null) {
      ids.forEach(id -> containers.add(PreemptionContainer.newInstance(id)));
    }
    return containers;
  }

  private static <T> List<T> both(@Nullable Collection<T> first, @Nullable Collection<T> then) {
    List<T> both = new ArrayList<>();
    if (first != null) {
      both.addAll(first);
    }
    if (then != null) {
      both.addAll(then);
    }
    return both;
  }
}
