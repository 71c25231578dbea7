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
 * Tells the scheduler of asks that cannot go with the heartbeat that they belong to. Not as a
 * second heartbeat: to the ResourceManager one says that the ApplicationMaster has got the answer
 * to the one before, so it would have NodeManagers forget containers of whose end the
 * ApplicationMaster has not heard yet. For any thread.
 */
public final class DirectAllocation {
  private static final Set<RMAppAttemptState> ENDING =
      EnumSet.of(RMAppAttemptState.FINAL_SAVING, RMAppAttemptState.FINISHING);

  private final RMContext context;
  private final AskValidator rules;

  public DirectAllocation(RMContext context, AskValidator rules) {
    this.context = context;
    this.rules = rules;
  }

  /**
   * Hands the asks to the scheduler, checked as YARN checks those of a heartbeat.
   *
   * @return what the scheduler has to tell the application, and will not tell again; null if it has
   *     not been told of the asks, which can then go with a later heartbeat
   * @throws YarnException if YARN does not allow such asks; the scheduler throws others
   */
  @Nullable
  public Allocation send(ApplicationAttemptId attempt, List<ResourceRequest> asks)
      throws YarnException {
    RMApp app = context.getRMApps().get(attempt.getApplicationId());
    RMAppAttempt current = app == null ? null : app.getRMAppAttempt(attempt);
    if (app == null
        || current == null
        || ENDING.contains(current.getAppAttemptState())
        || app.isAppFinalStateStored()
        || asks.stream().anyMatch(rules::isForAnother)) {
      return null;
    }
    rules.check(app, asks);
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
