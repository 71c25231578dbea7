package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ContainerRequirement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMServerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.jspecify.annotations.Nullable;

/**
 * Applies YARN's own checks of a heartbeat to asks. The checks depend on the current nodes and
 * queues, so YARN may refuse later what it once allowed. Thread-safe.
 */
public final class AskValidator {

  private final RMContext context;

  public AskValidator(RMContext context) {
    this.context = context;
  }

  /** The keys that YARN would refuse, and its reason for one of them. */
  record Refusal(Set<AskKey> keys, YarnException reason) {

    Refusal {
      keys = Set.copyOf(keys);
    }
  }

  /** Everything in an ask that the checks depend on. */
  private record Sort(boolean any, ContainerRequirement need) {

    static Sort of(ResourceRequest ask) {
      return new Sort(
          ResourceRequest.isAnyLocation(ask.getResourceName()), ContainerRequirement.of(ask));
    }
  }

  /** The asks that would make YARN refuse a heartbeat; null if there are none. Changes nothing. */
  @Nullable Refusal refusal(RMApp app, List<ResourceRequest> asks) {
    // There may be thousands of asks, but few kinds of them.
    Map<Sort, ResourceRequest> sorts = new HashMap<>();
    for (ResourceRequest ask : asks) {
      if (!isForAnother(ask)) {
        sorts.putIfAbsent(Sort.of(ask), ask);
      }
    }
    if (sorts.isEmpty() || reason(app, sorts.values()) == null) {
      return null;
    }
    Set<Sort> refused = new HashSet<>();
    YarnException why = null;
    for (Map.Entry<Sort, ResourceRequest> sort : sorts.entrySet()) {
      YarnException reason = reason(app, List.of(sort.getValue()));
      if (reason != null) {
        refused.add(sort.getKey());
        why = reason;
      }
    }
    return why == null
        ? null
        : new Refusal(
            asks.stream()
                .filter(ask -> !isForAnother(ask) && refused.contains(Sort.of(ask)))
                .map(AskKey::of)
                .collect(Collectors.toSet()),
            why);
  }

  private @Nullable YarnException reason(RMApp app, Collection<ResourceRequest> asks) {
    try {
      check(app, asks.stream().map(ResourceRequest::clone).toList());
      return null;
    } catch (YarnException e) {
      return e;
    }
  }

  /**
   * Completes the asks as YARN does, and checks them.
   *
   * @throws YarnException if YARN does not allow one of them
   */
  void check(RMApp app, List<ResourceRequest> asks) throws YarnException {
    ResourceScheduler scheduler = context.getScheduler();
    label(asks, app.getApplicationSubmissionContext().getNodeLabelExpression());
    RMServerUtils.normalizeAndValidateRequests(
        asks,
        scheduler.getMaximumResourceCapability(app.getQueue()),
        app.getQueue(),
        scheduler,
        context,
        YarnConfiguration.areNodeLabelsEnabled(conf()));
  }

  /** Whether another processor handles the ask: opportunistic containers may have their own. */
  boolean isForAnother(ResourceRequest ask) {
    return isOpportunistic(ask)
        && YarnConfiguration.isOpportunisticContainerAllocationEnabled(conf());
  }

  static boolean isOpportunistic(ResourceRequest ask) {
    ExecutionTypeRequest type = ask.getExecutionTypeRequest();
    return type != null && type.getExecutionType() == ExecutionType.OPPORTUNISTIC;
  }

  private void label(List<ResourceRequest> asks, @Nullable String ofApplication) {
    Set<String> enforced = YarnConfiguration.getExclusiveEnforcedPartitions(conf());
    for (ResourceRequest ask : asks) {
      if (ResourceRequest.isAnyLocation(ask.getResourceName())) {
        if (ask.getNodeLabelExpression() == null) {
          ask.setNodeLabelExpression(ofApplication);
        }
        SchedulerUtils.enforcePartitionExclusivity(ask, enforced, ofApplication);
      }
    }
  }

  private Configuration conf() {
    return context.getYarnConfiguration();
  }
}
