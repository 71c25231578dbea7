package dev.weir.workflow.jobs;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/** Creates job clients for tests. */
public final class JobClients {
  private JobClients() {}

  /** Returns a client of a live session at the supplied endpoint. */
  public static JobClient of(Supplier<SessionEndpoint> endpoint, Duration timeout) {
    return new JobClient(
        new SessionLocator() {
          @Override
          public SessionEndpoint find() {
            return endpoint.get();
          }

          @Override
          public void requireAlive() {}
        },
        timeout,
        Clock.systemUTC());
  }
}
