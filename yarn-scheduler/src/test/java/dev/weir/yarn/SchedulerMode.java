package dev.weir.yarn;

import dev.weir.yarn.allocator.AllocatorSelection;
import dev.weir.yarn.lookup.LookupThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerConfiguration;

/** The scheduler, and whether the allocator or the asks enforce the wait. */
enum SchedulerMode {
  HEARTBEATS(false, true, false),
  ASYNCHRONOUS(true, true, false),
  HEARTBEATS_WITHOUT_ALLOCATOR(false, false, false),
  ASYNCHRONOUS_WITHOUT_ALLOCATOR(true, false, false),
  FAIR(false, true, true),
  FAIR_WITHOUT_ALLOCATOR(false, false, true);

  private final boolean asynchronous;
  private final boolean allocator;
  private final boolean fair;

  SchedulerMode(boolean asynchronous, boolean allocator, boolean fair) {
    this.asynchronous = asynchronous;
    this.allocator = allocator;
    this.fair = fair;
  }

  TestResourceManager start() throws IOException {
    // The scheduler's own threads hold locks under which lookups must not run.
    return start(asynchronous ? LookupThreads.create() : ManualExecutor.immediate());
  }

  TestResourceManager start(Executor lookups) throws IOException {
    Configuration conf = TestResourceManager.configuration(asynchronous);
    if (allocator) {
      conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());
    }
    if (fair) {
      conf.setClass(YarnConfiguration.RM_SCHEDULER, FairScheduler.class, ResourceScheduler.class);
      // The first ApplicationMaster takes all resources.
      Path queues = Files.createTempFile("fair", ".xml");
      queues.toFile().deleteOnExit();
      Files.writeString(
          queues,
          "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault></allocations>");
      conf.set(FairSchedulerConfiguration.ALLOCATION_FILE, queues.toString());
    }
    return new TestResourceManager(new TestResourceManager.Setup(conf, lookups));
  }
}
