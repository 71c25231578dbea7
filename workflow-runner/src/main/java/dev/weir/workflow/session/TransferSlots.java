package dev.weir.workflow.session;

import dev.weir.workflow.protocol.Message.TransferWish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when each reader of a large file reads, and from which node. A node serves a limited
 * number of readers at a time, so that each gets a larger share of its link. The others wait, and
 * have more sources then.
 *
 * <p>A worker that reads a file into an open cache is a source of it at once. So the readers of a
 * file form a chain, and all have the file in little more than the time of one transfer. Without
 * open caches they form a tree over HDFS's replicas. A reader never reads from a worker that reads
 * from it, directly or through others. Such a cycle could arise because caches drop files without
 * notice, and a worker may read a file again while others still read from it.
 *
 * <p>Readers wait in the order in which they came. One that several nodes could serve goes to the
 * one with the fewest readers, the first of these that it named, and only then to a cache. Pure: no
 * clock, no threads.
 */
final class TransferSlots {

  /** The number of files whose holders are known. */
  private static final int MOST_CONTENTS = 1_024;

  private final int slots;
  private final Map<Reader, TransferWish> waiting = new LinkedHashMap<>();
  private final Map<Reader, Reading> reading = new HashMap<>();
  private final Map<String, Integer> load = new HashMap<>();

  /** Open caches, by the id of the worker. */
  private final Map<String, Cache> caches = new HashMap<>();

  /** The worker from whose cache a worker reads a file. */
  private final Map<Place, String> feeders = new HashMap<>();

  /**
   * For each file the workers that have or read it, in the order of their grants, each with its
   * reader.
   */
  private final Map<String, Map<String, Reader>> copies = new LinkedHashMap<>();

  /**
   * Creates slots without readers.
   *
   * @param slots the number of readers that a node serves at a time
   */
  TransferSlots(int slots) {
    if (slots < 1) {
      throw new IllegalArgumentException("A node serves " + slots + " readers: give 1 or more");
    }
    this.slots = slots;
  }

  /**
   * A reader.
   *
   * @param number of the request among those of the worker
   */
  record Reader(String worker, long number) {}

  /**
   * The open cache of a worker.
   *
   * @param address host and port of the cache
   */
  record Cache(String node, String address) {}

  /**
   * Permission for a reader to begin.
   *
   * @param from the host to read from; empty when the request named none
   * @param cache address of that host's cache; empty to read from HDFS, or when no cache has a file
   *     that only caches can serve
   */
  record Grant(Reader reader, String from, String cache) {
    Grant(Reader reader, String from) {
      this(reader, from, "");
    }
  }

  private record Reading(String from, String content) {}

  /** A file at a worker. */
  private record Place(String worker, String content) {}

  void opened(String worker, Cache cache) {
    caches.put(worker, cache);
  }

  /** A worker's cache was asked for a file that it does not have. */
  void notKept(String worker, String content) {
    copies.computeIfPresent(content, (name, workers) -> without(workers, worker));
  }

  private static @Nullable Map<String, Reader> without(Map<String, Reader> workers, String worker) {
    workers.remove(worker);
    return workers.isEmpty() ? null : workers;
  }

  /**
   * Adds or changes a request; a grant that was given stays. Without known holders the reader
   * starts at once and finds them itself; without a content, only the address of a cache is wanted,
   * which needs no slot.
   *
   * @return the reader's grant, if it may begin, and the grants of others that may read from it now
   */
  List<Grant> request(Reader reader, TransferWish request) {
    if (reading.containsKey(reader)) {
      return List.of();
    }
    // A worker that requests a file has dropped its copy.
    notKept(reader.worker(), request.content());
    // A waiting reader keeps its place in the queue.
    waiting.put(reader, request);
    Optional<Grant> grant = grant(reader, request);
    if (grant.isEmpty()) {
      return List.of();
    }
    waiting.remove(reader);
    List<Grant> grants = new ArrayList<>(List.of(grant.get()));
    if (!request.content().isEmpty() && !waiting.isEmpty()) {
      grants.addAll(serve());
    }
    return grants;
  }

  /**
   * A reader has finished or given up.
   *
   * @param whole whether its node has the whole file now
   */
  List<Grant> finished(Reader reader, boolean whole) {
    waiting.remove(reader);
    Reading was = reading.remove(reader);
    if (was == null) {
      return List.of();
    }
    feeders.remove(new Place(reader.worker(), was.content()));
    if (!whole) {
      copies.computeIfPresent(
          was.content(),
          (name, workers) ->
              reader.equals(workers.get(reader.worker()))
                  ? without(workers, reader.worker())
                  : workers);
    }
    if (was.from().isEmpty()) {
      return List.of();
    }
    load.merge(was.from(), -1, (now, one) -> now + one == 0 ? null : now + one);
    return serve();
  }

  /** A worker has left, with its readers and its cache. */
  List<Grant> lost(String worker) {
    List<Grant> grants = new ArrayList<>();
    caches.remove(worker);
    for (String content : List.copyOf(copies.keySet())) {
      notKept(worker, content);
    }
    waiting.keySet().removeIf(reader -> reader.worker().equals(worker));
    List<Reader> gone =
        reading.keySet().stream().filter(reader -> reader.worker().equals(worker)).toList();
    gone.forEach(reader -> grants.addAll(finished(reader, false)));
    // A reader may wait for a file that only this worker could serve.
    grants.addAll(serve());
    return grants;
  }

  private List<Grant> serve() {
    List<Grant> grants = new ArrayList<>();
    Iterator<Map.Entry<Reader, TransferWish>> next = waiting.entrySet().iterator();
    while (next.hasNext()) {
      Map.Entry<Reader, TransferWish> entry = next.next();
      Optional<Grant> grant = grant(entry.getKey(), entry.getValue());
      if (grant.isPresent()) {
        grants.add(grant.get());
        next.remove();
      }
    }
    return grants;
  }

  private Optional<Grant> grant(Reader reader, TransferWish request) {
    Map<String, Cache> sources = open(reader, request);
    if (request.fromCache() && (sources.isEmpty() || request.content().isEmpty())) {
      return Optional.of(
          sources.values().stream()
              .findFirst()
              .map(cache -> new Grant(reader, cache.node(), cache.address()))
              .orElse(new Grant(reader, "")));
    }
    Grant best = new Grant(reader, "");
    String feeder = "";
    int least = request.waits() ? slots : Integer.MAX_VALUE;
    for (String holder : request.fromCache() ? List.<String>of() : request.holders()) {
      int busy = load.getOrDefault(holder, 0);
      if (busy < least) {
        best = new Grant(reader, holder);
        least = busy;
      }
    }
    for (Map.Entry<String, Cache> open : sources.entrySet()) {
      Cache cache = open.getValue();
      int busy = load.getOrDefault(cache.node(), 0);
      if (busy < least) {
        best = new Grant(reader, cache.node(), cache.address());
        feeder = open.getKey();
        least = busy;
      }
    }
    if (best.from().isEmpty() && !request.holders().isEmpty()) {
      return Optional.empty();
    }
    reading.put(reader, new Reading(best.from(), request.content()));
    if (!best.from().isEmpty()) {
      load.merge(best.from(), 1, Integer::sum);
    }
    if (!feeder.isEmpty()) {
      feeders.put(new Place(reader.worker(), request.content()), feeder);
    }
    note(reader, request.content());
    return Optional.of(best);
  }

  /** Returns other nodes' open caches that have or will have the file, by worker. */
  private Map<String, Cache> open(Reader reader, TransferWish request) {
    Map<String, Cache> open = new LinkedHashMap<>();
    if (request.fromCache()) {
      caches.forEach(
          (worker, cache) -> {
            if (request.holders().contains(cache.node()) && !worker.equals(reader.worker())) {
              open.put(worker, cache);
            }
          });
    }
    Cache own = caches.get(reader.worker());
    if (own == null || request.content().isEmpty()) {
      return open;
    }
    for (String worker : copies.getOrDefault(request.content(), Map.of()).keySet()) {
      Cache cache = caches.get(worker);
      if (cache != null
          && !cache.node().equals(own.node())
          && !isFedBy(worker, reader.worker(), request.content())) {
        open.put(worker, cache);
      }
    }
    return open;
  }

  /** Whether a worker reads a file from another, directly or through others. */
  private boolean isFedBy(String worker, String by, String content) {
    @Nullable String at = worker;
    while (at != null && !at.equals(by)) {
      at = feeders.get(new Place(at, content));
    }
    return at != null;
  }

  private void note(Reader reader, String content) {
    if (content.isEmpty() || !caches.containsKey(reader.worker())) {
      return;
    }
    copies.computeIfAbsent(content, name -> new LinkedHashMap<>()).put(reader.worker(), reader);
    if (copies.size() > MOST_CONTENTS) {
      copies.remove(copies.keySet().iterator().next());
    }
  }
}
