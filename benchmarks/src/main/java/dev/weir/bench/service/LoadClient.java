package dev.weir.bench.service;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.SetChange;
import dev.weir.hints.client.WriteOptions;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * One client. Of four requests one is a change, two are reads and one is a ranking, each sent when
 * the previous one is answered. Changes alternate between the client's own set and one that all
 * clients change, in which each has its own rule. A rule counts its changes in its block size.
 */
final class LoadClient implements Callable<Void> {
  /** The kinds of requests. */
  enum Kind {
    PUT,
    PATCH,
    GET,
    RANK
  }

  static final String SHARED = "load-shared";
  private static final int UNIT = 1 << 20;

  private final HintsClient service;
  private final int number;
  private final String user;
  private final List<String> files;
  private final long deadline;
  private final Map<Kind, LatencyStatistics> latencies = new EnumMap<>(Kind.class);
  private long own;
  private long shared;
  private int lost;

  /**
   * Creates a client.
   *
   * @param files to be ranked; empty for a service that does not rank
   * @param deadline the end, as a value of {@link System#nanoTime}
   */
  LoadClient(HintsClient service, int number, String user, List<String> files, long deadline) {
    this.service = service;
    this.number = number;
    this.user = user;
    this.files = files;
    this.deadline = deadline;
    for (Kind kind : Kind.values()) {
      latencies.put(kind, new LatencyStatistics());
    }
  }

  static HintSet sharedSet(String user) {
    return new HintSet(SHARED, user, null, List.of());
  }

  @Override
  public Void call() throws IOException {
    replace();
    add();
    // Connections and class loading are not measured.
    latencies.replaceAll((kind, warm) -> new LatencyStatistics());
    for (long i = number; System.nanoTime() < deadline; i++) {
      long started = System.nanoTime();
      Kind kind = send(i);
      latencies.getOrDefault(kind, new LatencyStatistics()).add(System.nanoTime() - started);
    }
    return null;
  }

  private Kind send(long i) throws IOException {
    switch ((int) (i % 8)) {
      case 0 -> {
        replace();
        return Kind.PUT;
      }
      case 4 -> {
        add();
        return Kind.PATCH;
      }
      case 2, 6 -> {
        if (!files.isEmpty()) {
          service.rank(files, 3);
          return Kind.RANK;
        }
        read();
        return Kind.GET;
      }
      default -> {
        read();
        return Kind.GET;
      }
    }
  }

  private void replace() throws IOException {
    service.putSet(new HintSet(id(), user, null, List.of(rule(own + 1))), WriteOptions.NONE);
    own++;
  }

  private void add() throws IOException {
    service.patchSet(SHARED, SetChange.of(rule(shared + 1)), WriteOptions.NONE);
    shared++;
  }

  private void read() throws IOException {
    if (service.findSet(id()).map(stored -> counted(stored.set())).orElse(0L) != own) {
      lost++;
    }
  }

  /** Reads back the changes, and returns the number of lost updates. */
  int lost() throws IOException {
    long lastOwn = service.findSet(id()).map(stored -> counted(stored.set())).orElse(0L);
    long lastShared = service.findSet(SHARED).map(stored -> counted(stored.set())).orElse(0L);
    return lost + (lastOwn == own ? 0 : 1) + (lastShared == shared ? 0 : 1);
  }

  LatencyStatistics latencies(Kind kind) {
    return latencies.getOrDefault(kind, new LatencyStatistics());
  }

  private long counted(HintSet set) {
    return set.rules().stream()
        .filter(rule -> rule.pattern().equals(pattern()))
        .mapToLong(rule -> rule.hint().blockSize().orElse(0) / UNIT)
        .findFirst()
        .orElse(0);
  }

  private Rule rule(long count) {
    return new Rule(pattern(), Hint.builder().blockSize(count * UNIT).build());
  }

  private PathPattern pattern() {
    return PathPattern.parse(ServiceLoadBenchmark.DIRECTORY + "/client-" + number + "-*");
  }

  private String id() {
    return "load-" + number;
  }
}
