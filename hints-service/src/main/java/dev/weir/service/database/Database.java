package dev.weir.service.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.hints.DaemonThreadFactory;
import dev.weir.service.part.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of runs. A background thread opens it, and retries every few seconds if that fails.
 * Until then calls that need it are answered 503. After a call that the database did not answer,
 * the thread asks the database until it answers. Thread-safe.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** The time between two attempts to open it, or to reach it. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

  /** The number of calls that may wait per connection. */
  private static final int WAITING = 2;

  private final DatabaseSettings settings;
  private final Supplier<Optional<String>> peers;
  private final Duration retryDelay;
  private final ScheduledExecutorService opener =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.numbered("database-"));
  private final CountDownLatch openAttempted = new CountDownLatch(1);
  private volatile @Nullable Jdbi jdbi;
  private volatile String openFailure = "it is being opened";
  private final ConcurrencyLimit concurrency;
  private volatile boolean isLost;
  private @Nullable HikariDataSource pool;
  private boolean closed;

  /**
   * Creates a database that is not open.
   *
   * @param peers returns the address of another instance of the service, if there is one; called
   *     often, must not block
   */
  public Database(DatabaseSettings settings, Supplier<Optional<String>> peers) {
    this(settings, peers, RETRY_DELAY);
  }

  /**
   * Creates a database that is not open.
   *
   * @param retryDelay the time between two attempts to open it
   */
  public Database(
      DatabaseSettings settings, Supplier<Optional<String>> peers, Duration retryDelay) {
    this.concurrency =
        new ConcurrencyLimit(
            settings.connections(),
            WAITING * settings.connections(),
            "the database of runs cannot be used: too many concurrent calls; try again");
    this.settings = settings;
    this.peers = peers;
    this.retryDelay = retryDelay;
  }

  public void start() {
    if (settings.isEmbedded()) {
      LOG.info(
          "Runs are stored in {}, which only this instance uses; for several instances set {} to"
              + " one PostgreSQL",
          settings.place(),
          DatabaseSettings.URL.key());
    }
    ScheduledFuture<?> unused =
        opener.scheduleWithFixedDelay(this::open, 0, retryDelay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns why the database cannot be used; empty if it is open and answers. Never blocks. */
  public Optional<String> unavailableReason() {
    if (jdbi == null) {
      return Optional.of(openFailure);
    }
    return isLost
        ? Optional.of(settings.place() + " did not answer the last call")
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
  public <T> T inTransaction(HandleCallback<T, RuntimeException> action) {
    return call(
        connections -> {
          T result = connections.inTransaction(action);
          if (settings.isH2()) {
            // H2 writes commits half a second later, but acknowledged data must survive a kill of
            // the process.
            connections.useHandle(handle -> handle.execute("CHECKPOINT SYNC"));
          }
          return result;
        });
  }

  /**
   * Runs a reading action.
   *
   * @throws ProblemException 503 if the database is unavailable, and those of the action
   */
  public <T> T read(HandleCallback<T, RuntimeException> action) {
    return call(connections -> connections.withHandle(action));
  }

  private <T> T call(Function<Jdbi, T> call) {
    try {
      T answer = concurrency.run(() -> call.apply(opened()));
      isLost = false;
      return answer;
    } catch (JdbiException e) {
      isLost = SqlFailures.isLost(e);
      if (SqlFailures.isTooSlow(e)) {
        throw ProblemException.unavailable(
                "the database of runs took longer than "
                    + settings.seconds()
                    + " s ("
                    + DatabaseSettings.TIMEOUT.key()
                    + "); ask for less, or try again")
            .because(e);
      }
      if (SqlFailures.isTransient(e)) {
        throw unavailable("it does not answer: " + SqlFailures.reason(e)).because(e);
      }
      throw e;
    }
  }

  private Jdbi opened() {
    try {
      if (!openAttempted.await(ConcurrencyLimit.WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw unavailable(openFailure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.unavailable("the service is stopping").because(e);
    }
    Optional<String> otherInstance = otherInstance();
    if (otherInstance.isPresent()) {
      throw unavailable(otherInstance.get());
    }
    Jdbi open = jdbi;
    if (open == null) {
      throw unavailable(openFailure);
    }
    return open;
  }

  /** Two instances with separate databases would give contradicting answers. */
  private Optional<String> otherInstance() {
    return settings.isEmbedded()
        ? peers
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
    return ProblemException.unavailable(
        "the database of runs cannot be used: " + why + "; try again");
  }

  /** Runs on the opener's thread alone, so that slow operations hold no lock. */
  private void open() {
    Jdbi open = jdbi;
    if (open != null) {
      ask(open);
      return;
    }
    try {
      publish(new DatabaseOpener(settings).open());
    } catch (RuntimeException e) {
      openFailure = settings.place() + " does not open: " + SqlFailures.reason(e);
      LOG.warn("Runs are not recorded now, hints are not affected: {}", openFailure, e);
    } finally {
      openAttempted.countDown();
    }
  }

  /** Without a call, nothing else would notice that the database answers again. */
  private void ask(Jdbi open) {
    if (!isLost) {
      return;
    }
    try {
      open.useHandle(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one());
      isLost = false;
    } catch (JdbiException e) {
      LOG.debug("{} still does not answer", settings.place(), e);
    }
  }

  private synchronized void publish(HikariDataSource opened) {
    if (closed) {
      opened.close();
      return;
    }
    Jdbi connections = Jdbi.create(opened);
    connections.getConfig(SqlStatements.class).setQueryTimeout(settings.seconds());
    pool = opened;
    jdbi = connections;
    LOG.info("Runs are stored in {}", settings.place());
  }

  @Override
  public void close() {
    opener.shutdownNow();
    synchronized (this) {
      closed = true;
      jdbi = null;
      openFailure = "the service is stopping";
      openAttempted.countDown();
      if (pool != null) {
        pool.close();
      }
    }
  }
}
