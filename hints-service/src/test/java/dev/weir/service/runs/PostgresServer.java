package dev.weir.service.runs;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/**
 * PostgreSQL's own server, from a jar with its programs, on a free port with its data in a
 * directory of its own. As root it is started in a user namespace, for it refuses to be root.
 */
final class PostgresServer implements AutoCloseable {
  /** Initialising its data takes a second where nothing else runs, and ten where much does. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final EmbeddedPostgres server;

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /** A server, or a test that is skipped with the reason. */
  static PostgresServer startedOrSkipped() {
    try {
      return new PostgresServer(
          EmbeddedPostgres.builder()
              .setPGStartupWait(PATIENCE)
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
