package dev.weir.yarn.ask;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.jspecify.annotations.Nullable;

/**
 * Passes asks to the scheduler outside of the heartbeat that they belong to. This is not a second
 * heartbeat: a heartbeat acknowledges the previous response, and NodeManagers then drop finished
 * containers that the ApplicationMaster has not received yet. Thread-safe.
 */
public final class DirectAllocation {
  private static final Set<RMAppAttemptState> ENDING =
      EnumSet.of(RMAppAttemptState.FINAL_SAVING, RMAppAttemptState.FINISHING);

  private final RMContext context;
  private final AskValidator validator;

  public DirectAllocation(RMContext context, AskValidator validator) {
    this.context = context;
    this.validator = validator;
  }

  /**
   * Validates the asks as YARN validates those of a heartbeat, and hands them to the scheduler.
   *
   * @return what the scheduler reports to the application, once; null if the scheduler has not
   *     received the asks, which can then go with a later heartbeat
   * @throws YarnException if YARN does not allow the asks; the scheduler throws others
   */
  @Nullable public Allocation send(ApplicationAttemptId attempt, List<ResourceRequest> asks)
      throws YarnException {
    RMApp app = context.getRMApps().get(attempt.getApplicationId());
    RMAppAttempt current = app == null ? null : app.getRMAppAttempt(attempt);
    if (app == null
        || current == null
        || ENDING.contains(current.getAppAttemptState())
        || app.isAppFinalStateStored()
        || asks.stream().anyMatch(validator::isHandledElsewhere)) {
      return null;
    }
    validator.check(app, asks);
    return context
        .getScheduler()
        .allocate(
            attempt,
            new ArrayList<>(asks),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            new ContainerUpdates());
  }
}
