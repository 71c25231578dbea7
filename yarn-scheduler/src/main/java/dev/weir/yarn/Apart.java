package dev.weir.yarn;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMServerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.jspecify.annotations.Nullable;

/**
 * Tells the scheduler of asks that cannot go with the heartbeat that they belong to. Not as a
 * second heartbeat: to the ResourceManager one says that the ApplicationMaster has got the answer
 * to the one before, so it would have NodeManagers forget containers of whose end the
 * ApplicationMaster has not heard yet. For any thread.
 */
final class Apart {
  private static final Set<RMAppAttemptState> ENDING =
      EnumSet.of(RMAppAttemptState.FINAL_SAVING, RMAppAttemptState.FINISHING);

  private final RMContext context;

  Apart(RMContext context) {
    this.context = context;
  }

  /**
   * Hands the asks to the scheduler, checked as YARN checks those of a heartbeat.
   *
   * @return what the scheduler has to tell the application, and will not tell again; null if it has
   *     not been told of the asks, which can then go with a later heartbeat
   * @throws YarnException if YARN does not allow such asks; the scheduler throws others
   */
  @Nullable Allocation send(ApplicationAttemptId attempt, List<ResourceRequest> asks)
      throws YarnException {
    RMApp app = context.getRMApps().get(attempt.getApplicationId());
    RMAppAttempt current = app == null ? null : app.getRMAppAttempt(attempt);
    if (app == null
        || current == null
        || ENDING.contains(current.getAppAttemptState())
        || app.isAppFinalStateStored()
        || isForAnother(asks)) {
      return null;
    }
    ResourceScheduler scheduler = context.getScheduler();
    label(asks, app.getApplicationSubmissionContext().getNodeLabelExpression());
    RMServerUtils.normalizeAndValidateRequests(
        asks,
        scheduler.getMaximumResourceCapability(app.getQueue()),
        app.getQueue(),
        scheduler,
        context,
        YarnConfiguration.areNodeLabelsEnabled(conf()));
    return scheduler.allocate(
        attempt,
        new ArrayList<>(asks),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new ContainerUpdates());
  }

  /** Opportunistic containers are the affair of another processor, where there is one. */
  private boolean isForAnother(List<ResourceRequest> asks) {
    return YarnConfiguration.isOpportunisticContainerAllocationEnabled(conf())
        && asks.stream().anyMatch(Apart::isOpportunistic);
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
