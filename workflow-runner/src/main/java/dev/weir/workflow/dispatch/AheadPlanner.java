package dev.weir.workflow.dispatch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
final class AheadPlanner {

  /** Less than this is fetched sooner than said. */
  static final long LEAST_BYTES = 1 << 20;

  /** A task goes where most of its inputs are, unless that node has no room after all. */
  static final double LIKELY = 0.9;

  /** What it takes to order a copy, to look the file up and to open it, in seconds. */
  static final double OVERHEAD_SECONDS = 0.1;

  private AheadPlanner() {}

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
   * @param inputs what is there of its inputs
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
   * @param full nodes that have no more room for copies
   * @param bytesPerSecond at which a file comes from another node
   */
  record Cluster(
      Map<String, List<Double>> freeAfter,
      Set<String> sending,
      Set<String> receiving,
      Set<String> full,
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
    Map<String, List<Double>> places = new HashMap<>();
    cluster.freeAfter().forEach((node, free) -> places.put(node, new ArrayList<>(free)));
    Set<String> sending = new HashSet<>(cluster.sending());
    Set<String> receiving = new HashSet<>(cluster.receiving());
    List<Order> orders = new ArrayList<>();
    for (Upcoming task : order) {
      String node = home(task, places, cluster.bytesPerSecond());
      if (node.isEmpty()) {
        continue;
      }
      occupy(places, node, task.readySeconds());
      if (cluster.full().contains(node)
          || receiving.contains(node)
          || !pays(missing(task, node), task.readySeconds(), cluster.bytesPerSecond())) {
        continue;
      }
      next(task, node, sending)
          .ifPresent(
              copy -> {
                orders.add(copy);
                sending.add(copy.from());
                receiving.add(node);
              });
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

  /** The node where it will be begun first if all goes as foreseen; empty when none has room. */
  private static String home(Upcoming task, Map<String, List<Double>> places, double rate) {
    String best = "";
    double least = Double.MAX_VALUE;
    for (String node : places.keySet().stream().sorted().toList()) {
      double cost = cost(task, node, rate);
      if (cost < least && hasRoom(places, node, task.readySeconds())) {
        best = node;
        least = cost;
      }
    }
    return best;
  }

  /** How long it waits there for its inputs, in seconds, and some of what copies take. */
  private static double cost(Upcoming task, String node, double rate) {
    long elsewhere =
        task.coming().values().stream().mapToLong(Long::longValue).sum()
            - task.coming().getOrDefault(node, 0L);
    double copies = missing(task, node) / rate;
    return elsewhere / rate + Math.max(0, copies - task.readySeconds()) + (1 - LIKELY) * copies;
  }

  private static long missing(Upcoming task, String node) {
    return task.inputs().stream()
        .filter(input -> !input.holders().contains(node))
        .mapToLong(Input::bytes)
        .sum();
  }

  private static boolean hasRoom(Map<String, List<Double>> places, String node, double at) {
    return places.getOrDefault(node, List.of()).stream().anyMatch(free -> free <= at);
  }

  /** The place that is free last of those that are free in time: others may need the earlier. */
  private static void occupy(Map<String, List<Double>> places, String node, double at) {
    List<Double> free = places.getOrDefault(node, new ArrayList<>());
    free.stream().filter(when -> when <= at).max(Comparator.naturalOrder()).ifPresent(free::remove);
  }

  /** The largest file that comes from a node with nothing else to send. */
  private static Optional<Order> next(Upcoming task, String node, Set<String> sending) {
    Order best = null;
    for (Input input : task.inputs()) {
      if (!input.holders().contains(node)
          && input.bytes() >= LEAST_BYTES
          && (best == null || input.bytes() > best.bytes())) {
        String from =
            input.sources().stream()
                .filter(source -> !sending.contains(source))
                .sorted()
                .findFirst()
                .orElse("");
        best =
            from.isEmpty() ? best : new Order(input.file(), input.bytes(), from, node, task.id());
      }
    }
    return Optional.ofNullable(best);
  }
}
