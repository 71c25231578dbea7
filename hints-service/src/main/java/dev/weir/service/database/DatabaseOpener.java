package dev.weir.service.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the database of runs: a pool of connections, and the tables as this version wants them. */
final class DatabaseOpener {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseOpener.class);

  /** To connect to a server. */
  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** To find out whether a connection that was not used for a while still works. */
  private static final Duration VALIDATION = Duration.ofSeconds(1);

  /** Tables are made and brought up to date as long as it takes, but not for ever. */
  private static final Duration MIGRATION = Duration.ofMinutes(10);

  private final DatabaseSettings settings;

  DatabaseOpener(DatabaseSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens it; may take minutes.
   *
   * @return connections, for the caller to close
   * @throws RuntimeException of the database or its migration; nothing is left open
   */
  HikariDataSource open() {
    HikariDataSource opening = new HikariDataSource(config());
    try {
      settings.file().ifPresent(DatabaseOpener::keepFromOthers);
      migrate();
      return opening;
    } catch (RuntimeException e) {
      opening.close();
      throw e;
    }
  }

  /** Commands and names of everybody's runs are in it, while it is still empty here. */
  private static void keepFromOthers(Path file) {
    try {
      if (Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    } catch (IOException e) {
      LOG.warn("Users of this machine may read {}, where runs are kept", file, e);
    }
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("weir-runs");
    config.setJdbcUrl(settings.url());
    // Drivers are found by name: those of the class path may be registered elsewhere.
    config.setDriverClassName(settings.isH2() ? "org.h2.Driver" : "org.postgresql.Driver");
    if (!settings.user().isEmpty()) {
      config.setUsername(settings.user());
    }
    if (!settings.password().isEmpty()) {
      config.setPassword(settings.password());
    }
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(ConcurrencyLimit.WAIT.toMillis());
    config.setValidationTimeout(VALIDATION.toMillis());
    // A server that takes a statement and never answers does not say so: the socket has to.
    sockets(Duration.ofSeconds(settings.seconds()).plus(CONNECT))
        .forEach(config::addDataSourceProperty);
    return config;
  }

  /** What PostgreSQL's driver is told, unless the URL tells it otherwise. */
  private Map<String, String> sockets(Duration answer) {
    return settings.isH2()
        ? Map.of()
        : Map.of(
            "socketTimeout",
            Long.toString(answer.toSeconds()),
            "connectTimeout",
            Long.toString(CONNECT.toSeconds()),
            "loginTimeout",
            Long.toString(2 * CONNECT.toSeconds()),
            "cancelSignalTimeout",
            Long.toString(CONNECT.toSeconds()),
            "tcpKeepAlive",
            "true");
  }

  /**
   * Instances that start together wait for each other: Flyway takes a lock in the database. It has
   * connections of its own, for it may take longer than a call.
   */
  private void migrate() {
    Flyway.configure(DatabaseOpener.class.getClassLoader())
        .dataSource(settings.url(), emptyToNull(settings.user()), emptyToNull(settings.password()))
        .jdbcProperties(sockets(MIGRATION))
        .locations("classpath:dev/weir/service/runs/migrations")
        .table("weir_schema_history")
        .load()
        .migrate();
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
