package dev.weir.workflow.yarn;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.hdfs.PlainHdfs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the delegation tokens of an ApplicationMaster and its workers before they end, with its
 * user's keytab. The new tokens are never renewed: after three quarters of their first term others
 * replace them. Cookies of the hints service are replaced with them.
 */
public final class TokenRenewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TokenRenewal.class);

  private static final String COOKIE_SECONDS_KEY = "hadoop.http.authentication.token.validity";
  private static final long DEFAULT_COOKIE_SECONDS = 36_000;
  private static final double SHARE = 0.75;
  private static final long RETRY_MILLIS = 20_000;
  private static final long LEAST_MILLIS = 1_000;

  private final UserKeytab keytab;
  private final Configuration conf;
  private final URI fileSystem;
  private final Clock clock;
  private final Consumer<Credentials> workers;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("tokens"));

  /**
   * Creates a renewal that has not begun.
   *
   * @param conf of the cluster, with the address of the hints service
   * @param fileSystem the HDFS of the containers
   * @param workers gets the tokens of workers when they change
   */
  public TokenRenewal(
      UserKeytab keytab,
      Configuration conf,
      URI fileSystem,
      Clock clock,
      Consumer<Credentials> workers) {
    this.keytab = keytab;
    this.conf = new Configuration(conf);
    this.conf.setBoolean(PlainHdfs.HINTS_KEY, false);
    this.fileSystem = fileSystem;
    this.clock = clock;
    this.workers = workers;
  }

  /** Replaces the tokens now, and then whenever they are due. */
  public void start() {
    thread.execute(this::replace);
  }

  private void replace() {
    long pause = RETRY_MILLIS;
    try {
      Fresh fresh = request();
      UserGroupInformation.getCurrentUser().addCredentials(fresh.credentials());
      workers.accept(ContainerTokens.ofWorkers(fresh.credentials()));
      pause = pauseMillis(fresh.endMillis() - clock.millis(), cookieMillis());
      LOG.info("The delegation tokens are new; the next ones follow in {} s", pause / 1_000);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot make new delegation tokens; the next try is in {} s", pause / 1_000, e);
    }
    Future<?> unused = thread.schedule(this::replace, pause, TimeUnit.MILLISECONDS);
  }

  private long cookieMillis() {
    return TimeUnit.SECONDS.toMillis(conf.getLong(COOKIE_SECONDS_KEY, DEFAULT_COOKIE_SECONDS));
  }

  /** Returns how long new tokens are used. */
  static long pauseMillis(long tokenMillis, long cookieMillis) {
    return Math.max(LEAST_MILLIS, (long) (SHARE * Math.min(tokenMillis, cookieMillis)));
  }

  /** New credentials, and when the first of the tokens ends. */
  private record Fresh(Credentials credentials, long endMillis) {}

  private Fresh request() throws IOException {
    UserGroupInformation user =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            keytab.principal(), keytab.file().toString());
    PrivilegedExceptionAction<Fresh> request =
        () -> {
          Credentials credentials = new Credentials();
          try (FileSystem fs = PlainHdfs.open(fileSystem, conf)) {
            fs.addDelegationTokens(user.getUserName(), credentials);
          }
          long end = Long.MAX_VALUE;
          for (Token<?> token : credentials.getAllTokens()) {
            // Only a renewal tells when a token ends.
            end = Math.min(end, token.renew(conf));
          }
          ContainerTokens.addCookies(conf, user, credentials);
          return new Fresh(credentials, end);
        };
    try {
      return user.doAs(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while making new tokens");
    }
  }

  /** Ends the replacements. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
