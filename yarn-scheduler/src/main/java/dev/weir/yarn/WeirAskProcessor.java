package dev.weir.yarn;

import dev.weir.yarn.allocator.AllocatorSelection;
import dev.weir.yarn.ask.ApplicationAsks;
import dev.weir.yarn.ask.ApplicationRegistry;
import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.ask.AskValidator;
import dev.weir.yarn.ask.AskWriter;
import dev.weir.yarn.ask.HeartbeatRewriter;
import dev.weir.yarn.ask.KeyPlanner;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.ContainerRunTimes;
import dev.weir.yarn.cluster.RmCluster;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.lookup.LocationLookup;
import dev.weir.yarn.lookup.LocationLookupFactory;
import dev.weir.yarn.lookup.LookupThreads;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.LogLimiter;
import java.io.IOException;
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
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an ApplicationMaster name files instead of hosts: an ask with the resource name {@code
 * weir:/path[,/path...]} is replaced by asks for the nodes that hold most of those bytes, and their
 * racks, before the scheduler sees it. Set as {@code
 * yarn.resourcemanager.application-master-service.processors}.
 *
 * <p>Asks that name no files pass unchanged, as the same object. No method blocks. Errors of this
 * class do not fail a heartbeat; the asks are then passed on without names of files. An instance
 * lives as long as a ResourceManager is active. Many threads call it, but one at a time for each
 * application attempt.
 */
public final class WeirAskProcessor implements ApplicationMasterServiceProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(WeirAskProcessor.class);
  private static final Set<RMAppState> FINAL_STATES =
      Set.of(RMAppState.FINISHED, RMAppState.FAILED, RMAppState.KILLED);

  private final Environment environment;
  private @Nullable ApplicationMasterServiceProcessor next;
  private @Nullable HeartbeatRewriter rewriter;
  private @Nullable AskMetrics metrics;
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
    closeWithService(context.getApplicationMasterService(), locations, lookup);
    ContainerRunTimes runTimes = new ContainerRunTimes();
    RmCluster cluster = new RmCluster(context, clock, environment.wallClock(), runTimes);
    PluginContext plugin =
        new PluginContext(
            settings, locations, cluster, runTimes, counters, clock, environment.executor());
    KeyPlanner strict = new KeyPlanner(settings, new AskWriter(clock, true));
    KeyPlanner relaxed = new KeyPlanner(settings, new AskWriter(clock, false));
    ApplicationRegistry apps =
        new ApplicationRegistry(
            attempt -> {
              RMApp app = context.getRMApps().get(attempt.getApplicationId());
              boolean usesAllocator = AllocatorSelection.usesWeir(app, conf);
              return new ApplicationAsks(attempt, usesAllocator ? relaxed : strict, counters);
            },
            counters,
            attempt -> hasEnded(context, attempt),
            settings.idleMillis());
    counters.allocatorLoaded(AllocatorSelection.isClusterDefault(conf));
    counters.register(DefaultMetricsSystem.instance());
    metrics = counters;
    rewriter = new HeartbeatRewriter(context, plugin, apps, new AskValidator(context));
    plugin.publish(context);
    LOG.info("Asks may name files: {}", settings);
  }

  /**
   * YARN does not notify a processor when its ResourceManager becomes standby, but stops the
   * service that it belongs to.
   */
  private void closeWithService(
      @Nullable Service service, LocationCache locations, LocationLookup lookup) {
    if (service != null) {
      service.registerServiceListener(
          changed -> {
            if (changed.isInState(Service.STATE.STOPPED)) {
              close(locations, lookup);
            }
          });
    }
  }

  private void close(LocationCache locations, LocationLookup lookup) {
    try {
      // Closed first; otherwise the threads would still look up all queued files.
      locations.close();
      if (environment.executor() instanceof ExecutorService lookups) {
        lookups.shutdownNow();
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("Cannot stop lookups", e);
    }
    runInBackground("weir-location-close", Executors.callable(lookup::close));
  }

  /** Runs work of unknown duration in a separate thread. */
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
    return app == null || FINAL_STATES.contains(app.getState());
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
    commit(appAttemptId, inFlight, response);
    YarnException refusal = inFlight == null ? null : inFlight.refusal();
    if (refusal != null) {
      logRefusal(appAttemptId, refusal);
    }
  }

  private void logRefusal(ApplicationAttemptId attempt, Throwable error) {
    count();
    if (refusalLog.permits(environment.clock().getAsLong())) {
      LOG.warn(
          "YARN refuses held asks for files of {}; they are sent again with the"
              + " next heartbeat",
          attempt,
          error);
    }
    try {
      if (rewriter != null) {
        rewriter.reportRefusal(attempt, error);
      }
    } catch (RuntimeException | Error e) {
      logFailure(attempt, e);
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
      logFailure(applicationAttemptId, e);
    }
    next().finishApplicationMaster(applicationAttemptId, request, response);
  }

  private HeartbeatRewriter.@Nullable InFlight rewrite(
      ApplicationAttemptId attempt, AllocateRequest request) {
    try {
      if (rewriter == null) {
        HeartbeatRewriter.removeFileNames(request);
        return null;
      }
      return rewriter.rewrite(attempt, request);
    } catch (RuntimeException | Error e) {
      logFailure(attempt, e);
      passWithoutFiles(attempt, request);
      return null;
    }
  }

  private void passWithoutFiles(ApplicationAttemptId attempt, AllocateRequest request) {
    try {
      if (rewriter != null) {
        rewriter.passWithoutFiles(attempt, request);
      }
    } catch (RuntimeException | Error e) {
      // The scheduler treats a name of files as an unknown host.
      logFailure(attempt, e);
    }
  }

  private void commit(
      ApplicationAttemptId attempt,
      HeartbeatRewriter.@Nullable InFlight inFlight,
      AllocateResponse response) {
    try {
      if (rewriter != null) {
        if (inFlight != null) {
          rewriter.commit(inFlight, response);
        }
        rewriter.recordRunTimes(response);
      }
    } catch (RuntimeException | Error e) {
      logFailure(attempt, e);
    }
  }

  private void logFailure(ApplicationAttemptId attempt, Throwable error) {
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
