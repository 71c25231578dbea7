package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is copied to which node before a task that reads it is ready. The tasks of a
 * workflow become ready one file after the other: while the last one is being made the others could
 * be brought together, over links that have nothing else to do. Pure.
 *
 * <p>For each task that waits for nothing but what runs, those with the longest way to the end
 * first, the node is chosen that will have room for it and where it would wait least for its
 * inputs: those that are being made elsewhere come when it is ready, the others before. What that
 * node lacks is copied there if this pays: what the task would otherwise wait for, times how likely
 * it is that it comes there, must be more than what a copy for nothing costs. A link carries one
 * copy at a time, in each direction, and only while no task's inputs come over it.
 */
final class CopyAheadPlanner {

  /** Less than this is fetched sooner than said. */
  static final long LEAST_BYTES = 1 << 20;

  /** A task goes where most of its inputs are, unless that node has no room after all. */
  static final double LIKELY = 0.9;

  /** What it takes to order a copy, to look the file up and to open it, in seconds. */
  static final double OVERHEAD_SECONDS = 0.1;

  private CopyAheadPlanner() {}

  /**
   * An input of a task that is there.
   *
   * @param file its id
   * @param bytes how much of it the task reads: all
   * @param holders hosts that have all of it, in HDFS or in their caches
   * @param sources those of them from which it can be read
   */
  record Input(String file, long bytes, Set<String> holders, Set<String> sources) {
    Input {
      holders = Set.copyOf(holders);
      sources = Set.copyOf(sources);
    }
  }

  /**
   * A task that waits for running ones alone.
   *
   * @param id its id
   * @param rank how long the way from its start to the end is, in seconds
   * @param readySeconds when the last of those will have ended, in seconds from now
   * @param inputs what is there of its inputs and large enough to be copied
   * @param coming for each node how many bytes of its inputs are being made there
   */
  record Upcoming(
      String id, double rank, double readySeconds, List<Input> inputs, Map<String, Long> coming) {
    Upcoming {
      inputs = List.copyOf(inputs);
      coming = Map.copyOf(coming);
    }
  }

  /**
   * What is known of the cluster.
   *
   * @param freeAfter for each node with workers, after how many seconds each of its places for a
   *     task will be free; those that are free now with 0
   * @param sending nodes from which something comes to others now
   * @param receiving nodes that receive something now
   * @param barred whether a file, the second, is not to be copied to a node, the first
   * @param bytesPerSecond at which a file comes from another node
   */
  record Cluster(
      Map<String, List<Double>> freeAfter,
      Set<String> sending,
      Set<String> receiving,
      BiPredicate<String, String> barred,
      double bytesPerSecond) {}

  /**
   * A copy to be made.
   *
   * @param file what is copied
   * @param bytes of it
   * @param from host that has it
   * @param to node that is to have it
   * @param task for which task
   */
  record Order(String file, long bytes, String from, String to, String task) {}

  /**
   * Plans.
   *
   * @param tasks those that wait for running ones alone
   * @return the copies to be begun now
   */
  static List<Order> plan(List<Upcoming> tasks, Cluster cluster) {
    List<Upcoming> order = new ArrayList<>(tasks);
    order.sort(
        Comparator.comparingDouble((Upcoming task) -> -task.rank()).thenComparing(Upcoming::id));
    NavigableMap<String, List<Double>> places = new TreeMap<>();
    cluster
        .freeAfter()
        .forEach(
            (node, free) -> places.put(node, new ArrayList<>(free.stream().sorted().toList())));
    Set<String> sending = new HashSet<>(cluster.sending());
    Set<String> receiving = new HashSet<>(cluster.receiving());
    List<Order> orders = new ArrayList<>();
    for (Upcoming task : order) {
      String node = home(new Costs(task, cluster.bytesPerSecond()), places);
      if (node.isEmpty()) {
        continue;
      }
      occupy(places, node, task.readySeconds());
      List<Input> lacking = receiving.contains(node) ? List.of() : lacking(task, node, cluster);
      long missing = lacking.stream().mapToLong(Input::bytes).sum();
      if (pays(missing, task.readySeconds(), cluster.bytesPerSecond())) {
        next(task, node, lacking, sending)
            .ifPresent(
                copy -> {
                  orders.add(copy);
                  sending.add(copy.from());
                  receiving.add(node);
                });
      }
    }
    return orders;
  }

  /**
   * Whether copying ahead pays.
   *
   * @param bytes what the node lacks
   * @param readySeconds when the task will be ready, in seconds from now
   * @param bytesPerSecond at which it comes
   */
  static boolean pays(long bytes, double readySeconds, double bytesPerSecond) {
    double takes = bytes / bytesPerSecond;
    double saved = LIKELY * Math.min(takes, readySeconds);
    double wasted = (1 - LIKELY) * takes + OVERHEAD_SECONDS;
    return bytes >= LEAST_BYTES && saved > wasted;
  }

  /**
   * The node where it will be begun first if all goes as foreseen; empty when none has room. Nodes
   * that have nothing of its inputs are all the same: one of them is looked at.
   */
  private static String home(Costs costs, NavigableMap<String, List<Double>> places) {
    Set<String> near = costs.nodes();
    NavigableSet<String> candidates = new TreeSet<>();
    for (String node : near) {
      if (hasRoom(places.get(node), costs.task.readySeconds())) {
        candidates.add(node);
      }
    }
    for (Map.Entry<String, List<Double>> other : places.entrySet()) {
      if (!near.contains(other.getKey()) && hasRoom(other.getValue(), costs.task.readySeconds())) {
        candidates.add(other.getKey());
        break;
      }
    }
    String best = "";
    double least = Double.MAX_VALUE;
    for (String node : candidates) {
      double cost = costs.of(node);
      if (cost < least) {
        best = node;
        least = cost;
      }
    }
    return best;
  }

  /** What it costs a task to be begun on a node; its inputs are looked through once. */
  private static final class Costs {

    private final Upcoming task;
    private final double rate;
    private final Map<String, Long> held = new HashMap<>();
    private long bytes;
    private long coming;

    Costs(Upcoming task, double rate) {
      this.task = task;
      this.rate = rate;
      for (Input input : task.inputs()) {
        bytes += input.bytes();
        input.holders().forEach(node -> held.merge(node, input.bytes(), Long::sum));
      }
      task.coming().values().forEach(some -> coming += some);
    }

    /** Nodes that have something of its inputs, or will have. */
    Set<String> nodes() {
      Set<String> nodes = new HashSet<>(held.keySet());
      nodes.addAll(task.coming().keySet());
      return nodes;
    }

    /** How long it waits there for its inputs, in seconds, and some of what copies take. */
    double of(String node) {
      long elsewhere = coming - task.coming().getOrDefault(node, 0L);
      double copies = (bytes - held.getOrDefault(node, 0L)) / rate;
      return elsewhere / rate + Math.max(0, copies - task.readySeconds()) + (1 - LIKELY) * copies;
    }
  }

  /** What of its inputs is to be brought there. */
  private static List<Input> lacking(Upcoming task, String node, Cluster cluster) {
    List<Input> lacking = new ArrayList<>();
    for (Input input : task.inputs()) {
      if (input.bytes() >= LEAST_BYTES
          && !input.holders().contains(node)
          && !cluster.barred().test(node, input.file())) {
        lacking.add(input);
      }
    }
    return lacking;
  }

  /** Whether any of its places, the one that is free first at the front, is free by then. */
  private static boolean hasRoom(@Nullable List<Double> places, double at) {
    return places != null && !places.isEmpty() && places.get(0) <= at;
  }

  /** The place that is free last of those that are free in time: others may need the earlier. */
  private static void occupy(Map<String, List<Double>> places, String node, double at) {
    List<Double> free = places.getOrDefault(node, new ArrayList<>());
    int last = free.size() - 1;
    while (last >= 0 && free.get(last) > at) {
      last--;
    }
    if (last >= 0) {
      free.remove(last);
    }
  }

  /** The largest file that comes from a node with nothing else to send. */
  private static Optional<Order> next(
      Upcoming task, String node, List<Input> lacking, Set<String> sending) {
    Order best = null;
    for (Input input : lacking) {
      if (best == null || input.bytes() > best.bytes()) {
        String from =
            input.sources().stream()
                .filter(source -> !sending.contains(source))
                .min(Comparator.naturalOrder())
                .orElse("");
        best =
            from.isEmpty() ? best : new Order(input.file(), input.bytes(), from, node, task.id());
      }
    }
    return Optional.ofNullable(best);
  }
}
