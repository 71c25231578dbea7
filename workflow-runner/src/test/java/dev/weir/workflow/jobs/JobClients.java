package dev.weir.workflow.jobs;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/** Clients for tests. */
public final class JobClients {
  private JobClients() {}

  /** A client of a session that is where somebody says, and alive. */
  public static JobClient of(Supplier<SessionEndpoint> where, Duration patience) {
    return new JobClient(
        new SessionLocator() {
          @Override
          public SessionEndpoint find() {
            return where.get();
          }

          @Override
          public void requireAlive() {}
        },
        patience,
        Clock.systemUTC());
  }
}
