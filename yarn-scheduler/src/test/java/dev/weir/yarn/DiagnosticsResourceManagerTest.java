package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.lookup.LocationCache;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.junit.jupiter.api.Test;

/** Diagnostics of a running application. */
class DiagnosticsResourceManagerTest {

  private static final long MB = 1024 * 1024;

  @Test
  void diagnosticsDoNotRevealWhichFilesExist() throws Exception {
    try (TestResourceManager rm = new TestResourceManager(false, ManualExecutor.immediate())) {
      rm.files.file("/secret", Map.of("h1", MB)).readableOnlyBy("root", "/secret");
      MockAM am = rm.application("alice");
      RMApp app = app(rm, am);

      allocate(am, Asks.named("weir:/secret", 1));
      String secret = app.getDiagnostics().toString();
      allocate(am, Asks.named("weir:/secret", 0));
      allocate(am, Asks.named("weir:/nowhere", 1));
      String nowhere = app.getDiagnostics().toString();

      assertThat(nowhere)
          .isEqualTo(
              "Weir: containers may run on any node: priority 1, allocation request id -1: a name"
                  + " does not exist or may not be read");
      // No paths, because YARN shows this to all users.
      assertThat(secret).isEqualTo(nowhere);
    }
  }

  @Test
  void diagnosticsLastAsLongAsTheAsk() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm =
        new TestResourceManager(
            new TestResourceManager.Setup(
                TestResourceManager.configuration(false, true), lookups))) {
      MockAM am = rm.application("alice");
      RMApp app = app(rm, am);
      allocate(am, Asks.named("weir:/nowhere", 2));
      lookups.runAll();
      allocate(am, List.of());
      String diagnostics = app.getDiagnostics().toString();
      assertThat(diagnostics).contains("does not exist");

      // The name is looked up again.
      rm.clock.advance(LocationCache.USABLE_MILLIS);
      allocate(am, Asks.named("weir:/nowhere", 1));
      assertThat(app.getDiagnostics().toString()).isEqualTo(diagnostics);
      allocate(am, List.of(Asks.ask(2, "weir:/later", 1), Asks.ask(2, "*", 1)));
      assertThat(app.getDiagnostics().toString()).isEqualTo(diagnostics);

      allocate(am, Asks.named("weir:/nowhere", 0));
      assertThat(app.getDiagnostics().toString()).doesNotContain("Weir");
    }
  }

  /**
   * A first heartbeat may overtake the registration in the ResourceManager, whose own thread then
   * clears the diagnostics.
   */
  @Test
  void diagnosticsAreSetAgainAfterYarnClearsThem() throws Exception {
    try (TestResourceManager rm = new TestResourceManager(false, ManualExecutor.immediate())) {
      MockAM am = rm.application("alice");
      RMApp app = app(rm, am);
      RMAppAttempt attempt = app.getCurrentAppAttempt();
      attempt.updateAMLaunchDiagnostics("AM is launched");
      allocate(am, Asks.named("weir:/nowhere", 1));
      assertThat(attempt.getDiagnostics()).isEqualTo("AM is launched");

      attempt.updateAMLaunchDiagnostics(null);
      allocate(am, List.of());
      assertThat(attempt.getDiagnostics()).contains("does not exist");

      attempt.updateAMLaunchDiagnostics(null);
      allocate(am, List.of());
      assertThat(attempt.getDiagnostics()).contains("does not exist");
      allocate(am, Asks.named("weir:/nowhere", 0));
      allocate(am, List.of());
      assertThat(attempt.getDiagnostics()).isEmpty();
    }
  }

  private static RMApp app(TestResourceManager rm, MockAM am) {
    return Objects.requireNonNull(
        rm.rm().getRMContext().getRMApps().get(am.getApplicationAttemptId().getApplicationId()));
  }
}
