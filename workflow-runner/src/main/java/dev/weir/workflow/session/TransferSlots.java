package dev.weir.workflow.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which reader of a large file reads when, and from which node. A node serves so many
 * readers at a time, each of which gets the more of its link; the others wait, and have a better
 * choice then.
 *
 * <p>Whoever reads a content into a cache that is open to others is a source of it from the moment
 * that it begins. So readers of one file form a chain, along which it comes to all of them in
 * little more than the time that it takes to one; where caches are not open they form a tree, as
 * far as HDFS makes copies. Nobody reads from one that reads from it, be it over others: caches
 * drop contents without saying so, and who had one may want it again while others still read from
 * it.
 *
 * <p>Readers wait in the order in which they came. One that several nodes could serve goes to the
 * one with the fewest readers, the first of these that it named, and only then to a cache. Pure: no
 * clock, no threads.
 */
final class TransferSlots {

  /** Of how many contents it is known who has them. */
  private static final int MOST_CONTENTS = 1_024;

  private final int slots;
  private final Map<Reader, Wish> waiting = new LinkedHashMap<>();
  private final Map<Reader, Reading> reading = new HashMap<>();
  private final Map<String, Integer> load = new HashMap<>();

  /** Workers whose caches are open to others, by id. */
  private final Map<String, Cache> caches = new HashMap<>();

  /** From which worker's cache a worker reads a content. */
  private final Map<Place, String> feeders = new HashMap<>();

  /** For each content the workers that have it or read it, by whose turns, in their order. */
  private final Map<String, Map<String, Reader>> copies = new LinkedHashMap<>();

  /**
   * Nobody reads.
   *
   * @param slots how many readers a node serves at a time
   */
  TransferSlots(int slots) {
    if (slots < 1) {
      throw new IllegalArgumentException("A node serves " + slots + " readers: give 1 or more");
    }
    this.slots = slots;
  }

  /**
   * Who reads.
   *
   * @param worker id of the worker
   * @param number of the wish among those of the worker
   */
  record Reader(String worker, long number) {}

  /**
   * What a reader wants.
   *
   * @param content that its node's cache gives to others as it comes; empty for none
   * @param holders hosts that could serve it, nearest first; of a file that nobody is known to hold
   *     the reader finds out for itself, at once
   */
  record Wish(String content, List<String> holders) {
    Wish {
      holders = List.copyOf(holders);
    }
  }

  /**
   * The cache of a worker that is open to others.
   *
   * @param node host name of its node
   * @param address host and port where it is to be had
   */
  record Cache(String node, String address) {}

  /**
   * A reader may begin.
   *
   * @param from host that it is to read from; empty when it named none
   * @param cache address of that host's cache; empty when it is to read from HDFS
   */
  record Turn(Reader reader, String from, String cache) {
    Turn(Reader reader, String from) {
      this(reader, from, "");
    }
  }

  private record Reading(String from, String content) {}

  /** A content at a worker. */
  private record Place(String worker, String content) {}

  /** A worker's cache is open to others. */
  void opened(String worker, Cache cache) {
    caches.put(worker, cache);
  }

  /** A worker was asked for a content that it does not have. */
  void notKept(String worker, String content) {
    copies.computeIfPresent(content, (name, workers) -> without(workers, worker));
  }

  private static @Nullable Map<String, Reader> without(Map<String, Reader> workers, String worker) {
    workers.remove(worker);
    return workers.isEmpty() ? null : workers;
  }

  /** For a reader of which nobody else reads. */
  List<Turn> wish(Reader reader, List<String> holders) {
    return wish(reader, new Wish("", holders));
  }

  /**
   * Somebody wants to read, or says anew where from; who has a turn keeps it.
   *
   * @return the turn, if it has come, and those of others who may read from that one now
   */
  List<Turn> wish(Reader reader, Wish wish) {
    if (reading.containsKey(reader)) {
      return List.of();
    }
    // Who wants it has dropped what it had.
    notKept(reader.worker(), wish.content());
    // Who waits already keeps its place.
    waiting.put(reader, wish);
    Optional<Turn> turn = turn(reader, wish);
    if (turn.isEmpty()) {
      return List.of();
    }
    waiting.remove(reader);
    List<Turn> turns = new ArrayList<>(List.of(turn.get()));
    if (!wish.content().isEmpty() && !waiting.isEmpty()) {
      turns.addAll(serve());
    }
    return turns;
  }

  /**
   * A reader has read, or does not want to any more.
   *
   * @param whole whether its node has all of it now
   * @return who may read now
   */
  List<Turn> over(Reader reader, boolean whole) {
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

  /**
   * A worker is gone, with all of its readers and what its cache gives.
   *
   * @return who may read now
   */
  List<Turn> left(String worker) {
    List<Turn> turns = new ArrayList<>();
    caches.remove(worker);
    for (String content : List.copyOf(copies.keySet())) {
      notKept(worker, content);
    }
    waiting.keySet().removeIf(reader -> reader.worker().equals(worker));
    List<Reader> gone =
        reading.keySet().stream().filter(reader -> reader.worker().equals(worker)).toList();
    gone.forEach(reader -> turns.addAll(over(reader, false)));
    return turns;
  }

  private List<Turn> serve() {
    List<Turn> turns = new ArrayList<>();
    Iterator<Map.Entry<Reader, Wish>> next = waiting.entrySet().iterator();
    while (next.hasNext()) {
      Map.Entry<Reader, Wish> entry = next.next();
      Optional<Turn> turn = turn(entry.getKey(), entry.getValue());
      if (turn.isPresent()) {
        turns.add(turn.get());
        next.remove();
      }
    }
    return turns;
  }

  private Optional<Turn> turn(Reader reader, Wish wish) {
    Turn best = new Turn(reader, "");
    String feeder = "";
    int least = slots;
    for (String holder : wish.holders()) {
      int busy = load.getOrDefault(holder, 0);
      if (busy < least) {
        best = new Turn(reader, holder);
        least = busy;
      }
    }
    for (Map.Entry<String, Cache> open : open(reader, wish).entrySet()) {
      Cache cache = open.getValue();
      int busy = load.getOrDefault(cache.node(), 0);
      if (busy < least) {
        best = new Turn(reader, cache.node(), cache.address());
        feeder = open.getKey();
        least = busy;
      }
    }
    if (best.from().isEmpty() && !wish.holders().isEmpty()) {
      return Optional.empty();
    }
    reading.put(reader, new Reading(best.from(), wish.content()));
    if (!best.from().isEmpty()) {
      load.merge(best.from(), 1, Integer::sum);
    }
    if (!feeder.isEmpty()) {
      feeders.put(new Place(reader.worker(), wish.content()), feeder);
    }
    note(reader, wish.content());
    return Optional.of(best);
  }

  /** The caches of other nodes that have the content or will have it, by worker. */
  private Map<String, Cache> open(Reader reader, Wish wish) {
    Cache own = caches.get(reader.worker());
    if (own == null || wish.content().isEmpty()) {
      return Map.of();
    }
    Map<String, Cache> open = new LinkedHashMap<>();
    for (String worker : copies.getOrDefault(wish.content(), Map.of()).keySet()) {
      Cache cache = caches.get(worker);
      if (cache != null
          && !cache.node().equals(own.node())
          && !isFedBy(worker, reader.worker(), wish.content())) {
        open.put(worker, cache);
      }
    }
    return open;
  }

  /** Whether what comes to a worker of a content comes from another, be it over others. */
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
