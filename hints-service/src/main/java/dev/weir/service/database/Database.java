package dev.weir.service.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.service.part.DaemonThreads;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of runs. It is opened in the background and, if that fails, every few seconds again.
 * Until then the service runs without it, and calls that need it are answered 503. Thread-safe.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** The time between two attempts to open it. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final DatabaseSettings settings;
  private final Supplier<Optional<String>> others;
  private final Duration pause;
  private final ScheduledExecutorService opener =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("database-"));
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile @Nullable Jdbi jdbi;
  private volatile String trouble = "it is being opened";
  private final DatabaseCallLimiter turns;
  private @Nullable HikariDataSource pool;
  private boolean closed;

  /**
   * Creates a database that is not open.
   *
   * @param others returns where another instance of the service is, if there is one; called often,
   *     must not block
   */
  public Database(DatabaseSettings settings, Supplier<Optional<String>> others, Clock clock) {
    this(settings, others, clock, PAUSE);
  }

  /**
   * Creates a database that is not open.
   *
   * @param pause the time between two attempts to open it
   */
  public Database(
      DatabaseSettings settings, Supplier<Optional<String>> others, Clock clock, Duration pause) {
    this.turns = new DatabaseCallLimiter(settings.connections(), clock);
    this.settings = settings;
    this.others = others;
    this.pause = pause;
  }

  /** Starts to open it. */
  public void start() {
    if (settings.isEmbedded()) {
      LOG.info(
          "Runs are stored in {}, which only this instance uses; for several instances set {} to"
              + " one PostgreSQL",
          settings.place(),
          DatabaseSettings.URL.key());
    }
    ScheduledFuture<?> unused =
        opener.scheduleWithFixedDelay(this::open, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns why the database cannot be used; empty if it is open and answers. Never blocks. */
  public Optional<String> trouble() {
    if (jdbi == null) {
      return Optional.of(trouble);
    }
    return turns.isStalled()
        ? Optional.of(settings.place() + " did not answer the last calls")
        : Optional.empty();
  }

  /** Returns where runs are stored, without secrets. */
  public String place() {
    return settings.place();
  }

  /**
   * Runs an action in a transaction.
   *
   * @throws ProblemException 503 if the database is unavailable, and those of the action
   */
  public <T> T inTransaction(HandleCallback<T, RuntimeException> work) {
    return use(
        handles -> {
          T result = handles.inTransaction(work);
          if (settings.isH2()) {
            // H2 writes commits half a second later, but acknowledged data must survive a kill.
            handles.useHandle(handle -> handle.execute("CHECKPOINT SYNC"));
          }
          return result;
        });
  }

  /**
   * Runs a reading action.
   *
   * @throws ProblemException 503 if the database is unavailable, and those of the action
   */
  public <T> T read(HandleCallback<T, RuntimeException> work) {
    return use(handles -> handles.withHandle(work));
  }

  private interface Use<T> {
    T of(Jdbi handles);
  }

  private <T> T use(Use<T> use) {
    try {
      return turns.take(() -> use.of(opened()));
    } catch (JdbiException e) {
      if (SqlFailures.isTooSlow(e)) {
        throw new ProblemException(
            Problem.unavailable(
                "the database of runs took longer than "
                    + settings.seconds()
                    + " s ("
                    + DatabaseSettings.TIMEOUT.key()
                    + "); ask for less, or try again"),
            e);
      }
      if (SqlFailures.isPassing(e)) {
        throw new ProblemException(
            unavailable("it does not answer: " + SqlFailures.reason(e)).problem(), e);
      }
      throw e;
    }
  }

  private Jdbi opened() {
    try {
      if (!tried.await(ConcurrencyLimit.WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw unavailable(trouble);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(Problem.unavailable("the service is stopping"), e);
    }
    Optional<String> company = company();
    if (company.isPresent()) {
      throw unavailable(company.get());
    }
    Jdbi open = jdbi;
    if (open == null) {
      throw unavailable(trouble);
    }
    return open;
  }

  /** Two instances with separate databases would give contradicting answers. */
  private Optional<String> company() {
    return settings.isEmbedded()
        ? others
            .get()
            .map(
                where ->
                    "it is H2, which supports one instance, and another instance of the"
                        + " service runs ("
                        + where
                        + "); set "
                        + DatabaseSettings.URL.key()
                        + " of all instances to one PostgreSQL")
        : Optional.empty();
  }

  public static ProblemException unavailable(String why) {
    return new ProblemException(
        Problem.unavailable("the database of runs cannot be used: " + why + "; try again"));
  }

  /** Runs on the opener's thread alone, so that slow operations hold no lock. */
  private void open() {
    if (jdbi != null) {
      return;
    }
    try {
      publish(new DatabaseOpener(settings).open());
    } catch (RuntimeException e) {
      trouble = settings.place() + " does not open: " + SqlFailures.reason(e);
      LOG.warn("Runs are not recorded now, hints are not affected: {}", trouble, e);
    } finally {
      tried.countDown();
    }
  }

  private synchronized void publish(HikariDataSource opened) {
    if (closed) {
      opened.close();
      return;
    }
    Jdbi handles = Jdbi.create(opened);
    handles.getConfig(SqlStatements.class).setQueryTimeout(settings.seconds());
    pool = opened;
    jdbi = handles;
    LOG.info("Runs are stored in {}", settings.place());
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
