package dev.weir.service.runs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.Backends;
import dev.weir.service.SingleInstance;
import dev.weir.service.TestServer;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.ProxyUserFileSystems;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slow file system does not hold a connection to the database. */
class HeldConnectionTest {
  private static final String BOB = "bob";

  @TempDir private Path data;

  /** Runs an action before each call of a user. */
  private record Asking(CallerFileSystems callers, Runnable before) implements CallerFileSystems {
    @Override
    public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
        throws IOException {
      if (user.equals(BOB)) {
        before.run();
      }
      return callers.call(user, authority, operation);
    }

    @Override
    public String self() {
      return callers.self();
    }

    @Override
    public void close() {
      callers.close();
    }
  }

  /** The service that is called during a call to the file system, and the number of such calls. */
  private static final class Nested {
    private @Nullable RunClient calls;
    private int callCount;

    void ask() {
      try {
        requireNonNull(calls).get(BOB, "/v1/runs", 200);
        callCount++;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void holdsNoConnectionDuringFileSystemCalls() throws Exception {
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (String file : List.of("raw", "out")) {
      Files.writeString(data.resolve(file), "text");
      Files.setLastModifiedTime(data.resolve(file), FileTime.from(RunClient.START.plusSeconds(15)));
    }
    Nested nested = new Nested();
    Backends backends =
        new Backends(
            configuration -> new InMemoryHintStore(Clock.systemUTC()),
            configuration ->
                new Asking(
                    new ProxyUserFileSystems(configuration, CallerSettings.from(configuration)),
                    nested::ask),
            (configuration, name) -> new SingleInstance(),
            Clock.systemUTC());
    String self = UserGroupInformation.getLoginUser().getShortUserName();
    try (TestServer server =
        new TestServer(
            backends,
            Map.of(
                DatabaseSettings.URL.key(),
                "jdbc:h2:mem:" + UUID.randomUUID(),
                DatabaseSettings.CONNECTIONS.key(),
                "1"))) {
      RunClient calls = new RunClient(server);
      nested.calls = calls;
      server.awaitDatabase();
      calls.put(self, "r", RunClient.head(data.toString(), RunPhase.RUNNING), 201);
      calls.add(
          self,
          "r",
          RunPart.ofTasks(List.of(), List.of(RunClient.task("t", List.of("raw"), List.of("out")))),
          200);
      calls.add(self, "r", RunPart.ofAttempts(List.of(RunClient.attempt("t", 1, 10))), 200);

      Lineage found = calls.lineage(BOB, data.resolve("out").toString());

      assertThat(found.attempts()).hasSize(1);
      assertThat(found.files()).hasSize(2);
      assertThat(nested.callCount).as("for the file and for its input").isEqualTo(2);
    }
  }
}
