package dev.weir.workflow.am;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which reader of a large file reads when, and from which node. A node serves so many
 * readers at a time, each of which gets the more of its link; the others wait, and have a better
 * choice then: a copy that was made meanwhile is a source like the first. So many readers of one
 * file form a tree as its copies come, and none of them waits for nodes that nobody reads from.
 *
 * <p>Readers wait in the order in which they came. One that several nodes could serve goes to the
 * one with the fewest readers, the first of these that it named. Pure: no clock, no threads.
 */
final class TransferSlots {

  private final int slots;
  private final Map<Reader, List<String>> waiting = new LinkedHashMap<>();
  private final Map<Reader, String> reading = new HashMap<>();
  private final Map<String, Integer> load = new HashMap<>();

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
   * A reader may begin.
   *
   * @param from host that it is to read from; empty when it named none
   */
  record Turn(Reader reader, String from) {}

  /**
   * Somebody wants to read, or says anew where from; who has a turn keeps it.
   *
   * @param holders hosts that could serve it, nearest first; of a file that nobody is known to hold
   *     the reader finds out for itself, at once
   * @return the turn, if it has come
   */
  Optional<Turn> wish(Reader reader, List<String> holders) {
    if (reading.containsKey(reader)) {
      return Optional.empty();
    }
    // Who waits already keeps its place.
    waiting.put(reader, List.copyOf(holders));
    Optional<Turn> turn = turn(reader, holders);
    turn.ifPresent(now -> waiting.remove(reader));
    return turn;
  }

  /**
   * A reader has read, or does not want to any more.
   *
   * @return who may read now
   */
  List<Turn> over(Reader reader) {
    waiting.remove(reader);
    String from = reading.remove(reader);
    if (from == null || from.isEmpty()) {
      return List.of();
    }
    load.merge(from, -1, (now, one) -> now + one == 0 ? null : now + one);
    return serve();
  }

  /**
   * A worker is gone, with all of its readers.
   *
   * @return who may read now
   */
  List<Turn> left(String worker) {
    List<Turn> turns = new ArrayList<>();
    waiting.keySet().removeIf(reader -> reader.worker().equals(worker));
    List<Reader> gone =
        reading.keySet().stream().filter(reader -> reader.worker().equals(worker)).toList();
    gone.forEach(reader -> turns.addAll(over(reader)));
    return turns;
  }

  private List<Turn> serve() {
    List<Turn> turns = new ArrayList<>();
    Iterator<Map.Entry<Reader, List<String>>> next = waiting.entrySet().iterator();
    while (next.hasNext()) {
      Map.Entry<Reader, List<String>> entry = next.next();
      Optional<Turn> turn = turn(entry.getKey(), entry.getValue());
      if (turn.isPresent()) {
        turns.add(turn.get());
        next.remove();
      }
    }
    return turns;
  }

  private Optional<Turn> turn(Reader reader, List<String> holders) {
    String best = "";
    int least = slots;
    for (String holder : holders) {
      int busy = load.getOrDefault(holder, 0);
      if (busy < least) {
        best = holder;
        least = busy;
      }
    }
    if (best.isEmpty() && !holders.isEmpty()) {
      return Optional.empty();
    }
    reading.put(reader, best);
    if (!best.isEmpty()) {
      load.merge(best, 1, Integer::sum);
    }
    return Optional.of(new Turn(reader, best));
  }
}
