package dev.weir.workflow.session;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.rpc.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The connected workers, with a way to wait for their number. Thread-safe. */
final class ConnectedWorkers {

  private final Map<String, Connection> connected = new HashMap<>();
  private @Nullable Message tokens;

  /** A worker has connected. It gets the last new tokens, if there are any. */
  synchronized void add(String worker, Connection connection) {
    connected.put(worker, connection);
    if (tokens != null) {
      connection.send(tokens);
    }
    notifyAll();
  }

  /** Sends new tokens to all workers, and to those that connect later. Never blocks. */
  synchronized void renew(Message.NewTokens renewed) {
    tokens = renewed;
    connected.values().forEach(connection -> connection.send(renewed));
  }

  /** A worker has disconnected. */
  synchronized void remove(String worker) {
    connected.remove(worker);
    notifyAll();
  }

  synchronized int size() {
    return connected.size();
  }

  /** Makes waiting threads evaluate their condition again. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * Waits until enough workers are connected or the time is over.
   *
   * @param enough whether a number of workers is enough; evaluated after each change and after
   *     {@link #changed}
   * @param millis the longest to wait
   */
  synchronized void await(IntPredicate enough, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = end - System.nanoTime();
    while (left > 0 && !enough.test(connected.size())) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }
}
