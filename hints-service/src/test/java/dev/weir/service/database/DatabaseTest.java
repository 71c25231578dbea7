package dev.weir.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  @TempDir private Path directory;

  @Test
  void dataSurvivesReopen() {
    DatabaseSettings settings = settings("jdbc:h2:" + directory.resolve("runs"));
    for (int i = 0; i < 2; i++) {
      try (Database database = started(settings)) {
        Awaitility.await().until(() -> database.unavailableReason().isEmpty());
        assertThat(one(database)).isEqualTo(1);
      }
    }
  }

  @Test
  void fileLockedByAnotherProcessIsUnavailable() throws Exception {
    Path file = directory.resolve("runs");
    Process owner = H2OwnerProcess.of(file);
    try (Database database = started(settings("jdbc:h2:" + file))) {
      awaitUnavailable(database, "already in use");
      assertThatThrownBy(() -> one(database))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("already in use");
      owner.destroyForcibly().waitFor();
      Awaitility.await().until(() -> database.unavailableReason().isEmpty());
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void reportsUnavailableDatabaseAndOpensItLater() throws Exception {
    Path file = directory.resolve("not-a-directory");
    Files.writeString(file, "in the way");
    try (Database database = started(settings("jdbc:h2:" + file + "/runs"))) {
      awaitUnavailable(database, "does not open");
      assertThatThrownBy(() -> one(database))
          .isInstanceOfSatisfying(
              ProblemException.class, e -> assertThat(e.problem().status()).isEqualTo(503))
          .hasMessageContaining("does not open");
      assertThat(database.unavailableReason()).isPresent();
      Files.delete(file);
      Awaitility.await().until(() -> database.unavailableReason().isEmpty());
      assertThat(one(database)).isEqualTo(1);
    }
  }

  @Test
  void isAvailableAgainWithoutACallOnceItAnswers() {
    // The pool does not test a connection that was used half a second ago.
    Duration retryDelay = Duration.ofSeconds(1);
    try (Database database =
        new Database(
            settings("jdbc:h2:" + directory.resolve("runs")), Optional::empty, retryDelay)) {
      database.start();
      Awaitility.await().until(() -> database.unavailableReason().isEmpty());

      assertThatThrownBy(
              () -> database.read(handle -> handle.execute("SHUTDOWN") + handle.execute("CALL 1")))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("does not answer");

      Awaitility.await().until(() -> database.unavailableReason().isEmpty());
    }
  }

  @Test
  void embeddedDatabaseRefusesSecondInstance() {
    AtomicReference<Optional<String>> other = new AtomicReference<>(Optional.of("there"));
    try (Database database =
        new Database(settings("jdbc:h2:mem:alone"), other::get, Duration.ofMillis(100))) {
      database.start();
      Awaitility.await().until(() -> database.unavailableReason().isEmpty());
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
  void findsLiveInstancesOfRole() throws Exception {
    long self = ProcessHandle.current().pid();
    try (InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
        InMemoryHintStore other = store.withRole("service")) {
      WatcherInfo seen = other.watchers().get(0);
      assertThat(other(store, "service", seen.host(), seen.process())).as("itself").isEmpty();
      assertThat(other(store, "service", "elsewhere", self)).isPresent();
      assertThat(other(store, "other", "elsewhere", self)).isEmpty();
    }
  }

  private static Optional<String> other(HintStore store, String role, String host, long process) {
    try (PeerInstances peers =
        new PeerInstances(store::watchers, new PeerInstances.Self(role, host, process))) {
      peers.refresh();
      return peers.get();
    }
  }

  @Test
  void unresponsiveStoreBlocksNoRequest() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (PeerInstances peers =
        new PeerInstances(
            () -> {
              called.countDown();
              return awaited(never);
            },
            new PeerInstances.Self("service", "here", 1))) {
      peers.start();
      called.await();
      assertThat(peers.get()).isEmpty();
    } finally {
      never.countDown();
    }
  }

  private static List<WatcherInfo> awaited(CountDownLatch latch) throws IOException {
    try {
      latch.await();
      return List.of();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the test is over");
    }
  }

  @Test
  void settingsAreStrictAndPrintedWithoutSecrets() throws Exception {
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

  private static void awaitUnavailable(Database database, String words) {
    Awaitility.await()
        .until(() -> database.unavailableReason().filter(t -> t.contains(words)).isPresent());
  }

  private static Database started(DatabaseSettings settings) {
    Database database = new Database(settings, Optional::empty, Duration.ofMillis(100));
    database.start();
    return database;
  }

  private static int one(Database database) {
    return database.read(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one());
  }

  private static DatabaseSettings settings(String url) {
    return new DatabaseSettings(url, "", "", 2, Duration.ofSeconds(10));
  }
}
