package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.Progress;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.worker.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a pool, and what is left of it to whom. */
class PoolClosingTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final RunPlan PLAN = Plans.of(1, Plans.task("t", List.of(), List.of("o")));

  private final Staging staging = new Staging(HDFS.fs(), new Path("/pool"));
  private final List<String> done = new ArrayList<>();
  private final PoolClosing closing = new PoolClosing(staging, () -> done.add("taught"));

  @BeforeEach
  void make() throws IOException {
    HDFS.fs().delete(staging.directory(), true);
    HDFS.fs().mkdirs(staging.directory());
  }

  private Handover handover(int attempt) throws InterruptedException {
    return Handover.of(
        Handover.in(staging, Staging.POOL_MASTER),
        new Handover.Term(attempt, Duration.ZERO),
        Patience.DEFAULT);
  }

  /** What has been done. */
  private final class Services implements RunClosing.Services {
    private final Handover handover;
    private final boolean refused;

    Services(Handover handover, boolean refused) {
      this.handover = handover;
      this.refused = refused;
    }

    @Override
    public void requireLast() throws IOException {
      handover.requireNoOther();
    }

    @Override
    public Progress progress() {
      return new Dispatcher(PLAN.workflow(), Policy.FIFO, Limits.DEFAULT).progress();
    }

    @Override
    public int reused() {
      return 0;
    }

    @Override
    public void finish() {
      done.add("sent home");
    }

    @Override
    public CacheTraffic cacheTraffic() {
      return new CacheTraffic(0, 0, 0);
    }

    @Override
    public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
      if (refused) {
        throw new IOException("YARN knows another on purpose");
      }
      done.add(failure == null ? "ended" : failure.message());
    }
  }

  private boolean isThere() throws IOException {
    return HDFS.fs().exists(staging.directory());
  }

  @Test
  void nothingIsLeftOfAPoolThatHasEnded() throws Exception {
    Handover only = handover(1);
    only.tell("m1", 1);

    closing.close(new Services(only, false), null);

    assertThat(done).containsExactly("sent home", "taught", "ended");
    assertThat(isThere()).isFalse();
  }

  @Test
  void whoHasBeenReplacedLeavesThePoolToTheOther() throws Exception {
    Handover first = handover(1);
    first.tell("m1", 1);
    Handover second = handover(2);
    second.tell("m2", 2);

    assertThatIOException()
        .isThrownBy(() -> closing.close(new Services(first, false), null))
        .withMessageContaining("Master 2");

    assertThat(done).isEmpty();
    assertThat(isThere()).isTrue();
    second.requireLast();
  }

  @Test
  void whatYarnDoesNotTakeForTheEndRemovesNothing() throws Exception {
    Services services = new Services(handover(1), true);

    assertThatIOException()
        .isThrownBy(() -> closing.close(services, RunFailure.ofRun("no workers", "")))
        .withMessageContaining("on purpose");

    assertThat(isThere()).isTrue();
  }
}
