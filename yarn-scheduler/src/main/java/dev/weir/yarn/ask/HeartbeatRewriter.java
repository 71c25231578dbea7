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

/** Puts plans into heartbeats and remembers them. Safe for any thread; never waits. */
public final class HeartbeatRewriter {

  private static final long RELAX_EVERY_MILLIS = 5_000;

  private final RMContext context;
  private final PluginContext plugin;
  private final ApplicationRegistry apps;
  private final AskValidator rules;

  /** Latched by the first application that names files: until then nothing is learned. */
  private volatile boolean learning;

  public HeartbeatRewriter(
      RMContext context, PluginContext plugin, ApplicationRegistry apps, AskValidator rules) {
    this.context = context;
    this.plugin = plugin;
    this.apps = apps;
    this.rules = rules;
  }

  /**
   * A heartbeat on its way to the scheduler.
   *
   * @param places what was found out for it, null if nothing was
   * @param separateAsks asks that must go to the scheduler by themselves, after the heartbeat
   * @param refusal why something of what was kept back is left out of the plan, null if nothing is
   */
  public record InFlight(
      ApplicationAsks app,
      ApplicationAsks.Plan plan,
      @Nullable ApplicationPlaces places,
      List<ResourceRequest> separateAsks,
      @Nullable YarnException refusal) {}

  /**
   * Rewrites the asks of a heartbeat where they name files; null, and the request untouched, for an
   * application that names none.
   */
  @Nullable
  public InFlight rewrite(ApplicationAttemptId attempt, AllocateRequest request) {
    if (!plugin.settings().namesNodes()) {
      strip(request);
      return null;
    }
    long now = plugin.clock().getAsLong();
    RMApp rmApp = context.getRMApps().get(attempt.getApplicationId());
    ApplicationAsks app = apps.find(attempt, now);
    if (app == null && request.getAskList().isEmpty()) {
      return null;
    }
    // They are not changed once an application is submitted.
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
    boolean constrained = asks.isEmpty() && carriesConstraints(request);
    if (constrained && !app.holdsSince(now, plugin.settings().holdMillis())) {
      return new InFlight(app, ApplicationAsks.Plan.NOTHING, null, List.of(), null);
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
    if (constrained) {
      plan = plan.withoutHeartbeat();
    }
    List<ResourceRequest> planned = plan.asks() == null ? List.of() : plan.asks();
    // The last thing that can fail: giving up needs the asks as they came.
    if (plan.asks() != null && !constrained) {
      request.setAskList(new ArrayList<>(planned));
    }
    return new InFlight(
        app,
        plan,
        places,
        constrained ? planned : List.of(),
        refusal == null ? null : refusal.reason());
  }

  /**
   * What YARN accepted when the ApplicationMaster asked for it, and will not have now: the only
   * node that is large enough has been lost, or the queue has changed. Without us such an ask would
   * be pending. So it fails no heartbeat, and is planned again with the next.
   */
  private AskValidator.@Nullable Refusal refusal(@Nullable RMApp app, ApplicationAsks.Plan plan) {
    return app == null || plan.asks() == null || plan.late().isEmpty()
        ? null
        : rules.refusal(app, plan.lateAsks());
  }

  /** Null where no files are named, or where they are left out for want of room. */
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
      learning = true;
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

  /** The scheduler has taken the heartbeat, but not what was to go to it apart. */
  public void count(InFlight inFlight, AllocateResponse response) {
    inFlight.app().countContainers(response.getAllocatedContainers(), plugin.cluster()::rackOf);
  }

  /** The scheduler has taken the heartbeat. */
  public void commit(InFlight inFlight, AllocateResponse response) {
    ApplicationAsks app = inFlight.app();
    try {
      count(inFlight, response);
    } finally {
      // What was told to the scheduler must be remembered, or what is held back would be lost.
      app.commit(inFlight.plan());
    }
    ApplicationPlaces places = inFlight.places();
    boolean news = places != null && app.note(inFlight.plan(), places);
    // What is refused comes first, and is told of by the caller. YARN takes all of it away in a
    // thread of its own after an ApplicationMaster has registered and may have asked, so it is told
    // of for as long as it is true.
    if ((news || app.hasProblems()) && inFlight.refusal() == null) {
      ApplicationDiagnostics.tell(context, app.attempt(), app.problems());
    }
    if (app.isEmpty()) {
      apps.forget(app.attempt().getApplicationId());
    }
  }

  /** Learns from any heartbeat how long containers run, once there is somebody to use it. */
  public void learn(AllocateResponse response) {
    if (!learning) {
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
   * What to do when the plan failed: the asks without names of files, and what a hold had kept
   * back; the application starts anew.
   */
  public void giveUp(ApplicationAttemptId attempt, AllocateRequest request) {
    List<ResourceRequest> asks = withoutFiles(request.getAskList());
    ApplicationAsks app = apps.find(attempt, plugin.clock().getAsLong());
    if (app != null) {
      Set<AskKey> told = new HashSet<>();
      asks.stream()
          .filter(ask -> ResourceRequest.isAnyLocation(ask.getResourceName()))
          .forEach(ask -> told.add(AskKey.of(ask)));
      app.held().stream().filter(ask -> !told.contains(AskKey.of(ask))).forEach(asks::add);
      apps.forget(attempt.getApplicationId());
    }
    request.setAskList(asks);
  }

  void forget(ApplicationId id) {
    apps.forget(id);
  }

  /** What had been kept back is not taken: nothing comes for it until it is. */
  public void tellRefused(ApplicationAttemptId attempt, Throwable why) {
    ApplicationDiagnostics.tellRefused(context, attempt, String.valueOf(why.getMessage()));
  }

  /** The application ends: what was said of its files is not to stand for how it ended. */
  public void end(ApplicationAttemptId attempt) {
    forget(attempt.getApplicationId());
    ApplicationDiagnostics.tell(context, attempt, "");
  }

  /**
   * The scheduler copies an ask when it gives a container, and restores the copy if the container
   * is lost before its ApplicationMaster hears of it. The copy of a {@link WaitingRequest} is not
   * patient but strict where it was strict itself, and would wait for a lost node for ever. Where
   * the allocator keeps the wait none is strict.
   */
  private void relaxScheduledCopies(ApplicationAsks app, long now) {
    if (!app.strict()) {
      return;
    }
    Set<AskKey> keys = app.expiredWaits(now);
    if (keys.isEmpty() || !app.mayRelax(now, RELAX_EVERY_MILLIS)) {
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

  /** Leaves only what stock YARN understands; the request is untouched if that is all of it. */
  public static void strip(AllocateRequest request) {
    if (request.getAskList().stream().anyMatch(HeartbeatRewriter::namesFiles)) {
      request.setAskList(withoutFiles(request.getAskList()));
    }
  }

  /**
   * The Capacity scheduler drops the constrained requests of a heartbeat that changes an ask for
   * any node too (seen in 3.5.0). What we have to say can wait for the next heartbeat, and goes by
   * itself when there is no end of them.
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
