package dev.weir.yarn;

import static org.awaitility.Awaitility.await;

import dev.weir.yarn.allocator.AllocatorSelection;
import dev.weir.yarn.lookup.FakeLookup;
import dev.weir.yarn.lookup.LocationLookup;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.AdminService;
import org.apache.hadoop.yarn.server.resourcemanager.ApplicationMasterService;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.RackCache;
import org.apache.hadoop.yarn.util.Records;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A real ResourceManager without a network, with a Capacity scheduler and Weir's processor.
 * NodeManagers send heartbeats on request. Each ApplicationMaster fills a node of its own.
 */
final class TestResourceManager implements AutoCloseable {

  static final int CONTAINER_MB = 1024;

  final FakeLookup files;
  final ManualClock clock = new ManualClock();

  /** How far the plugin's wall clock is ahead of the clock that dates containers. */
  final AtomicLong wallAhead = new AtomicLong();

  /** The plugin's wall clock before {@link #wallAhead} is added. */
  volatile LongSupplier containerClock = System::currentTimeMillis;

  final Recorder before = new Recorder();
  final Recorder after = new Recorder();
  final List<MockNM> nodes = new ArrayList<>();
  private final MockRM rm;
  private final Setup setup;
  private @Nullable TestResourceManager predecessor;
  private int applications;

  /**
   * The parameters of a ResourceManager.
   *
   * @param conf from {@link #configuration}, with changes
   * @param lookups runs the lookups
   * @param lookup replaces the files of this object, if not null
   * @param store the state of an earlier ResourceManager, null for an empty one
   */
  record Setup(
      Configuration conf,
      Executor lookups,
      @Nullable LocationLookup lookup,
      @Nullable RMStateStore store) {

    Setup(Configuration conf, Executor lookups) {
      this(conf, lookups, null, null);
    }
  }

  TestResourceManager(boolean asynchronous, Executor lookups) {
    this(new Setup(configuration(asynchronous), lookups));
  }

  TestResourceManager(Setup setup) {
    this(setup, new FakeLookup());
  }

  private TestResourceManager(Setup setup, FakeLookup files) {
    this.setup = setup;
    this.files = files;
    SecurityUtil.setConfiguration(setup.conf());
    // Another test may have had a host of the same name in another rack.
    RackCache.clear();
    QuickKeys.install();
    rm = new WeirRm();
    // MockRM sets it to DEBUG, at which asynchronous scheduling mostly logs.
    GenericTestUtils.setRootLogLevel(Level.INFO);
    rm.start();
  }

  private WeirAskProcessor.Environment environment() {
    LocationLookup lookup = Objects.requireNonNullElse(setup.lookup(), files);
    return new WeirAskProcessor.Environment(
        ignored -> lookup,
        setup.lookups(),
        clock,
        () -> containerClock.getAsLong() + wallAhead.get());
  }

  /** Hadoop's test ResourceManager, with Weir's processor between two recorders. */
  private final class WeirRm extends MockRM {

    WeirRm() {
      super(setup.conf(), setup.store());
    }

    /**
     * Called by the constructor above and, with two ResourceManagers, each time one is activated.
     */
    @Override
    protected ApplicationMasterService createApplicationMasterService() {
      return new WithProcessors(
          this, scheduler, List.of(before, new WeirAskProcessor(environment()), after));
    }

    @Override
    protected AdminService createAdminService() {
      return new AdminService(this) {
        @Override
        protected void startServer() {
          // No network.
        }

        @Override
        protected void stopServer() {
          // No network.
        }

        /** An activation reloads the configuration; there are no files. */
        @Override
        protected Configuration loadNewConfiguration() {
          return setup.conf();
        }
      };
    }
  }

  /** A configuration with or without Weir's allocator for all applications. */
  static Configuration configuration(boolean asynchronous, boolean allocator) {
    Configuration conf = configuration(asynchronous);
    if (allocator) {
      conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());
    }
    return conf;
  }

  static Configuration configuration(boolean asynchronous) {
    CapacitySchedulerConfiguration conf = new CapacitySchedulerConfiguration();
    // The default directory is shared by all ResourceManagers of a user, also by parallel tests.
    conf.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        Path.of("target", "node-attributes-" + ProcessHandle.current().pid())
            .toAbsolutePath()
            .toUri()
            .toString());
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    conf.setBoolean(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, asynchronous);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    // Container tokens would need the invented hosts to have addresses.
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_TOKEN_SERVICE_USE_IP, false);
    return conf;
  }

  /** Adds a NodeManager with room for the given number of containers. */
  MockNM node(String host, String rack, int containers) throws Exception {
    StaticMapping.addNodeToRack(host, rack);
    MockNM node = rm.registerNode(host + ":1234", containers * CONTAINER_MB, 64);
    nodes.add(node);
    return node;
  }

  /** Starts an application on a new node that its ApplicationMaster fills. */
  MockAM application(String user) throws Exception {
    MockNM home = node("am" + ++applications, "/am-rack", 1);
    RMApp app =
        MockRMAppSubmitter.submit(
            rm,
            MockRMAppSubmissionData.Builder.createWithMemory(CONTAINER_MB, rm)
                .withUser(user)
                // Asynchronous scheduling may already have left the ACCEPTED state.
                .withWaitForAppAcceptedState(false)
                .build());
    rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              home.nodeHeartbeat(true);
              return masterHost(app) != null;
            });
    return launch(app);
  }

  /**
   * Submits an application without waiting for its ApplicationMaster's container.
   *
   * @param tags the application's tags
   * @param properties its scheduling properties
   */
  RMApp submit(String user, Set<String> tags, Map<String, String> properties) throws Exception {
    ApplicationClientProtocol client = rm.getClientRMService();
    ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
    context.setApplicationId(
        client.getNewApplication(GetNewApplicationRequest.newInstance()).getApplicationId());
    context.setApplicationName("test");
    context.setQueue("default");
    context.setApplicationTags(tags);
    context.setApplicationSchedulingPropertiesMap(properties);
    context.setResource(Resource.newInstance(CONTAINER_MB, 1));
    context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    UserGroupInformation.createUserForTesting(user, new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<Object>)
                () -> client.submitApplication(SubmitApplicationRequest.newInstance(context)));
    rm.waitForState(context.getApplicationId(), RMAppState.ACCEPTED);
    return Objects.requireNonNull(rm.getRMContext().getRMApps().get(context.getApplicationId()));
  }

  /** The host of an ApplicationMaster's container; null before its allocation. */
  static @Nullable String masterHost(RMApp app) {
    RMAppAttempt attempt = app.getCurrentAppAttempt();
    Container master = attempt == null ? null : attempt.getMasterContainer();
    return master == null ? null : master.getNodeId().getHost();
  }

  /** Starts an ApplicationMaster whose container was allocated. */
  MockAM launch(RMApp app) throws Exception {
    MockAM am = MockRM.launchAMWhenAsyncSchedulingEnabled(app, rm);
    am.registerAppAttempt();
    awaitRegistered(am);
    return am;
  }

  /** Sends one heartbeat of every node, in the order in which they were added. */
  void heartbeatNodes() throws Exception {
    for (MockNM node : nodes) {
      node.nodeHeartbeat(true);
    }
    rm.drainEvents();
  }

  /** The number of containers that the scheduler still owes the application. */
  int pendingContainers(MockAM am) {
    return rm
        .getResourceScheduler()
        .getPendingResourceRequestsForAttempt(am.getApplicationAttemptId())
        .stream()
        .filter(ask -> ResourceRequest.isAnyLocation(ask.getResourceName()))
        .mapToInt(ResourceRequest::getNumContainers)
        .sum();
  }

  MockRM rm() {
    return rm;
  }

  /**
   * Starts a ResourceManager from the state that this one has stored, as after a crash.
   * NodeManagers and the ApplicationMaster register with it. Closing it closes this one too.
   *
   * @param running the containers of the ApplicationMaster
   */
  TestResourceManager restart(MockAM am, Collection<Container> running) throws Exception {
    TestResourceManager next = successor();
    next.adopt(nodes, running, am);
    return next;
  }

  /** Starts a ResourceManager from the stored state, without registrations. */
  TestResourceManager successor() {
    TestResourceManager next =
        new TestResourceManager(
            new Setup(setup.conf(), setup.lookups(), setup.lookup(), rm.getRMStateStore()), files);
    next.predecessor = this;
    next.clock.advance(clock.getAsLong() - next.clock.getAsLong());
    return next;
  }

  /** Registers NodeManagers and an ApplicationMaster of another ResourceManager. */
  void adopt(List<MockNM> registering, Collection<Container> running, MockAM am) throws Exception {
    adoptNodes(registering, running, am);
    adopt(am);
  }

  /** Registers an ApplicationMaster of another ResourceManager. */
  void adopt(MockAM am) throws Exception {
    am.setAMRMProtocol(rm.getApplicationMasterService(), rm.getRMContext());
    am.registerAppAttempt(true);
    awaitRegistered(am);
  }

  /** Registers NodeManagers that run the containers of an ApplicationMaster. */
  void adoptNodes(List<MockNM> registering, Collection<Container> running, MockAM am)
      throws Exception {
    ApplicationId id = am.getApplicationAttemptId().getApplicationId();
    List<Container> all = new ArrayList<>(running);
    RMApp app = Objects.requireNonNull(rm.getRMContext().getRMApps().get(id));
    all.add(app.getCurrentAppAttempt().getMasterContainer());
    for (MockNM node : List.copyOf(registering)) {
      node.setResourceTrackerService(rm.getResourceTrackerService());
      node.registerNode(
          all.stream()
              .filter(container -> container.getNodeId().equals(node.getNodeId()))
              .map(TestResourceManager::report)
              .toList(),
          List.of(id));
      if (!nodes.contains(node)) {
        nodes.add(node);
      }
    }
    rm.drainEvents();
  }

  /**
   * Waits until the ResourceManager's own thread has handled the registration, because it clears
   * the diagnostics of the attempt after the response.
   */
  private void awaitRegistered(MockAM am) throws Exception {
    rm.waitForState(am.getApplicationAttemptId(), RMAppAttemptState.RUNNING);
  }

  private static NMContainerStatus report(Container container) {
    return NMContainerStatus.newInstance(
        container.getId(),
        0,
        ContainerState.RUNNING,
        container.getResource(),
        "",
        0,
        container.getPriority(),
        0);
  }

  @Override
  public void close() {
    rm.stop();
    if (predecessor != null) {
      predecessor.close();
    }
  }
}
