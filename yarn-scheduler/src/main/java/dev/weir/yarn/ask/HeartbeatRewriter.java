package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ContainerRunTimes;
import dev.weir.yarn.cluster.EligibleNodes;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.WaitingRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the asks of heartbeats by a plan, and applies the plan once the scheduler has accepted
 * them. Thread-safe; never blocks.
 */
public final class HeartbeatRewriter {

  private static final long RELAX_EVERY_MILLIS = 5_000;

  private final RMContext context;
  private final PluginContext plugin;
  private final ApplicationRegistry apps;
  private final AskValidator validator;

  /** Set by the first application that names files. Before that, no run times are recorded. */
  private volatile boolean recordsRunTimes;

  public HeartbeatRewriter(
      RMContext context, PluginContext plugin, ApplicationRegistry apps, AskValidator validator) {
    this.context = context;
    this.plugin = plugin;
    this.apps = apps;
    this.validator = validator;
  }

  /**
   * A heartbeat that has not reached the scheduler yet.
   *
   * @param places the lookups and problems of this heartbeat; null if there were none
   * @param refusal why YARN would refuse some held asks, which the plan leaves out; null if it
   *     refuses none
   */
  public record InFlight(
      ApplicationAsks app,
      ApplicationAsks.Plan plan,
      @Nullable ApplicationPlaces places,
      @Nullable YarnException refusal) {}

  /**
   * Rewrites the asks of a heartbeat that name files. Returns null and leaves the request unchanged
   * for an application that names none.
   */
  @Nullable public InFlight rewrite(ApplicationAttemptId attempt, AllocateRequest request) {
    if (!plugin.settings().namesNodes()) {
      removeFileNames(request);
      return null;
    }
    long now = plugin.clock().getAsLong();
    RMApp rmApp = context.getRMApps().get(attempt.getApplicationId());
    ApplicationAsks app = apps.find(attempt, now);
    if (app == null && request.getAskList().isEmpty()) {
      return null;
    }
    // The inputs of an application do not change after its submission.
    String inputs = app == null ? ApplicationInputs.of(rmApp) : app.inputs();
    List<ResourceRequest> asks = withInputs(request.getAskList(), inputs);
    if (app != null) {
      relaxScheduledCopies(app, now);
    } else {
      app = begin(attempt, request, asks, now);
      if (app == null) {
        return null;
      }
      app.inputs(inputs);
    }
    if (asks.isEmpty() && carriesConstraints(request)) {
      return new InFlight(app, ApplicationAsks.Plan.NOTHING, null, null);
    }
    ApplicationPlaces places =
        new ApplicationPlaces(
            plugin,
            new ApplicationPlaces.Application(
                rmApp == null ? null : rmApp.getUser(),
                inputs,
                new EligibleNodes(context, attempt, request.getResourceBlacklistRequest())));
    ApplicationAsks.Plan plan =
        app.plan(asks, new PlanningContext(now, plugin.cluster().view(), places));
    AskValidator.Refusal refusal = refusal(rmApp, plan);
    if (refusal != null) {
      plan = plan.without(refusal.keys());
    }
    // Must be the last step that can fail: passWithoutFiles needs the asks as they arrived.
    if (plan.asks() != null) {
      request.setAskList(new ArrayList<>(plan.asks()));
    }
    return new InFlight(app, plan, places, refusal == null ? null : refusal.reason());
  }

  /**
   * YARN may refuse now what it accepted when the ApplicationMaster asked: the only node that is
   * large enough may have been lost, or the queue may have changed. Without Weir such an ask would
   * stay pending, so it must not fail a heartbeat. It is planned again with the next one.
   */
  private AskValidator.@Nullable Refusal refusal(@Nullable RMApp app, ApplicationAsks.Plan plan) {
    return app == null || plan.asks() == null || plan.late().isEmpty()
        ? null
        : validator.refusal(app, plan.lateAsks());
  }

  /** Null if no files are named, or if the registry is full and the names are removed. */
  private @Nullable ApplicationAsks begin(
      ApplicationAttemptId attempt,
      AllocateRequest request,
      List<ResourceRequest> asks,
      long nowMillis) {
    if (asks.stream().noneMatch(HeartbeatRewriter::namesFiles)) {
      return null;
    }
    ApplicationAsks app = apps.begin(attempt, nowMillis);
    if (app == null) {
      request.setAskList(withoutFiles(asks));
    } else {
      recordsRunTimes = true;
    }
    return app;
  }

  private List<ResourceRequest> withInputs(List<ResourceRequest> asks, @Nullable String inputs) {
    if (inputs == null || asks.isEmpty()) {
      return asks;
    }
    List<ResourceRequest> all = ApplicationInputs.addTo(asks, inputs);
    plugin.metrics().count(AskMetrics.Event.ASKS_WITH_INPUTS, all.size() - asks.size());
    return all;
  }

  /** Applies the plan of a heartbeat that the scheduler has accepted. */
  public void commit(InFlight inFlight, AllocateResponse response) {
    ApplicationAsks app = inFlight.app();
    try {
      app.countContainers(response.getAllocatedContainers(), plugin.cluster()::rackOf);
    } finally {
      // The state must match what the scheduler received; otherwise held asks would be lost.
      app.commit(inFlight.plan());
    }
    ApplicationPlaces places = inFlight.places();
    boolean changed = places != null && app.recordProblems(inFlight.plan(), places);
    // A refusal is reported by the caller instead. YARN clears the diagnostics asynchronously after
    // an ApplicationMaster has registered, so they are set again as long as there are problems.
    if ((changed || app.hasProblems()) && inFlight.refusal() == null) {
      ApplicationDiagnostics.report(context, app.attempt(), app.problems());
    }
    if (app.isEmpty()) {
      apps.forget(app.attempt().getApplicationId());
    }
  }

  /** Records how long containers run, once an application has named files. */
  public void recordRunTimes(AllocateResponse response) {
    if (!recordsRunTimes) {
      return;
    }
    long now = plugin.clock().getAsLong();
    ContainerRunTimes runTimes = plugin.runTimes();
    response
        .getAllocatedContainers()
        .forEach(given -> runTimes.started(given.getId(), given.getPriority().getPriority(), now));
    response
        .getCompletedContainersStatuses()
        .forEach(status -> runTimes.ended(status.getContainerId(), now));
  }

  /**
   * Prepares the request after the plan has failed: removes names of files and adds asks that were
   * held. The application's state is dropped.
   */
  public void passWithoutFiles(ApplicationAttemptId attempt, AllocateRequest request) {
    List<ResourceRequest> asks = withoutFiles(request.getAskList());
    ApplicationAsks app = apps.find(attempt, plugin.clock().getAsLong());
    if (app != null) {
      Set<AskKey> sentKeys = new HashSet<>();
      asks.stream()
          .filter(ask -> ResourceRequest.isAnyLocation(ask.getResourceName()))
          .forEach(ask -> sentKeys.add(AskKey.of(ask)));
      app.held().stream().filter(ask -> !sentKeys.contains(AskKey.of(ask))).forEach(asks::add);
      apps.forget(attempt.getApplicationId());
    }
    request.setAskList(asks);
  }

  void forget(ApplicationId id) {
    apps.forget(id);
  }

  /**
   * Reports to the user that YARN refuses held asks. YARN allocates no containers for them
   * meanwhile.
   */
  public void reportRefusal(ApplicationAttemptId attempt, Throwable why) {
    ApplicationDiagnostics.reportRefusal(context, attempt, String.valueOf(why.getMessage()));
  }

  /**
   * Removes an ending application and clears its diagnostics, which YARN would otherwise show as
   * the reason of its end.
   */
  public void end(ApplicationAttemptId attempt) {
    forget(attempt.getApplicationId());
    ApplicationDiagnostics.report(context, attempt, "");
  }

  /**
   * The scheduler copies an ask when it allocates a container, and restores the copy if the
   * container is lost before the ApplicationMaster receives it. The copy of a strict {@link
   * WaitingRequest} stays strict and would wait for a lost node forever, so it is relaxed here.
   * With Weir's allocator no ask is strict.
   */
  private void relaxScheduledCopies(ApplicationAsks app, long now) {
    if (!app.strict()) {
      return;
    }
    Set<AskKey> keys = app.expiredWaits(now);
    if (keys.isEmpty() || !app.isRelaxDue(now, RELAX_EVERY_MILLIS)) {
      return;
    }
    List<ResourceRequest> pending =
        context.getScheduler().getPendingResourceRequestsForAttempt(app.attempt());
    if (pending == null) {
      return;
    }
    for (ResourceRequest ask : pending) {
      if (!(ask instanceof WaitingRequest) && keys.contains(AskKey.of(ask))) {
        // The scheduler changes the count under this lock.
        synchronized (ask) {
          if (!ask.getRelaxLocality()) {
            ask.setRelaxLocality(true);
          }
        }
      }
    }
  }

  /**
   * Removes names of files, which stock YARN does not understand. The request is unchanged if it
   * has none.
   */
  public static void removeFileNames(AllocateRequest request) {
    if (request.getAskList().stream().anyMatch(HeartbeatRewriter::namesFiles)) {
      request.setAskList(withoutFiles(request.getAskList()));
    }
  }

  /**
   * The Capacity scheduler drops the constrained requests of a heartbeat that also changes an ask
   * for any node (seen in 3.5.0). So Weir's asks wait for a heartbeat without constrained requests.
   */
  private static boolean carriesConstraints(AllocateRequest request) {
    List<SchedulingRequest> constrained = request.getSchedulingRequests();
    return constrained != null && !constrained.isEmpty();
  }

  private static boolean namesFiles(ResourceRequest ask) {
    return FilesResourceName.is(ask.getResourceName());
  }

  private static List<ResourceRequest> withoutFiles(List<ResourceRequest> asks) {
    List<ResourceRequest> rest = new ArrayList<>(asks);
    rest.removeIf(HeartbeatRewriter::namesFiles);
    return rest;
  }
}
