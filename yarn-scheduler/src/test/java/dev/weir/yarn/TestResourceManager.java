package dev.weir.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ApplicationMasterService;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * A real ResourceManager without its network, with a Capacity scheduler and our processor, and with
 * NodeManagers that heartbeat when they are told to. Each ApplicationMaster has a node of its own,
 * which it fills.
 */
final class TestResourceManager implements AutoCloseable {

  static final int CONTAINER_MB = 1024;

  final FakeLookup files = new FakeLookup();
  final ManualClock clock = new ManualClock();
  final Recorder before = new Recorder();
  final Recorder after = new Recorder();
  final List<MockNM> nodes = new ArrayList<>();
  private final MockRM rm;
  private int applications;

  TestResourceManager(boolean asynchronous, Executor lookups) {
    Configuration conf = configuration(asynchronous);
    SecurityUtil.setConfiguration(conf);
    WeirAskProcessor.Environment environment =
        new WeirAskProcessor.Environment(ignored -> files, lookups, clock);
    rm =
        new MockRM(conf) {
          @Override
          protected ApplicationMasterService createApplicationMasterService() {
            return new WithProcessors(
                this, scheduler, List.of(before, new WeirAskProcessor(environment), after));
          }
        };
    rm.start();
  }

  private static Configuration configuration(boolean asynchronous) {
    CapacitySchedulerConfiguration conf = new CapacitySchedulerConfiguration();
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

  /** Adds a NodeManager with room for so many containers. */
  MockNM node(String host, String rack, int containers) throws Exception {
    StaticMapping.addNodeToRack(host, rack);
    MockNM node = rm.registerNode(host + ":1234", containers * CONTAINER_MB, 64);
    nodes.add(node);
    return node;
  }

  /**
   * Starts an application on a node that is made for its ApplicationMaster and has no more room.
   */
  MockAM application(String user) throws Exception {
    MockNM home = node("am" + ++applications, "/am-rack", 1);
    RMApp app =
        MockRMAppSubmitter.submit(
            rm,
            MockRMAppSubmissionData.Builder.createWithMemory(CONTAINER_MB, rm)
                .withUser(user)
                // It waits for a state that asynchronous scheduling may have left by then.
                .withWaitForAppAcceptedState(false)
                .build());
    rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
    home.nodeHeartbeat(true);
    MockAM am = MockRM.launchAMWhenAsyncSchedulingEnabled(app, rm);
    am.registerAppAttempt();
    return am;
  }

  /** One heartbeat of every node in the order in which they were added. */
  void heartbeatNodes() throws Exception {
    for (MockNM node : nodes) {
      node.nodeHeartbeat(true);
    }
    rm.drainEvents();
  }

  /** Containers on which the scheduler still owes the application an answer. */
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

  @Override
  public void close() {
    rm.stop();
  }

  private static final class WithProcessors extends ApplicationMasterService {

    private final List<ApplicationMasterServiceProcessor> processors;

    WithProcessors(
        MockRM rm,
        ResourceScheduler scheduler,
        List<ApplicationMasterServiceProcessor> processors) {
      super(rm.getRMContext(), scheduler);
      this.processors = processors;
    }

    @Override
    protected List<ApplicationMasterServiceProcessor> getProcessorList(Configuration conf) {
      return new ArrayList<>(processors);
    }

    @Override
    protected void serviceStart() {
      // No network.
    }

    @Override
    protected void serviceStop() {
      // No network.
    }
  }
}
