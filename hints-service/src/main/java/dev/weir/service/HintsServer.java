package dev.weir.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreStatus;
import dev.weir.service.access.ActiveNameNode;
import dev.weir.service.access.Authorizer;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.FileSystemAccess;
import dev.weir.service.access.HintLimits;
import dev.weir.service.access.WritePermission;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.locate.rest.LocatePart;
import dev.weir.service.part.ServicePart;
import dev.weir.service.reconcile.ReconcilerPart;
import dev.weir.service.rest.HintsPart;
import dev.weir.service.rest.RequestJson;
import dev.weir.service.rest.RequestMetrics;
import dev.weir.service.rest.RestApplication;
import dev.weir.service.rest.RestSettings;
import dev.weir.service.rest.StatusResource;
import dev.weir.service.runs.RunsPart;
import dev.weir.service.zk.EmbeddedZooKeeper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints service: REST on Hadoop's web server over the hints in ZooKeeper. The server starts
 * once. It closes its parts in the reverse order of their start, also if a start fails.
 */
public final class HintsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HintsServer.class);

  /** The delay before a leader task that has returned or failed is called again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

  public enum State {
    /** Not started yet. */
    NEW,
    /** Opening the backends and the parts. */
    STARTING,
    /** Serving requests. */
    RUNNING,
    /** Closing, in the reverse order. */
    STOPPING,
    /** Closed permanently. */
    STOPPED
  }

  enum Role {
    /** The work of both other roles. */
    ALL,
    /** Answers callers; does the work that needs no superuser of HDFS. */
    REQUESTS,
    /** Does the work that needs a superuser of HDFS. */
    RECONCILER;

    private boolean leads(boolean superuser) {
      return this == ALL || superuser == (this == RECONCILER);
    }

    /** Returns whether a process of this role serves the calls of a part. */
    boolean serves(String part) {
      return this != RECONCILER || part.equals(ReconcilerPart.NAME);
    }
  }

  private final Configuration configuration;
  private final ServiceSettings settings;
  private final Role role;
  private final Backends backends;
  private final @Nullable Path embeddedZooKeeper;
  private final List<Object> resources = new ArrayList<>();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile State state = State.NEW;
  private volatile List<URI> uris = List.of();

  /**
   * Creates a server without starting it.
   *
   * @param configuration as {@link WeirConfiguration#load} reads it
   * @param embeddedZooKeeper the data directory of a ZooKeeper inside this process; null to use the
   *     ZooKeeper of the configuration
   * @throws IllegalArgumentException if a setting is invalid
   */
  public HintsServer(
      Configuration configuration, Backends backends, @Nullable Path embeddedZooKeeper) {
    this.configuration = new Configuration(configuration);
    this.settings = ServiceSettings.from(configuration);
    this.role = Role.valueOf(ServiceSettings.ROLE.from(configuration).toUpperCase(Locale.ROOT));
    this.backends = backends;
    this.embeddedZooKeeper = embeddedZooKeeper;
  }

  /**
   * Starts a server.
   *
   * @param configuration as {@link WeirConfiguration#load} reads it
   * @param embeddedZooKeeper the data directory of a ZooKeeper inside this process; null to use the
   *     ZooKeeper of the configuration
   * @throws IOException if the server cannot start; nothing is left open
   * @throws IllegalArgumentException if a setting is invalid
   */
  public static HintsServer start(Configuration configuration, @Nullable Path embeddedZooKeeper)
      throws IOException {
    HintsServer server = new HintsServer(configuration, Backends.real(), embeddedZooKeeper);
    server.start();
    return server;
  }

  /**
   * Starts the server. Has no effect after the first call.
   *
   * @throws IOException if the server cannot start; it is then stopped
   */
  public synchronized void start() throws IOException {
    if (state != State.NEW) {
      return;
    }
    state = State.STARTING;
    try {
      open();
      state = State.RUNNING;
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (RuntimeException closeFailure) {
        e.addSuppressed(closeFailure);
      }
      throw e;
    }
  }

  public State state() {
    return state;
  }

  /** Returns the addresses that the server listens on, http first; empty before it runs. */
  public List<URI> uris() {
    return uris;
  }

  synchronized List<Object> resources() {
    return List.copyOf(resources);
  }

  /** Waits until the server has been closed by any thread. */
  public void await() throws InterruptedException {
    stopped.await();
  }

  /** Stops the server within a bounded time. Idempotent. Failures are logged. */
  @Override
  public synchronized void close() {
    if (state == State.STOPPED) {
      return;
    }
    state = State.STOPPING;
    while (!opened.isEmpty()) {
      AutoCloseable last = opened.removeLast();
      try {
        last.close();
      } catch (Exception e) {
        LOG.warn("{} did not close", last.getClass().getSimpleName(), e);
      }
    }
    state = State.STOPPED;
    stopped.countDown();
  }

  private void open() throws IOException {
    WeirConfiguration.warnOfUnknown(configuration);
    RestSettings restSettings = RestSettings.from(configuration);
    logIn();
    requireTls(UserGroupInformation.isSecurityEnabled(), settings, configuration);
    if (embeddedZooKeeper != null) {
      opened(EmbeddedZooKeeper.start(embeddedZooKeeper, configuration));
    }
    MetricsSystem metrics = DefaultMetricsSystem.initialize("WeirService");
    JvmMetrics.initSingleton("WeirService", "");
    HintStore store = opened(backends.store().apply(configuration));
    CallerFileSystems callers = opened(backends.callers().apply(configuration));
    RequestMetrics callMetrics = opened(new RequestMetrics(metrics));

    List<ServicePart> parts = parts(store, callers, metrics);
    List<LeaderTaskRunner> leaders = leaders(parts);
    LeaderTaskRunner reported = leaders.get(leaders.size() - 1);
    resources.add(new StatusResource(user -> status(user, store, reported, parts)));
    for (ServicePart part : parts) {
      ServicePart open = opened(part);
      if (role.serves(part.name())) {
        resources.addAll(open.resources());
      }
      part.start();
    }
    leaders.forEach(this::opened);
    WebServer web =
        opened(
            new WebServer(
                configuration,
                settings,
                new AccessControlList(CallerSettings.from(configuration).admins()),
                RestApplication.of(resources, restSettings, callMetrics)));
    web.start();
    uris = web.uris();
    for (LeaderTaskRunner leader : leaders) {
      leader.start(web.id());
    }
  }

  /**
   * Returns what does the tasks of this role. The work of a superuser has an election of its own,
   * which all roles that do it share, so no two processes do it. It comes last.
   */
  private List<LeaderTaskRunner> leaders(List<ServicePart> parts) throws IOException {
    List<LeaderTaskRunner> leaders = new ArrayList<>();
    for (boolean superuser : new boolean[] {false, true}) {
      if (role.leads(superuser)) {
        leaders.add(
            new LeaderTaskRunner(
                backends
                    .elections()
                    .apply(configuration, superuser ? "/reconciler-leader" : "/leader"),
                parts.stream()
                    .flatMap(part -> part.leaderTasks().stream())
                    .filter(task -> task.needsSuperuser() == superuser)
                    .toList(),
                RETRY_DELAY));
      }
    }
    return leaders;
  }

  /**
   * Returns the parts in start order. A new part is added here.
   *
   * @param callers the file systems as the callers see them
   */
  private List<ServicePart> parts(HintStore store, CallerFileSystems callers, MetricsSystem metrics)
      throws IOException {
    CallerSettings callerSettings = CallerSettings.from(configuration);
    ExecutorService permissionChecks =
        Executors.newFixedThreadPool(
            callerSettings.threads(), DaemonThreadFactory.numbered("ask-"));
    opened(permissionChecks::shutdownNow);
    Authorizer authorizer =
        new Authorizer(
            new WritePermission(callers, permissionChecks),
            callerSettings,
            HintLimits.from(configuration),
            backends.clock(),
            callers.self());
    ActiveNameNode active = new ActiveNameNode(configuration, callerSettings);
    List<ServicePart> parts = new ArrayList<>();
    FileSystemAccess access = new FileSystemAccess(callers, authorizer);
    parts.add(
        new HintsPart(store, access, active, RestSettings.from(configuration), backends.clock()));
    ReconcilerPart reconciler =
        role != Role.REQUESTS && ReconcilerPart.isWanted(configuration)
            ? new ReconcilerPart(
                configuration, store, HintLimits.from(configuration), authorizer::isAdmin, metrics)
            : null;
    if (role != Role.RECONCILER) {
      UseExplainer use = reconciler == null ? UseExplainer.NONE : reconciler.useExplainer();
      LocatePart.Facts facts = new LocatePart.Facts(active, use);
      parts.add(new LocatePart(configuration, store, callers, facts, backends.clock()));
      parts.add(new RunsPart(configuration, store, Backends.ROLE, access, backends.clock()));
    }
    parts.add(reconciler == null ? ReconcilerPart.without(authorizer::isAdmin) : reconciler);
    return parts;
  }

  private ObjectNode status(
      String user, HintStore store, LeaderTaskRunner leader, List<ServicePart> parts) {
    ObjectNode status = RequestJson.object();
    status.put("state", state.name().toLowerCase(Locale.ROOT));
    status.put("leader", leader.isLeader());
    status.put("leader-id", leader.leader());
    StoreStatus storeStatus = store.status();
    ObjectNode hints = status.putObject("store");
    hints.put("connected", storeStatus.connected());
    hints.put("age-ms", storeStatus.age().toMillis());
    hints.put("version", storeStatus.version());
    hints.put("sets", storeStatus.sets());
    hints.put("rules", storeStatus.rules());
    hints.put("bytes", storeStatus.memory().bytes());
    hints.put("bytes-limit", storeStatus.memory().limit());
    hints.put("sets-left-out", storeStatus.memory().leftOut());
    if (storeStatus.problem() != null) {
      hints.put("problem", storeStatus.problem());
    }
    for (ServicePart part : parts) {
      Map<String, Object> partStatus = part.status(user);
      if (!partStatus.isEmpty()) {
        status.putPOJO(part.name(), partStatus);
      }
    }
    return status;
  }

  /** Hints and cookies of callers with tickets must not cross the network in the clear. */
  static void requireTls(
      boolean hasKerberos, ServiceSettings settings, Configuration configuration) {
    if (hasKerberos
        && settings.policy().isHttpEnabled()
        && !ServiceSettings.ALLOW_HTTP.from(configuration)) {
      throw new IllegalArgumentException(
          "the cluster uses Kerberos, and the service would serve without TLS: set "
              + ServiceSettings.HTTP_POLICY.key()
              + " to HTTPS_ONLY, with the keystore in ssl-server.xml, or "
              + ServiceSettings.ALLOW_HTTP.key()
              + " to true");
    }
  }

  private void logIn() throws IOException {
    UserGroupInformation.setConfiguration(configuration);
    if (UserGroupInformation.isSecurityEnabled()) {
      SecurityUtil.login(
          configuration,
          ServiceSettings.KEYTAB.key(),
          ServiceSettings.PRINCIPAL.key(),
          settings.httpAddress().getHost());
    }
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    opened.addLast(closeable);
    return closeable;
  }
}
