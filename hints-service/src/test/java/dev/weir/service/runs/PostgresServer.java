package dev.weir.service.runs;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server from a jar with its programs, on a free port with its own data directory. As
 * root it is started in a user namespace, because it refuses to run as root.
 */
final class PostgresServer implements AutoCloseable {
  /** The initialisation takes a second on an idle machine and ten on a busy one. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

  private final EmbeddedPostgres server;

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Returns a server, or skips the test with the reason. */
  static PostgresServer startedOrSkipped() {
    try {
      return new PostgresServer(
          EmbeddedPostgres.builder()
              .setPGStartupWait(START_TIMEOUT)
              .setServerConfig("fsync", "off")
              .start());
    } catch (IOException | RuntimeException e) {
      return Assumptions.abort(
          "PostgreSQL does not start on this machine (as root it needs 'unshare -U', of"
              + " util-linux): "
              + e);
    }
  }

  int port() {
    return server.getPort();
  }

  String url() {
    return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
  }

  String user() {
    return "postgres";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
