package dev.weir.workflow.journal;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.staging.MasterAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fencings for tests. */
public final class Fencings {

  private Fencings() {}

  /** Returns the fencing of an ApplicationMaster without a successor. */
  public static MasterFencing alone() {
    try {
      return MasterFencing.of(
          new Memory(),
          new MasterFencing.Term(1, Duration.ZERO),
          HdfsRetry.of(Duration.ZERO, problem -> false));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Memory implements MasterFencing.AddressStore {
    private @Nullable MasterAddress last;

    @Override
    public void publish(MasterAddress address) {
      last = address;
    }

    @Override
    public Optional<MasterAddress> find() {
      return Optional.ofNullable(last);
    }
  }
}
