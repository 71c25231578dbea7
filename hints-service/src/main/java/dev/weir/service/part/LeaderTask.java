package dev.weir.service.part;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** What one of several instances of the service does: the one that leads. */
public interface LeaderTask {
  /** A word for logs and the thread. */
  String name();

  /**
   * Does the work of one term, on a thread of its own, until the term is over: then the thread is
   * interrupted and {@code leading} is false. What it throws, errors included, is logged, and it is
   * called again after a pause if this instance still leads; so it is when it returns.
   *
   * <p>Another instance may lead before the interrupt arrives. What must not be done twice is made
   * sure of in the store, by a version that must not have changed.
   *
   * @param leading whether this instance still leads, as far as it knows
   */
  void lead(BooleanSupplier leading) throws IOException, InterruptedException;
}
