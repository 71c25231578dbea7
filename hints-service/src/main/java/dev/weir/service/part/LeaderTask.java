package dev.weir.service.part;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Work that only one instance of the service does: the leader. */
public interface LeaderTask {
  /** Returns a word for logs and the thread name. */
  String name();

  /** Returns whether the service's user must be a superuser of HDFS for it. */
  default boolean needsSuperuser() {
    return false;
  }

  /**
   * Does the work of one term on its own thread. When the term ends, the thread is interrupted and
   * {@code leading} returns false. Exceptions and errors are logged. If the method returns or
   * throws while this instance leads, it is called again after a pause.
   *
   * <p>Another instance may become the leader before the interrupt arrives. A task must guard what
   * must not happen twice in the store, by a version check.
   *
   * @param leading whether this instance still leads, as far as it knows
   */
  void lead(BooleanSupplier leading) throws IOException, InterruptedException;
}
