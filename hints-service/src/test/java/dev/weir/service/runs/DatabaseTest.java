package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.part.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  @TempDir private Path directory;

  @Test
  void whatWasWrittenIsThereAfterwards() {
    DatabaseSettings settings = settings("jdbc:h2:" + directory.resolve("runs"));
    for (int i = 0; i < 2; i++) {
      try (Database database = started(settings, Optional.empty())) {
        assertThat(one(database)).isEqualTo(1);
        assertThat(database.trouble()).isEmpty();
      }
    }
  }

  @Test
  void aFileOfAnotherProcessIsLeftToIt() throws Exception {
    Path file = directory.resolve("runs");
    Process owner = H2Owner.of(file);
    try (Database database = started(settings("jdbc:h2:" + file), Optional.empty())) {
      assertThatThrownBy(() -> one(database))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("already in use");
      owner.destroyForcibly().waitFor();
      Awaitility.await().until(() -> database.trouble().isEmpty());
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void aDatabaseThatIsAwayIsSaidToBeAndOpenedWhenItComes() throws Exception {
    Path file = directory.resolve("not-a-directory");
    Files.writeString(file, "in the way");
    try (Database database = started(settings("jdbc:h2:" + file + "/runs"), Optional.empty())) {
      assertThatThrownBy(() -> one(database))
          .isInstanceOfSatisfying(
              ProblemException.class, e -> assertThat(e.problem().status()).isEqualTo(503))
          .hasMessageContaining("does not open");
      assertThat(database.trouble()).isPresent();
      Files.delete(file);
      Awaitility.await().until(() -> database.trouble().isEmpty());
      assertThat(one(database)).isEqualTo(1);
    }
  }

  @Test
  void anEmbeddedDatabaseIsNotUsedBesideAnotherInstance() {
    AtomicReference<Optional<String>> other = new AtomicReference<>(Optional.of("there"));
    try (Database database =
        new Database(settings("jdbc:h2:mem:alone"), other::get, Duration.ofMillis(100))) {
      database.start();
      assertThatThrownBy(() -> one(database))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("one instance")
          .hasMessageContaining("there")
          .hasMessageContaining(DatabaseSettings.URL.key());
      other.set(Optional.empty());
      assertThat(one(database)).isEqualTo(1);
    }
  }

  @Test
  void otherInstancesAreThoseOfTheRoleThatLive() throws Exception {
    long self = ProcessHandle.current().pid();
    try (InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
        InMemoryHintStore other = store.withRole("service")) {
      WatcherInfo seen = other.watchers().get(0);
      Company company =
          new Company(
              store, new Company.Self("service", seen.host(), seen.process()), Clock.systemUTC());
      assertThat(company.get()).as("itself").isEmpty();
      assertThat(
              new Company(store, new Company.Self("service", "elsewhere", self), Clock.systemUTC())
                  .get())
          .isPresent();
      assertThat(
              new Company(store, new Company.Self("other", "elsewhere", self), Clock.systemUTC())
                  .get())
          .isEmpty();
    }
  }

  @Test
  void settingsAreReadStrictlyAndToldWithoutSecrets() throws Exception {
    Configuration configuration = new Configuration(false);
    assertThat(DatabaseSettings.from(configuration).isEmbedded()).isTrue();
    configuration.set(DatabaseSettings.URL.key(), "jdbc:postgresql://h/d?user=a&password=secret");
    configuration.set(DatabaseSettings.PASSWORD.key(), "secret");
    DatabaseSettings settings = DatabaseSettings.from(configuration);
    assertThat(settings.isEmbedded()).isFalse();
    assertThat(settings.toString()).contains("//h/d").doesNotContain("secret");
    configuration.set(DatabaseSettings.URL.key(), "jdbc:mysql://h/d");
    assertThatThrownBy(() -> DatabaseSettings.from(configuration))
        .hasMessageContaining(DatabaseSettings.URL.key())
        .hasMessageContaining("jdbc:postgresql:");
  }

  private static Database started(DatabaseSettings settings, Optional<String> others) {
    Database database = new Database(settings, () -> others, Duration.ofMillis(100));
    database.start();
    return database;
  }

  private static int one(Database database) {
    return database.read(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one());
  }

  private static DatabaseSettings settings(String url) {
    return new DatabaseSettings(url, "", "", 2);
  }
}
