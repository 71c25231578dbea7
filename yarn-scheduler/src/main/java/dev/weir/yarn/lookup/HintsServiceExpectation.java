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
 * Asks the hints service, which knows the hints and the DataNodes. Calls it on behalf of the user
 * whose files they are, so that nothing is disclosed to other users. A service that is slow or away
 * is left alone for a while for all users. A refusal affects one user only. Thread-safe.
 */
final class HintsServiceExpectation implements HintedLocationLookup.Expectation {

  /** A later answer is of no use to an ask. */
  private static final Duration BOUND = Duration.ofSeconds(1);

  /**
   * The most requests per second, so that a flood of missing files does not reach the service. One
   * user gets at most half of them, the next half of the rest, and so on.
   */
  static final int MOST_A_SECOND = 100;

  private static final int MAX_USERS = 100;
  private static final int MAX_HOSTS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(HintsServiceExpectation.class);

  private final Configuration conf;
  private final ClientSettings settings;
  private final LongSupplier clock;
  private final Duration bound;
  private final ServiceBackoff rest;
  private final LruMap<String, BestEffortHintsClient> clients = new LruMap<>(MAX_USERS);
  private @Nullable HintsClient connections;
  private boolean closed;
  private final Map<String, Integer> askedBy = new HashMap<>();
  private long second;
  private int asked;

  /**
   * Creates a client of the service of these settings, which must be enabled.
   *
   * @param clock milliseconds
   */
  HintsServiceExpectation(Configuration conf, ClientSettings settings, LongSupplier clock) {
    this(conf, settings, clock, BOUND);
  }

  /** Creates a client with a given limit for one answer. */
  HintsServiceExpectation(
      Configuration conf, ClientSettings settings, LongSupplier clock, Duration bound) {
    this.bound = bound;
    this.conf = conf;
    this.settings = settings;
    this.clock = clock;
    this.rest = new ServiceBackoff(() -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong()));
  }

  @Override
  public List<String> hosts(String user, List<String> paths) {
    if (!mayAsk(user)) {
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

  private synchronized boolean mayAsk(String user) {
    long now = clock.getAsLong() / 1_000;
    if (now != second) {
      second = now;
      asked = 0;
      askedBy.clear();
    }
    int its = askedBy.getOrDefault(user, 0);
    boolean may = its < MOST_A_SECOND - asked;
    if (may) {
      askedBy.put(user, its + 1);
      asked++;
    }
    return may;
  }

  private BestEffortHintsClient client(String user) throws IOException {
    BestEffortHintsClient gone = null;
    try {
      synchronized (clients) {
        if (closed) {
          throw new IOException("closed");
        }
        BestEffortHintsClient known = clients.get(user);
        if (known != null) {
          return known;
        }
        BestEffortHintsClient made =
            new BestEffortHintsClient(connections().as(UserFileSystems.login(user)), bound, rest);
        gone = clients.put(user, made);
        return made;
      }
    } finally {
      if (gone != null) {
        gone.close();
      }
    }
  }

  /**
   * Shared by all users, because each client of its own would have a thread. The caller holds the
   * lock.
   */
  private HintsClient connections() throws IOException {
    HintsClient shared = connections;
    if (shared == null) {
      shared =
          HintsClient.open(
              conf, settings.waiting(bound, bound), UserGroupInformation.getLoginUser());
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
