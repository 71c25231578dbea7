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
 * Several clients of one user that change hints concurrently, each with another preferred instance
 * of the service. They create sets, replace their own sets, and add rules to shared sets. A change
 * is retried until it is acknowledged. Acknowledged changes are recorded.
 */
final class ConcurrentUpdates implements AutoCloseable {
  private static final int CLIENTS = 8;
  private static final int SHARED_SETS = 2;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final String name;
  private final String user;
  private final int updates;
  private final List<HintsClient> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
  private final List<Future<?>> tasks = new ArrayList<>();
  private final Map<String, List<String>> inForce = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger retries = new AtomicInteger();
  private final AtomicLong version = new AtomicLong();

  /**
   * Creates the clients without starting them.
   *
   * @param name of a directory below {@code /} for which hints are set; the user may write there
   * @param updates the number of changes
   */
  ConcurrentUpdates(Configuration conf, List<URI> services, String name, String user, int updates)
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
      tasks.add(
          threads.submit(
              () -> {
                for (int n = next.getAndIncrement(); n < updates; n = next.getAndIncrement()) {
                  update(client, n);
                }
                return null;
              }));
    }
  }

  /** Waits until a percentage of the updates is acknowledged. */
  void awaitPercent(int percent) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(DEADLINE)
        .until(() -> acknowledged.get() * 100 >= updates * percent || someFailed());
  }

  /** Whether some updates are not acknowledged yet. */
  boolean isRunning() {
    return acknowledged.get() < updates;
  }

  /** Waits for all updates. */
  void end() throws Exception {
    for (Future<?> each : tasks) {
      try {
        each.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("a client gave up: " + e.getCause(), e);
      }
    }
  }

  /** The patterns that each set must have at least, by the id of the set. */
  Map<String, List<String>> inForce() {
    return inForce;
  }

  /** The latest version that was acknowledged. */
  long version() {
    return version.get();
  }

  /** The number of retries. */
  int retries() {
    return retries.get();
  }

  private boolean someFailed() {
    return tasks.stream().anyMatch(Future::isDone);
  }

  private void update(int client, int n) throws Exception {
    HintsClient service = clients.get(client);
    String path;
    String id;
    switch (n % 3) {
      case 0 -> {
        path = path("new", client, n);
        id = id("new", n);
        recordVersion(send(() -> service.putSet(set(id, path), WriteOptions.NONE)));
        inForce.put(id, List.of(path));
      }
      case 1 -> {
        path = path("shared", client, n);
        id = shared(n % SHARED_SETS);
        recordVersion(
            send(() -> service.patchSet(id, SetChange.of(rule(path)), WriteOptions.NONE)));
        inForce
            .computeIfAbsent(id, key -> Collections.synchronizedList(new ArrayList<>()))
            .add(path);
      }
      default -> {
        path = path("own", client, n);
        id = id("own", client);
        recordVersion(send(() -> service.putSet(set(id, path), WriteOptions.NONE)));
        // Replaces the previous pattern, because no other client writes this set.
        inForce.put(id, List.of(path));
      }
    }
    acknowledged.incrementAndGet();
  }

  private void recordVersion(WriteResult written) {
    version.accumulateAndGet(written.version(), Math::max);
  }

  private WriteResult send(Change change) throws Exception {
    long startNanos = System.nanoTime();
    while (true) {
      try {
        return change.send();
      } catch (HintsServiceException e) {
        if (!e.isAway() || System.nanoTime() - startNanos > RETRY_NANOS) {
          throw e;
        }
        retries.incrementAndGet();
      }
    }
  }

  private HintSet set(String id, String path) {
    return new HintSet(id, user, null, List.of(rule(path)));
  }

  private static Rule rule(String path) {
    // One replica on the writer's node, unlike any file without a hint.
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

  /** A change, which may be retried. */
  @FunctionalInterface
  private interface Change {
    WriteResult send() throws Exception;
  }
}
