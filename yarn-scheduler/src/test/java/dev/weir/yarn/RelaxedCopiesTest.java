package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.AskSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scheduler's copies of asks are read only if asks are strict. */
class RelaxedCopiesTest {

  private static final AtomicInteger READS = new AtomicInteger();

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void copiesAreReadOnlyWithoutTheAllocator(boolean allocator) throws Exception {
    Configuration conf = TestResourceManager.configuration(false, allocator);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CountingScheduler.class, ResourceScheduler.class);
    try (TestResourceManager rm =
        new TestResourceManager(new TestResourceManager.Setup(conf, ManualExecutor.immediate()))) {
      rm.files.file("/data/a", Map.of("h1", 100L * 1024 * 1024));
      MockAM am = rm.application("alice");
      rm.node("h1", "/r1", 1);
      rm.node("h2", "/r1", 1);
      allocate(am, Asks.named("weir:/data/a", 3));
      rm.heartbeatNodes();
      rm.clock.advance(2 * AskSettings.DEFAULT_WAIT_MAX);
      READS.set(0);
      allocate(am, List.of());

      assertThat(READS).hasValue(allocator ? 0 : 1);
    }
  }

  /** Counts how often all asks of an attempt are copied. */
  public static final class CountingScheduler extends CapacityScheduler {
    @Override
    public List<ResourceRequest> getPendingResourceRequestsForAttempt(ApplicationAttemptId id) {
      READS.incrementAndGet();
      return super.getPendingResourceRequestsForAttempt(id);
    }
  }
}
