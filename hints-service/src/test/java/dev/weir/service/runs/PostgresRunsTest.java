package dev.weir.service.runs;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.service.database.Database;
import dev.weir.service.database.DatabaseSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** Runs in a real PostgreSQL, which several instances of the service share. */
class PostgresRunsTest extends RunsContract implements QueriesContract {
  private final PostgresServer postgres = PostgresServer.startedOrSkipped();
  private final Database opened =
      RunReporter.opened(
          new DatabaseSettings(postgres.url(), postgres.user(), "", 2, Duration.ofSeconds(10)));

  @Override
  Map<String, String> database() {
    return Map.of(
        DatabaseSettings.URL.key(), postgres.url(), DatabaseSettings.USER.key(), postgres.user());
  }

  @Override
  public Database opened() {
    return opened;
  }

  @Override
  List<TestServer> servers() throws Exception {
    TestServer other = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), database());
    other.awaitDatabase();
    return List.of(server(), other);
  }

  @AfterAll
  void stopPostgres() throws Exception {
    opened.close();
    postgres.close();
  }
}
