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

/**
 * Opens the database of runs: creates the connection pool and migrates the tables to this version.
 */
final class DatabaseOpener {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseOpener.class);

  /** The timeout of a connection attempt. */
  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** The timeout of the check whether an idle connection still works. */
  private static final Duration VALIDATION = Duration.ofSeconds(1);

  /** The limit of a migration, which may take long. */
  private static final Duration MIGRATION = Duration.ofMinutes(10);

  private final DatabaseSettings settings;

  DatabaseOpener(DatabaseSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens the database; may take minutes.
   *
   * @return the connection pool, which the caller closes
   * @throws RuntimeException of the database or its migration; nothing is left open
   */
  HikariDataSource open() {
    HikariDataSource connections = new HikariDataSource(config());
    try {
      settings.file().ifPresent(DatabaseOpener::restrictAccess);
      migrate();
      return connections;
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  /**
   * Restricts access to the file before the first run is stored, because it will contain the
   * commands and file names of all users.
   */
  private static void restrictAccess(Path file) {
    try {
      if (Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    } catch (IOException e) {
      LOG.warn("Users of this machine may read {}, where runs are stored", file, e);
    }
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("weir-runs");
    config.setJdbcUrl(settings.url());
    // The driver is named explicitly, because drivers of this class path may be registered
    // elsewhere.
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
    // Only a socket timeout detects a server that accepts a statement and never answers.
    socketTimeouts(Duration.ofSeconds(settings.seconds()).plus(CONNECT))
        .forEach(config::addDataSourceProperty);
    return config;
  }

  /** The properties of PostgreSQL's driver, which the URL may override. */
  private Map<String, String> socketTimeouts(Duration answerTimeout) {
    return settings.isH2()
        ? Map.of()
        : Map.of(
            "socketTimeout",
            Long.toString(answerTimeout.toSeconds()),
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
   * Migrates the tables. Instances that start together wait for each other by Flyway's lock in the
   * database. Flyway has separate connections, because it may take longer than a call.
   */
  private void migrate() {
    Flyway.configure(DatabaseOpener.class.getClassLoader())
        .dataSource(settings.url(), emptyToNull(settings.user()), emptyToNull(settings.password()))
        .jdbcProperties(socketTimeouts(MIGRATION))
        .locations("classpath:dev/weir/service/runs/migrations")
        .table("weir_schema_history")
        .load()
        .migrate();
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
