package dev.weir.it.service;

import static org.awaitility.Awaitility.await;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.Lifetime;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.SetChange;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.WriteResult;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Several clients of one user that change hints at the same time, each asking another instance of
 * the service first: new sets, sets of their own that they replace, and rules that all of them add
 * to the same sets. A change that is not acknowledged is sent again until it is; what was
 * acknowledged is remembered.
 */
final class Storm implements AutoCloseable {
  private static final int CLIENTS = 8;
  private static final int SHARED_SETS = 2;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final String name;
  private final String user;
  private final int updates;
  private final List<HintsClient> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
  private final List<Future<?>> running = new ArrayList<>();
  private final Map<String, List<String>> inForce = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicLong version = new AtomicLong();

  /**
   * A storm that has not begun.
   *
   * @param name of the directory below {@code /} that the hints are for; the user may write there
   * @param updates how many changes are made
   */
  Storm(Configuration conf, List<URI> services, String name, String user, int updates)
      throws IOException {
    this.name = name;
    this.user = user;
    this.updates = updates;
    for (int i = 0; i < CLIENTS; i++) {
      List<URI> order = new ArrayList<>(services);
      Collections.rotate(order, i);
      clients.add(
          HintsClient.open(
              conf, ClientSettings.of(order), UserGroupInformation.createRemoteUser(user)));
    }
  }

  void begin() throws Exception {
    for (int i = 0; i < SHARED_SETS; i++) {
      clients.get(0).putSet(set(shared(i), path("shared", i, 0)), WriteOptions.NONE);
    }
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      running.add(
          threads.submit(
              () -> {
                for (int n = next.getAndIncrement(); n < updates; n = next.getAndIncrement()) {
                  update(client, n);
                }
                return null;
              }));
    }
  }

  /** Waits until a share of the updates was acknowledged. */
  void awaitPercent(int percent) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(DEADLINE)
        .until(() -> acknowledged.get() * 100 >= updates * percent || someFailed());
  }

  /** Whether there are updates that were not acknowledged yet. */
  boolean isUnderway() {
    return acknowledged.get() < updates;
  }

  /** Waits for the last one. */
  void end() throws Exception {
    for (Future<?> each : running) {
      try {
        each.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("a client gave up: " + e.getCause(), e);
      }
    }
  }

  /** What must be in force: the patterns that a set has at least, by the id of the set. */
  Map<String, List<String>> inForce() {
    return inForce;
  }

  /** The latest version that was acknowledged. */
  long version() {
    return version.get();
  }

  /** How often an update had to be sent again. */
  int repeated() {
    return repeated.get();
  }

  private boolean someFailed() {
    return running.stream().anyMatch(Future::isDone);
  }

  private void update(int client, int n) throws Exception {
    HintsClient service = clients.get(client);
    String path;
    String id;
    switch (n % 3) {
      case 0 -> {
        path = path("new", client, n);
        id = id("new", n);
        note(send(() -> service.putSet(set(id, path), WriteOptions.NONE)));
        inForce.put(id, List.of(path));
      }
      case 1 -> {
        path = path("shared", client, n);
        id = shared(n % SHARED_SETS);
        note(send(() -> service.patchSet(id, SetChange.of(rule(path)), WriteOptions.NONE)));
        inForce
            .computeIfAbsent(id, key -> Collections.synchronizedList(new ArrayList<>()))
            .add(path);
      }
      default -> {
        path = path("own", client, n);
        id = id("own", client);
        note(send(() -> service.putSet(set(id, path), WriteOptions.NONE)));
        // The one before it is gone: nobody else writes this set.
        inForce.put(id, List.of(path));
      }
    }
    acknowledged.incrementAndGet();
  }

  private void note(WriteResult written) {
    version.accumulateAndGet(written.version(), Math::max);
  }

  private WriteResult send(Change change) throws Exception {
    long begun = System.nanoTime();
    while (true) {
      try {
        return change.send();
      } catch (HintsServiceException e) {
        if (!e.isAway() || System.nanoTime() - begun > PATIENCE_NANOS) {
          throw e;
        }
        repeated.incrementAndGet();
      }
    }
  }

  private HintSet set(String id, String path) {
    return new HintSet(id, user, null, List.of(rule(path)));
  }

  private static Rule rule(String path) {
    // One replica, with its writer: no file without a hint looks like that.
    Hint hint = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    return new Rule(PathPattern.parse(path), hint);
  }

  private String path(String kind, int client, int n) {
    return "/" + name + "/" + kind + "-" + client + "-" + n;
  }

  private String shared(int n) {
    return id("shared", n);
  }

  private String id(String kind, int n) {
    return name + "-" + kind + "-" + n;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clients.forEach(HintsClient::close);
  }

  /** One change, which may be sent more than once. */
  @FunctionalInterface
  private interface Change {
    WriteResult send() throws Exception;
  }
}
