package dev.weir.service.runs;

import dev.weir.service.database.DatabaseSettings;
import java.util.Map;
import java.util.UUID;

/** Runs in H2 within the process of the service. */
class H2RunsTest extends RunsContract {
  @Override
  Map<String, String> database() {
    return Map.of(DatabaseSettings.URL.key(), "jdbc:h2:mem:" + UUID.randomUUID());
  }
}
