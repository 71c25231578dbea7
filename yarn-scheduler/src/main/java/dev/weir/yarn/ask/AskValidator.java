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
 * queues, so YARN may later refuse what it accepted before. Thread-safe.
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

  /** The parts of an ask that the checks depend on. */
  private record AskKind(boolean any, ContainerRequirement requirement) {

    static AskKind of(ResourceRequest ask) {
      return new AskKind(
          ResourceRequest.isAnyLocation(ask.getResourceName()), ContainerRequirement.of(ask));
    }
  }

  /** The asks that would make YARN refuse a heartbeat; null if there are none. Changes nothing. */
  @Nullable Refusal refusal(RMApp app, List<ResourceRequest> asks) {
    // There may be thousands of asks, but few kinds of them.
    Map<AskKind, ResourceRequest> kinds = new HashMap<>();
    for (ResourceRequest ask : asks) {
      if (!isHandledElsewhere(ask)) {
        kinds.putIfAbsent(AskKind.of(ask), ask);
      }
    }
    if (kinds.isEmpty() || reason(app, kinds.values()) == null) {
      return null;
    }
    Set<AskKind> refused = new HashSet<>();
    YarnException why = null;
    for (Map.Entry<AskKind, ResourceRequest> kind : kinds.entrySet()) {
      YarnException reason = reason(app, List.of(kind.getValue()));
      if (reason != null) {
        refused.add(kind.getKey());
        why = reason;
      }
    }
    return why == null
        ? null
        : new Refusal(
            asks.stream()
                .filter(ask -> !isHandledElsewhere(ask) && refused.contains(AskKind.of(ask)))
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
  private void check(RMApp app, List<ResourceRequest> asks) throws YarnException {
    ResourceScheduler scheduler = context.getScheduler();
    applyLabel(asks, app.getApplicationSubmissionContext().getNodeLabelExpression());
    RMServerUtils.normalizeAndValidateRequests(
        asks,
        scheduler.getMaximumResourceCapability(app.getQueue()),
        app.getQueue(),
        scheduler,
        context,
        YarnConfiguration.areNodeLabelsEnabled(conf()));
  }

  /** Whether another processor handles the ask: opportunistic containers may have their own. */
  private boolean isHandledElsewhere(ResourceRequest ask) {
    return isOpportunistic(ask)
        && YarnConfiguration.isOpportunisticContainerAllocationEnabled(conf());
  }

  static boolean isOpportunistic(ResourceRequest ask) {
    ExecutionTypeRequest type = ask.getExecutionTypeRequest();
    return type != null && type.getExecutionType() == ExecutionType.OPPORTUNISTIC;
  }

  private void applyLabel(List<ResourceRequest> asks, @Nullable String applicationLabel) {
    Set<String> enforced = YarnConfiguration.getExclusiveEnforcedPartitions(conf());
    for (ResourceRequest ask : asks) {
      if (ResourceRequest.isAnyLocation(ask.getResourceName())) {
        if (ask.getNodeLabelExpression() == null) {
          ask.setNodeLabelExpression(applicationLabel);
        }
        SchedulerUtils.enforcePartitionExclusivity(ask, enforced, applicationLabel);
      }
    }
  }

  private Configuration conf() {
    return context.getYarnConfiguration();
  }
}
