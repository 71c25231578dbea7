package dev.weir.service.runs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.service.part.Daemons;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of runs. It is opened in the background, and again every few seconds while that
 * fails: the service goes on without it, and calls that need it are answered 503. For any thread.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** Between two attempts to open it. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** How long a call waits for a database that is being opened, or a free connection. */
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final DatabaseSettings settings;
  private final Supplier<Optional<String>> others;
  private final Duration pause;
  private final ScheduledExecutorService opener =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("database-"));
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile @Nullable Jdbi jdbi;
  private volatile String trouble = "it is being opened";
  private @Nullable HikariDataSource pool;
  private boolean closed;

  /**
   * A database that is not open.
   *
   * @param others says where another instance of the service is, if there is one; may be asked
   *     often, and never waits long
   */
  Database(DatabaseSettings settings, Supplier<Optional<String>> others) {
    this(settings, others, PAUSE);
  }

  /**
   * A database that is not open.
   *
   * @param pause between two attempts to open it
   */
  Database(DatabaseSettings settings, Supplier<Optional<String>> others, Duration pause) {
    this.settings = settings;
    this.others = others;
    this.pause = pause;
  }

  /** Begins to open it. */
  void start() {
    if (settings.isEmbedded()) {
      LOG.info(
          "Runs are kept in {}, which is of this instance alone; for several instances set {} to"
              + " one PostgreSQL",
          settings.place(),
          DatabaseSettings.URL.key());
    }
    ScheduledFuture<?> unused =
        opener.scheduleWithFixedDelay(this::open, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What keeps it from being opened; empty when it is open. Never waits. */
  Optional<String> trouble() {
    return jdbi == null ? Optional.of(trouble) : Optional.empty();
  }

  /** Where runs are kept, without secrets. */
  String place() {
    return settings.place();
  }

  /**
   * Does something in a transaction; all of it counts, or nothing.
   *
   * @throws ProblemException 503 when the database is away, and those of the work
   */
  <T> T inTransaction(HandleCallback<T, RuntimeException> work) {
    return use(
        handles -> {
          T result = handles.inTransaction(work);
          if (settings.isH2()) {
            // H2 writes commits half a second later; what was acknowledged outlives a kill.
            handles.useHandle(handle -> handle.execute("CHECKPOINT SYNC"));
          }
          return result;
        });
  }

  /**
   * Reads something.
   *
   * @throws ProblemException 503 when the database is away, and those of the work
   */
  <T> T read(HandleCallback<T, RuntimeException> work) {
    return use(handles -> handles.withHandle(work));
  }

  private interface Use<T> {
    T of(Jdbi handles);
  }

  private <T> T use(Use<T> use) {
    Jdbi open = opened();
    try {
      return use.of(open);
    } catch (JdbiException e) {
      if (isAway(e)) {
        throw unavailable("it does not answer: " + reason(e), e);
      }
      throw e;
    }
  }

  private Jdbi opened() {
    try {
      if (!tried.await(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw unavailable(trouble, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("the service is stopping", e);
    }
    Optional<String> company = company();
    if (company.isPresent()) {
      throw unavailable(company.get(), null);
    }
    Jdbi open = jdbi;
    if (open == null) {
      throw unavailable(trouble, null);
    }
    return open;
  }

  /** Two instances that answer from databases of their own would contradict each other. */
  private Optional<String> company() {
    return settings.isEmbedded()
        ? others
            .get()
            .map(
                where ->
                    "it is H2, which is for one instance, and another instance of the service runs"
                        + " ("
                        + where
                        + "); set "
                        + DatabaseSettings.URL.key()
                        + " of all to one PostgreSQL")
        : Optional.empty();
  }

  private static ProblemException unavailable(String why, @Nullable Throwable cause) {
    Problem problem = Problem.unavailable("the database of runs cannot be used: " + why);
    return cause == null ? new ProblemException(problem) : new ProblemException(problem, cause);
  }

  private synchronized void open() {
    if (closed || jdbi != null) {
      return;
    }
    HikariDataSource opening = null;
    try {
      opening = new HikariDataSource(config());
      settings.file().ifPresent(Database::keepFromOthers);
      migrate(opening);
      pool = opening;
      jdbi = Jdbi.create(opening);
      LOG.info("Runs are kept in {}", settings.place());
    } catch (RuntimeException e) {
      if (opening != null) {
        opening.close();
      }
      trouble = settings.place() + " does not open: " + reason(e);
      LOG.warn("Runs are not recorded for now, hints are not affected: {}", trouble, e);
    } finally {
      tried.countDown();
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
    config.setConnectionTimeout(WAIT.toMillis());
    return config;
  }

  /** Instances that start together wait for each other: Flyway takes a lock in the database. */
  private void migrate(HikariDataSource source) {
    Flyway.configure(Database.class.getClassLoader())
        .dataSource(source)
        .locations("classpath:dev/weir/service/runs/migrations")
        .table("weir_schema_history")
        .load()
        .migrate();
  }

  /** Connections that broke, servers that stop or have too much to do, and lost races. */
  private static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        String state = String.valueOf(sql.getSQLState());
        if (cause instanceof java.sql.SQLTransientException
            || state.startsWith("08")
            || state.startsWith("57P")
            || state.startsWith("53")
            || state.startsWith("40")
            || state.startsWith("90098")
            || state.startsWith("90121")) {
          return true;
        }
      }
    }
    return false;
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof SQLException)
        && (cause instanceof FlywayException
            || cause instanceof JdbiException
            || cause instanceof RuntimeException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ");
  }

  /** Whether somebody else has inserted the same at the same time. */
  static boolean isDuplicate(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && "23505".equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    opener.shutdownNow();
    synchronized (this) {
      closed = true;
      jdbi = null;
      trouble = "the service is stopping";
      tried.countDown();
      if (pool != null) {
        pool.close();
      }
    }
  }
}
