package dev.weir.yarn.lookup;

import dev.weir.hints.client.BestEffortHintsClient;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.NodeBytes;
import dev.weir.hints.client.Ranking;
import dev.weir.hints.client.ServiceBackoff;
import dev.weir.hints.client.http.ClientSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets expected locations from the hints service. Calls it on behalf of the user who names the
 * files, so that nothing is disclosed to other users. If the service is slow or unreachable, no
 * request of any user is sent for a while. A refusal affects one user only. Thread-safe.
 */
final class HintsServiceExpectation implements HintedLocationLookup.Expectation {

  /** Asks are not held longer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /**
   * The most requests per second, so that a flood of missing files does not reach the service. One
   * user gets at most half of them, the next half of the rest, and so on.
   */
  static final int MAX_PER_SECOND = 100;

  private static final int MAX_USERS = 100;
  private static final int MAX_HOSTS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(HintsServiceExpectation.class);

  private final Configuration conf;
  private final ClientSettings settings;
  private final LongSupplier clock;
  private final Duration timeout;
  private final ServiceBackoff backoff;
  private final LruMap<String, BestEffortHintsClient> clients = new LruMap<>(MAX_USERS);
  private @Nullable HintsClient connections;
  private boolean closed;
  private final Map<String, Integer> requestsByUser = new HashMap<>();
  private long second;
  private int requests;

  /**
   * Creates a client of the service of these settings, which must be enabled.
   *
   * @param clock milliseconds
   */
  HintsServiceExpectation(Configuration conf, ClientSettings settings, LongSupplier clock) {
    this(conf, settings, clock, TIMEOUT);
  }

  /** Creates a client with a given limit for one answer. */
  HintsServiceExpectation(
      Configuration conf, ClientSettings settings, LongSupplier clock, Duration timeout) {
    this.timeout = timeout;
    this.conf = conf;
    this.settings = settings;
    this.clock = clock;
    this.backoff = new ServiceBackoff(() -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong()));
  }

  @Override
  public List<String> hosts(String user, List<String> paths) {
    if (!permits(user)) {
      return List.of();
    }
    try {
      Optional<Ranking> ranking = client(user).rank(paths, MAX_HOSTS);
      return ranking.map(Ranking::nodes).orElse(List.of()).stream().map(NodeBytes::host).toList();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot ask the hints service for {}", user, e);
      return List.of();
    }
  }

  private synchronized boolean permits(String user) {
    long now = clock.getAsLong() / 1_000;
    if (now != second) {
      second = now;
      requests = 0;
      requestsByUser.clear();
    }
    int requestsOfUser = requestsByUser.getOrDefault(user, 0);
    boolean permitted = requestsOfUser < MAX_PER_SECOND - requests;
    if (permitted) {
      requestsByUser.put(user, requestsOfUser + 1);
      requests++;
    }
    return permitted;
  }

  private BestEffortHintsClient client(String user) throws IOException {
    BestEffortHintsClient evicted = null;
    try {
      synchronized (clients) {
        if (closed) {
          throw new IOException("closed");
        }
        BestEffortHintsClient known = clients.get(user);
        if (known != null) {
          return known;
        }
        BestEffortHintsClient created =
            new BestEffortHintsClient(
                connections().as(UserFileSystems.login(user)), timeout, backoff);
        evicted = clients.put(user, created);
        return created;
      }
    } finally {
      if (evicted != null) {
        evicted.close();
      }
    }
  }

  /** Shared by all users, because each client has connections. The caller holds the lock. */
  private HintsClient connections() throws IOException {
    HintsClient shared = connections;
    if (shared == null) {
      shared =
          HintsClient.open(
              conf, settings.waiting(timeout, timeout), UserGroupInformation.getLoginUser());
      connections = shared;
    }
    return shared;
  }

  @Override
  public void close() {
    HintsClient shared;
    List<BestEffortHintsClient> all;
    synchronized (clients) {
      closed = true;
      all = clients.removeAll();
      shared = connections;
      connections = null;
    }
    all.forEach(BestEffortHintsClient::close);
    if (shared != null) {
      shared.close();
    }
  }
}
