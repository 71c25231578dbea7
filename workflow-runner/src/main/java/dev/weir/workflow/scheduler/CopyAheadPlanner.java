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
 * Plans copies of inputs to nodes before the tasks that read them are ready. While a task's last
 * input is being made, its other inputs can move over idle links. Pure.
 *
 * <p>The planner looks at tasks that wait only for running tasks, highest rank first. For each it
 * predicts the node that will have room and where the task would wait least for its inputs. Inputs
 * that are being made on other nodes arrive after the task is ready; the others can arrive before.
 * The inputs that the node lacks are copied there if this pays: the time saved, times the
 * probability that the task runs there, must exceed the cost of a useless copy. A link carries one
 * copy at a time in each direction, and none while it carries inputs of an assigned task.
 */
final class CopyAheadPlanner {

  /** Ordering a copy of less than this takes longer than reading it. */
  static final long LEAST_BYTES = 1 << 20;

  /** Probability that a task runs on the predicted node, which may lack room after all. */
  static final double LIKELY = 0.9;

  /** Time to order a copy, to look the file up and to open it, in seconds. */
  static final double OVERHEAD_SECONDS = 0.1;

  private CopyAheadPlanner() {}

  /**
   * An available input of a task.
   *
   * @param file its id
   * @param bytes how many bytes of it the task reads: all
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
   * A task that waits only for running tasks.
   *
   * @param id its id
   * @param rank its rank, in seconds
   * @param readySeconds when the last of the running tasks will end, in seconds from now
   * @param inputs its available inputs that are large enough to copy
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
   * The state of the cluster.
   *
   * @param freeAfter for each node with workers, after how many seconds each of its task slots is
   *     free; 0 for slots that are free now
   * @param sending nodes that send to other nodes now
   * @param receiving nodes that receive from other nodes now
   * @param barred whether a file (second argument) must not be copied to a node (first argument)
   * @param bytesPerSecond rate at which a file is read from another node
   */
  record Cluster(
      Map<String, List<Double>> freeAfter,
      Set<String> sending,
      Set<String> receiving,
      BiPredicate<String, String> barred,
      double bytesPerSecond) {}

  /**
   * A copy to start.
   *
   * @param file id of the file
   * @param bytes its length
   * @param from host to read it from
   * @param to node to copy it to
   * @param task id of the task that needs it
   */
  record Order(String file, long bytes, String from, String to, String task) {}

  /**
   * Plans copies.
   *
   * @param tasks tasks that wait only for running tasks
   * @return the copies to start now
   */
  static List<Order> plan(List<Upcoming> tasks, Cluster cluster) {
    List<Upcoming> order = new ArrayList<>(tasks);
    order.sort(
        Comparator.comparingDouble((Upcoming task) -> -task.rank()).thenComparing(Upcoming::id));
    NavigableMap<String, List<Double>> slots = new TreeMap<>();
    cluster
        .freeAfter()
        .forEach((node, free) -> slots.put(node, new ArrayList<>(free.stream().sorted().toList())));
    Set<String> sending = new HashSet<>(cluster.sending());
    Set<String> receiving = new HashSet<>(cluster.receiving());
    List<Order> orders = new ArrayList<>();
    for (Upcoming task : order) {
      String node = bestNode(new Costs(task, cluster.bytesPerSecond()), slots);
      if (node.isEmpty()) {
        continue;
      }
      occupy(slots, node, task.readySeconds());
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
   * @param bytes how many bytes the node lacks
   * @param readySeconds when the task will be ready, in seconds from now
   * @param bytesPerSecond rate of the copy
   */
  static boolean pays(long bytes, double readySeconds, double bytesPerSecond) {
    double takes = bytes / bytesPerSecond;
    double saved = LIKELY * Math.min(takes, readySeconds);
    double wasted = (1 - LIKELY) * takes + OVERHEAD_SECONDS;
    return bytes >= LEAST_BYTES && saved > wasted;
  }

  /**
   * Predicts the node where the task will start; empty when no node has room. Nodes without any of
   * its inputs are equal, so only one of them is considered.
   */
  private static String bestNode(Costs costs, NavigableMap<String, List<Double>> slots) {
    Set<String> near = costs.nodes();
    NavigableSet<String> candidates = new TreeSet<>();
    for (String node : near) {
      if (hasFreeSlot(slots.get(node), costs.task.readySeconds())) {
        candidates.add(node);
      }
    }
    for (Map.Entry<String, List<Double>> other : slots.entrySet()) {
      if (!near.contains(other.getKey())
          && hasFreeSlot(other.getValue(), costs.task.readySeconds())) {
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

  /** The cost of starting a task on a node. Looks at the inputs once. */
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

    /** Nodes that have some of its inputs, or will have. */
    Set<String> nodes() {
      Set<String> nodes = new HashSet<>(held.keySet());
      nodes.addAll(task.coming().keySet());
      return nodes;
    }

    /** Its wait for inputs there, in seconds, plus part of the time of the copies. */
    double of(String node) {
      long elsewhere = coming - task.coming().getOrDefault(node, 0L);
      double copies = (bytes - held.getOrDefault(node, 0L)) / rate;
      return elsewhere / rate + Math.max(0, copies - task.readySeconds()) + (1 - LIKELY) * copies;
    }
  }

  /** Its inputs to copy to the node. */
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

  /** Whether a slot is free by then; {@code slots} is sorted. */
  private static boolean hasFreeSlot(@Nullable List<Double> slots, double at) {
    return slots != null && !slots.isEmpty() && slots.get(0) <= at;
  }

  /**
   * Takes the slot that is free last of those that are free in time, since other tasks may need
   * earlier ones.
   */
  private static void occupy(Map<String, List<Double>> slots, String node, double at) {
    List<Double> free = slots.getOrDefault(node, new ArrayList<>());
    int last = free.size() - 1;
    while (last >= 0 && free.get(last) > at) {
      last--;
    }
    if (last >= 0) {
      free.remove(last);
    }
  }

  /** The largest missing file that a node with an idle link has. */
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
