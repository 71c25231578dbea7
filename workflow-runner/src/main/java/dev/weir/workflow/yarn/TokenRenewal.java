package dev.weir.workflow.yarn;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.ServiceAuthCookies;
import dev.weir.workflow.hdfs.PlainHdfs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.util.List;
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
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the delegation tokens of an ApplicationMaster and its workers before they end, with its
 * user's keytab. The new tokens are never renewed after that: when three quarters of their first
 * term have passed, others replace them. Cookies of the hints service are replaced likewise, each
 * with retries of its own.
 */
public final class TokenRenewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TokenRenewal.class);

  private static final String COOKIE_SECONDS_KEY = "hadoop.http.authentication.token.validity";
  private static final long DEFAULT_COOKIE_SECONDS = 36_000;

  /** The part of the term of tokens or cookies after which others replace them. */
  private static final double SHARE = 0.75;

  private static final long RETRY_MILLIS = 20_000;
  private static final long MAX_RETRY_MILLIS = 600_000;

  /** At the first retry a quarter of the term is left. */
  private static final int RETRIES_A_TERM = 16;

  private static final int MAX_DOUBLINGS = 10;
  private static final long LEAST_MILLIS = 1_000;

  private final UserKeytab keytab;
  private final Configuration conf;
  private final URI fileSystem;
  private final Clock clock;
  private final Consumer<Credentials> workers;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("tokens"));

  /** The tokens of this round. Those of a failed try stay, so that retries request only others. */
  private Credentials round = new Credentials();

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

  /** Replaces tokens and cookies now, and then whenever they are due. */
  public void start() {
    thread.execute(() -> repeat("delegation tokens", this::replaceTokens, 0, Long.MAX_VALUE));
    thread.execute(() -> repeat("cookies", this::replaceCookies, 0, cookieMillis()));
  }

  /** Makes new tokens or cookies, which returns their term in milliseconds, again and again. */
  private void repeat(
      String what, CallableRaisingIOE<Long> replacement, int failures, long lastTerm) {
    int failed = failures;
    long term = lastTerm;
    long pause;
    try {
      term = replacement.apply();
      failed = 0;
      pause = pauseMillis(term);
      LOG.info("The {} are new; the next ones follow in {} s", what, pause / 1_000);
    } catch (IOException | RuntimeException e) {
      pause = retryMillis(failed, term);
      failed++;
      LOG.warn("Cannot replace the {}; the next try is in {} s", what, pause / 1_000, e);
    }
    int nextFailures = failed;
    long nextTerm = term;
    Future<?> unused =
        thread.schedule(
            () -> repeat(what, replacement, nextFailures, nextTerm), pause, TimeUnit.MILLISECONDS);
  }

  private long cookieMillis() {
    return TimeUnit.SECONDS.toMillis(conf.getLong(COOKIE_SECONDS_KEY, DEFAULT_COOKIE_SECONDS));
  }

  static long pauseMillis(long term) {
    return Math.max(LEAST_MILLIS, (long) (SHARE * term));
  }

  /**
   * Returns how long to wait after a failure: each time twice as long, up to a small part of the
   * term.
   *
   * @param failures number of failures before this one
   * @param term of the last tokens, in milliseconds
   */
  static long retryMillis(int failures, long term) {
    long most = Math.max(RETRY_MILLIS, Math.min(MAX_RETRY_MILLIS, term / RETRIES_A_TERM));
    return Math.min(most, RETRY_MILLIS << Math.min(failures, MAX_DOUBLINGS));
  }

  private long replaceTokens() throws IOException {
    int before = round.numberOfTokens();
    try {
      long end = asUser(this::requestTokens);
      use(round);
      round = new Credentials();
      return end - clock.millis();
    } catch (IOException | RuntimeException e) {
      if (round.numberOfTokens() > before) {
        use(round);
      }
      throw e;
    }
  }

  private void use(Credentials fresh) throws IOException {
    UserGroupInformation.getCurrentUser().addCredentials(fresh);
    workers.accept(ContainerTokens.ofWorkers(fresh));
  }

  /** Requests the missing tokens of this round, and returns when the first of all ends. */
  private long requestTokens(UserGroupInformation user) throws IOException {
    ConsumerRaisingIOE<Credentials> issuer =
        tokens -> {
          try (FileSystem fs = PlainHdfs.open(fileSystem, conf)) {
            // Skips services for which there is a token already.
            fs.addDelegationTokens(user.getUserName(), tokens);
          }
        };
    return complete(round, issuer, token -> token.renew(conf));
  }

  /** Renews tokens. */
  interface Renewer {

    /** Returns when the token ends. */
    long renew(Token<?> token) throws IOException, InterruptedException;
  }

  /**
   * Adds the missing tokens. The others are renewed, because they may be from a failed try. One
   * that cannot be renewed is removed, so that the next try requests another.
   *
   * @param issuer adds the tokens that are missing, and as many as possible if it fails
   * @return when the first token ends
   */
  static long complete(Credentials tokens, ConsumerRaisingIOE<Credentials> issuer, Renewer renewer)
      throws IOException {
    @Nullable IOException failure = null;
    try {
      issuer.accept(tokens);
    } catch (IOException e) {
      failure = e;
    }
    long end = Long.MAX_VALUE;
    for (Token<?> token : List.copyOf(tokens.getAllTokens())) {
      try {
        // Only a renewal tells when a token ends.
        end = Math.min(end, renewer.renew(token));
      } catch (IOException e) {
        tokens.getAllTokens().remove(token);
        failure = failure == null ? e : failure;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while making new tokens");
      }
    }
    if (failure != null) {
      throw failure;
    }
    return end;
  }

  private long replaceCookies() throws IOException {
    ClientSettings service = ClientSettings.from(conf);
    Credentials cookies = new Credentials();
    boolean unused =
        asUser(
            user -> {
              ServiceAuthCookies.collect(conf, service, user, cookies);
              return true;
            });
    UserGroupInformation.getCurrentUser().addCredentials(cookies);
    if (cookies.numberOfSecretKeys() < service.urls().size()) {
      throw new IOException("not all of " + service.urls() + " have given a cookie");
    }
    return cookieMillis();
  }

  private <T> T asUser(FunctionRaisingIOE<UserGroupInformation, T> request) throws IOException {
    UserGroupInformation user =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            keytab.principal(), keytab.file().toString());
    PrivilegedExceptionAction<T> action = () -> request.apply(user);
    try {
      return user.doAs(action);
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
