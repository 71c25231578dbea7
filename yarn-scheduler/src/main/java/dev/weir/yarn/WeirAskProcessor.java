package dev.weir.yarn;

import dev.weir.yarn.allocator.AllocatorSelection;
import dev.weir.yarn.ask.AllocationMerger;
import dev.weir.yarn.ask.ApplicationAsks;
import dev.weir.yarn.ask.ApplicationRegistry;
import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.ask.AskValidator;
import dev.weir.yarn.ask.AskWriter;
import dev.weir.yarn.ask.DirectAllocation;
import dev.weir.yarn.ask.HeartbeatRewriter;
import dev.weir.yarn.ask.KeyPlanner;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.ContainerRunTimes;
import dev.weir.yarn.cluster.RmCluster;
import dev.weir.yarn.lookup.ChangePoller;
import dev.weir.yarn.lookup.ChangeSource;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.lookup.LocationLookup;
import dev.weir.yarn.lookup.LocationLookupFactory;
import dev.weir.yarn.lookup.LookupThreads;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.LogLimiter;
import dev.weir.yarn.wait.HeadroomReservations;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceContext;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an ApplicationMaster name files instead of hosts: before the scheduler sees an ask with the
 * resource name {@code weir:/path[,/path...]}, it becomes asks for the nodes that hold most of
 * those bytes, and their racks. Set as {@code
 * yarn.resourcemanager.application-master-service.processors}.
 *
 * <p>Asks that name no files pass unchanged, as the same object. Nothing here blocks, and no error
 * of this class fails a heartbeat; the asks then go on without the names of files. An instance
 * lives as long as a ResourceManager is active. Its methods are called by many threads, but by one
 * at a time for each application attempt.
 */
public final class WeirAskProcessor implements ApplicationMasterServiceProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(WeirAskProcessor.class);
  private static final Set<RMAppState> OVER =
      Set.of(RMAppState.FINISHED, RMAppState.FAILED, RMAppState.KILLED);

  private final Environment environment;
  private @Nullable ApplicationMasterServiceProcessor next;
  private @Nullable HeartbeatRewriter rewriter;
  private @Nullable AskMetrics metrics;
  private @Nullable DirectAllocation direct;
  private final LogLimiter failureLog = new LogLimiter();
  private final LogLimiter refusalLog = new LogLimiter();

  /**
   * External dependencies besides the ResourceManager.
   *
   * @param clock monotonic milliseconds ≥ 0
   * @param wallClock milliseconds since 1970
   */
  record Environment(
      Function<Configuration, LocationLookup> lookup,
      Executor executor,
      LongSupplier clock,
      LongSupplier wallClock) {

    Environment(
        Function<Configuration, LocationLookup> lookup, Executor executor, LongSupplier clock) {
      this(lookup, executor, clock, System::currentTimeMillis);
    }

    static Environment real() {
      long start = System.nanoTime();
      LongSupplier clock = () -> (System.nanoTime() - start) / 1_000_000;
      return new Environment(
          conf -> LocationLookupFactory.from(conf, clock), LookupThreads.create(), clock);
    }
  }

  /** Called by the ResourceManager, which creates the configured processors. */
  public WeirAskProcessor() {
    this(Environment.real());
  }

  WeirAskProcessor(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void init(
      ApplicationMasterServiceContext amsContext, ApplicationMasterServiceProcessor nextProcessor) {
    next = nextProcessor;
    try {
      start((RMContext) amsContext);
    } catch (RuntimeException | Error e) {
      LOG.error("Names of files in asks will be ignored", e);
    }
  }

  private void start(RMContext context) {
    Configuration conf = context.getYarnConfiguration();
    LongSupplier clock = environment.clock();
    AskSettings settings = AskSettings.from(conf);
    AskMetrics counters = new AskMetrics();
    LocationLookup lookup = environment.lookup().apply(conf);
    runInBackground(
        "weir-location-open",
        () -> {
          lookup.prepare();
          return true;
        });
    LocationCache locations =
        new LocationCache(
            lookup, environment.executor(), clock, counters, LocationCache.MAX_WEIGHT);
    closeWithService(
        context.getApplicationMasterService(), locations, lookup, follow(lookup, locations));
    ContainerRunTimes runTimes = new ContainerRunTimes();
    RmCluster cluster = new RmCluster(context, clock, environment.wallClock(), runTimes);
    PluginContext plugin =
        new PluginContext(
            settings,
            locations,
            cluster,
            runTimes,
            counters,
            clock,
            environment.executor(),
            new HeadroomReservations(environment.executor()));
    KeyPlanner strict = new KeyPlanner(settings, new AskWriter(clock, true));
    KeyPlanner relaxed = new KeyPlanner(settings, new AskWriter(clock, false));
    ApplicationRegistry apps =
        new ApplicationRegistry(
            attempt -> {
              RMApp app = context.getRMApps().get(attempt.getApplicationId());
              boolean ours = AllocatorSelection.isOurs(app, conf);
              return new ApplicationAsks(attempt, ours ? relaxed : strict, counters);
            },
            counters,
            attempt -> hasEnded(context, attempt),
            settings.idleMillis());
    counters.allocatorLoaded(AllocatorSelection.loaded(conf));
    counters.register(DefaultMetricsSystem.instance());
    metrics = counters;
    AskValidator rules = new AskValidator(context);
    direct = new DirectAllocation(context, rules);
    rewriter = new HeartbeatRewriter(context, plugin, apps, rules);
    plugin.publish(context);
    LOG.info("Asks may name files: {}", settings);
  }

  /**
   * A processor is not told when its ResourceManager becomes standby, but the service that it
   * belongs to is then stopped.
   */
  private void closeWithService(
      @Nullable Service service,
      LocationCache locations,
      LocationLookup lookup,
      @Nullable ChangePoller follower) {
    if (service != null) {
      service.registerServiceListener(
          changed -> {
            if (changed.isInState(Service.STATE.STOPPED)) {
              if (follower != null) {
                follower.close();
              }
              close(locations, lookup);
            }
          });
    }
  }

  /**
   * Starts following changed files, if the lookup has a source of them. Without it, null, entries
   * of the cache expire by age alone.
   */
  private static @Nullable ChangePoller follow(LocationLookup lookup, LocationCache locations) {
    try {
      ChangeSource changes = lookup.changes();
      if (changes == null) {
        return null;
      }
      ChangePoller follower = new ChangePoller(changes, locations);
      runInBackground("weir-location-changes", Executors.callable(follower));
      return follower;
    } catch (RuntimeException | Error e) {
      // Also an Error, as from another version of the client library.
      LOG.warn("Cannot follow changed files", e);
      return null;
    }
  }

  private void close(LocationCache locations, LocationLookup lookup) {
    try {
      // Otherwise the threads would look up all waiting files in vain.
      locations.close();
      if (environment.executor() instanceof ExecutorService lookups) {
        lookups.shutdownNow();
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("Cannot stop lookups", e);
    }
    runInBackground("weir-location-close", Executors.callable(lookup::close));
  }

  /** Runs work of unknown duration in a thread of its own. */
  private static void runInBackground(String name, Callable<?> work) {
    try {
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.call();
                } catch (Exception | Error e) {
                  LOG.debug("{} failed", name, e);
                }
              },
              name);
      thread.setDaemon(true);
      thread.start();
    } catch (RuntimeException | Error e) {
      LOG.warn("Cannot start {}", name, e);
    }
  }

  private static boolean hasEnded(RMContext context, ApplicationAttemptId attempt) {
    RMApp app = context.getRMApps().get(attempt.getApplicationId());
    return app == null || OVER.contains(app.getState());
  }

  @Override
  public void registerApplicationMaster(
      ApplicationAttemptId applicationAttemptId,
      RegisterApplicationMasterRequest request,
      RegisterApplicationMasterResponse response)
      throws IOException, YarnException {
    next().registerApplicationMaster(applicationAttemptId, request, response);
  }

  @Override
  public void allocate(
      ApplicationAttemptId appAttemptId, AllocateRequest request, AllocateResponse response)
      throws YarnException {
    HeartbeatRewriter.InFlight inFlight = rewrite(appAttemptId, request);
    // If this throws, the ApplicationMaster sends its asks again, so no state may have changed.
    next().allocate(appAttemptId, request, response);
    boolean taken =
        inFlight == null
            || inFlight.separateAsks().isEmpty()
            || sendDirectly(appAttemptId, inFlight.separateAsks(), response);
    commit(appAttemptId, inFlight, response, taken);
    YarnException refusal = inFlight == null ? null : inFlight.refusal();
    if (refusal != null) {
      refused(appAttemptId, refusal);
    }
  }

  /**
   * Sends asks that could not go with the heartbeat. A failure does not fail the heartbeat; the
   * asks are sent again with the next one.
   */
  private boolean sendDirectly(
      ApplicationAttemptId attempt, List<ResourceRequest> asks, AllocateResponse response) {
    try {
      Allocation given = direct == null ? null : direct.send(attempt, asks);
      if (given != null) {
        AllocationMerger.add(given, response);
      }
      return given != null;
    } catch (YarnException | RuntimeException | Error e) {
      refused(attempt, e);
      return false;
    }
  }

  private void refused(ApplicationAttemptId attempt, Throwable error) {
    count();
    if (refusalLog.permits(environment.clock().getAsLong())) {
      LOG.warn(
          "YARN refuses held asks for files of {}; they are sent again with the next"
              + " next heartbeat",
          attempt,
          error);
    }
    try {
      if (rewriter != null) {
        rewriter.tellRefused(attempt, error);
      }
    } catch (RuntimeException | Error e) {
      failed(attempt, e);
    }
  }

  @Override
  public void finishApplicationMaster(
      ApplicationAttemptId applicationAttemptId,
      FinishApplicationMasterRequest request,
      FinishApplicationMasterResponse response) {
    try {
      if (rewriter != null) {
        rewriter.end(applicationAttemptId);
      }
    } catch (RuntimeException | Error e) {
      failed(applicationAttemptId, e);
    }
    next().finishApplicationMaster(applicationAttemptId, request, response);
  }

  private HeartbeatRewriter.@Nullable InFlight rewrite(
      ApplicationAttemptId attempt, AllocateRequest request) {
    try {
      if (rewriter == null) {
        HeartbeatRewriter.strip(request);
        return null;
      }
      return rewriter.rewrite(attempt, request);
    } catch (RuntimeException | Error e) {
      failed(attempt, e);
      giveUp(attempt, request);
      return null;
    }
  }

  private void giveUp(ApplicationAttemptId attempt, AllocateRequest request) {
    try {
      if (rewriter != null) {
        rewriter.giveUp(attempt, request);
      }
    } catch (RuntimeException | Error e) {
      // To the scheduler a name of files is an unknown host, which does no harm.
      failed(attempt, e);
    }
  }

  private void commit(
      ApplicationAttemptId attempt,
      HeartbeatRewriter.@Nullable InFlight inFlight,
      AllocateResponse response,
      boolean taken) {
    try {
      if (rewriter != null) {
        if (inFlight != null && taken) {
          rewriter.commit(inFlight, response);
        } else if (inFlight != null) {
          rewriter.count(inFlight, response);
        }
        rewriter.learn(response);
      }
    } catch (RuntimeException | Error e) {
      failed(attempt, e);
    }
  }

  private void failed(ApplicationAttemptId attempt, Throwable error) {
    count();
    if (failureLog.permits(environment.clock().getAsLong())) {
      LOG.warn("Names of files in the asks of {} are ignored", attempt, error);
    }
  }

  private void count() {
    if (metrics != null) {
      metrics.count(AskMetrics.Event.FAILURES);
    }
  }

  private ApplicationMasterServiceProcessor next() {
    return Objects.requireNonNull(next, "allocate before init");
  }
}
