package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.NodeWait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one application attempt on which files are named. The ResourceManager lets one thread
 * at a time into an attempt's heartbeat, and that thread alone uses this.
 */
public final class ApplicationAsks {

  /** Names that weigh more than this together are not remembered for one application. */
  static final long MAX_WEIGHT = 8_000_000;

  /** How often waits are thought over. */
  public static final long WAIT_CHECK_EVERY_MILLIS = 500;

  private static final Logger LOG = LoggerFactory.getLogger(ApplicationAsks.class);

  private final ApplicationAttemptId attempt;
  private final KeyPlanner planner;
  private final AskMetrics metrics;
  private final Map<AskKey, KeyState> keys = new LinkedHashMap<>();

  /** Keys on which containers have come, and whether the last of them may have. */
  private final Map<AskKey, Boolean> received = new LinkedHashMap<>();

  private final PlacementProblems problems = new PlacementProblems();
  private volatile long seenMillis;
  private @Nullable String inputs;
  private long nextRelaxMillis;
  private long nextWaitCheckMillis;

  public ApplicationAsks(ApplicationAttemptId attempt, KeyPlanner planner, AskMetrics metrics) {
    this.attempt = attempt;
    this.planner = planner;
    this.metrics = metrics;
  }

  ApplicationAttemptId attempt() {
    return attempt;
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** The name of the application's inputs, null if it gives none. */
  @Nullable String inputs() {
    return inputs;
  }

  void inputs(@Nullable String name) {
    inputs = name;
  }

  long seenMillis() {
    return seenMillis;
  }

  void seen(long nowMillis) {
    seenMillis = nowMillis;
  }

  /**
   * What becomes of one heartbeat.
   *
   * @param asks null if the ApplicationMaster's own are to be passed on untouched
   * @param late keys with a step on which the ApplicationMaster asks nothing with this heartbeat
   * @param owedNothing keys for which the scheduler owes nothing when this is made
   */
  record Plan(
      @Nullable List<ResourceRequest> asks,
      Map<AskKey, KeyStep> steps,
      Set<AskKey> late,
      Set<AskKey> owedNothing) {

    /** There is nothing to say now. */
    static final Plan NOTHING = new Plan(null, Map.of(), Set.of(), Set.of());

    /** What is asked on keys on which the ApplicationMaster asks nothing. */
    List<ResourceRequest> lateAsks() {
      return steps.entrySet().stream()
          .filter(step -> late.contains(step.getKey()))
          .flatMap(step -> step.getValue().asks().stream())
          .toList();
    }

    /** What is left when nothing is done now on some of the keys that are late. */
    Plan without(Set<AskKey> some) {
      Map<AskKey, KeyStep> rest = new LinkedHashMap<>(steps);
      rest.keySet().removeAll(some);
      List<ResourceRequest> theirs =
          asks == null
              ? null
              : asks.stream().filter(ask -> !some.contains(AskKey.of(ask))).toList();
      return new Plan(theirs, rest, late, owedNothing);
    }

    /** What can go to the scheduler without a heartbeat, when the heartbeat has no asks. */
    Plan withoutHeartbeat() {
      Map<AskKey, KeyStep> some = new LinkedHashMap<>(steps);
      some.values().removeIf(step -> step.asks().stream().anyMatch(AskValidator::isOpportunistic));
      List<ResourceRequest> theirs =
          some.values().stream().flatMap(step -> step.asks().stream()).toList();
      return new Plan(theirs.isEmpty() ? null : theirs, some, late, owedNothing);
    }
  }

  /** Plans a heartbeat; nothing is remembered before {@link #commit}. */
  Plan plan(List<ResourceRequest> asks, PlanningContext context) {
    Map<AskKey, List<ResourceRequest>> changes = changes(asks);
    Map<AskKey, KeyStep> steps = new LinkedHashMap<>();
    NameFilter gate = new NameFilter(changes.isEmpty() ? 0 : MAX_WEIGHT - weight());
    changes.forEach(
        (key, list) -> {
          KeyState state = keys.getOrDefault(key, KeyState.NEW);
          int refused = gate.refused.size();
          steps.put(key, planner.onAsks(state, gate.admit(list, state.requested()), context));
          gate.refused.stream()
              .skip(refused)
              .limit(1)
              .forEach(why -> context.places().refused(key, why));
        });
    metrics.count(AskMetrics.Event.NAMES_REFUSED, gate.refused.size());
    cutHopelessWaits(context);
    changes.keySet().forEach(received::remove);
    Set<AskKey> owedNothing = owedNothing(context);
    owedNothing.stream()
        .filter(key -> received.getOrDefault(key, false))
        .forEach(key -> steps.put(key, planner.onSatisfied(state(key), context)));
    keys.forEach(
        (key, state) -> {
          if (state.waits(context.cluster()) && !steps.containsKey(key)) {
            steps.put(key, planner.onHeartbeat(state, context));
          }
        });
    Set<AskKey> late = new LinkedHashSet<>(steps.keySet());
    late.removeAll(changes.keySet());
    if (changes.isEmpty() && steps.values().stream().allMatch(step -> step.asks().isEmpty())) {
      return new Plan(null, steps, late, owedNothing);
    }
    List<ResourceRequest> planned = new ArrayList<>();
    for (ResourceRequest ask : asks) {
      if (!changes.containsKey(AskKey.of(ask))) {
        planned.add(ask);
      }
    }
    steps.values().forEach(step -> planned.addAll(step.asks()));
    return new Plan(planned, steps, late, owedNothing);
  }

  private KeyState state(AskKey key) {
    return keys.getOrDefault(key, KeyState.NEW);
  }

  /**
   * Keys on which containers have come, and for which the scheduler owes none any more. One that it
   * has given and not yet told of may still be lost, and is then asked for again by the scheduler.
   * So a key is over only when nothing was owed before an earlier heartbeat, in which all there was
   * has been told of.
   */
  private Set<AskKey> owedNothing(PlanningContext context) {
    Set<AskKey> owedNothing = new LinkedHashSet<>();
    received
        .keySet()
        .removeIf(
            key -> {
              KeyState state = keys.get(key);
              ResourceRequest any = state == null ? null : state.requested().any();
              boolean done =
                  state != null
                      && any != null
                      && !state.hold().active()
                      && context.places().outstanding(any) == 0;
              if (done) {
                owedNothing.add(key);
              }
              return !done;
            });
    return owedNothing;
  }

  /** Remembers a plan once the scheduler has taken it. */
  void commit(Plan plan) {
    plan.owedNothing().forEach(key -> received.replace(key, true));
    plan.steps()
        .forEach(
            (key, step) -> {
              metrics.count(step.outcome());
              if (step.next() == null) {
                keys.remove(key);
                received.remove(key);
              } else {
                keys.put(key, step.next());
              }
            });
  }

  /** Takes note of problems found for a plan; whether there may be another text to tell. */
  boolean note(Plan plan, ApplicationPlaces places) {
    boolean tell = false;
    for (Map.Entry<AskKey, KeyStep> step : plan.steps().entrySet()) {
      // What is satisfied has no problems, and says nothing of those of others.
      tell |= step.getValue().outcome() != AskOutcome.SATISFIED;
      if (step.getValue().next() == null || !places.isPending(step.getKey())) {
        problems.forget(step.getKey());
      }
    }
    problems.addAll(places.problems());
    return tell;
  }

  boolean hasProblems() {
    return !problems.isEmpty();
  }

  /** What keeps files from being used now, for the user; empty if nothing does. */
  String problems() {
    return problems.text();
  }

  /** Whether the asks themselves keep other nodes away. */
  boolean strict() {
    return planner.strict();
  }

  /** Whether some ask has been kept back for that long or longer. */
  boolean holdsSince(long nowMillis, long millis) {
    return keys.values().stream()
        .map(KeyState::hold)
        .anyMatch(hold -> hold.active() && nowMillis - hold.sinceMillis() >= millis);
  }

  /** The asks for any node that the scheduler has not been told of because of a hold. */
  List<ResourceRequest> held() {
    List<ResourceRequest> held = new ArrayList<>();
    for (KeyState state : keys.values()) {
      ResourceRequest any = state.requested().any();
      if (state.hold().active() && any != null) {
        held.add(ResourceRequest.clone(any));
      }
    }
    return held;
  }

  /** Counts where containers came to, of those for which nodes were named. */
  void countContainers(List<Container> containers, Function<String, String> rackOf) {
    for (Container container : containers) {
      AskKey key = AskKey.of(container);
      KeyState state = keys.get(key);
      if (state != null) {
        received.put(key, false);
      }
      if (state != null && !state.nodes().isEmpty()) {
        String host = container.getNodeId().getHost();
        String withPort = host + ":" + container.getNodeId().getPort();
        ContainerLocality.on(
                state, state.sent().containsKey(host) ? host : withPort, rackOf.apply(host))
            .count(metrics);
        metrics.count(
            AskMetrics.Event.MILLIS_WAITED, Math.max(0, seenMillis - state.askedMillis()));
      }
    }
  }

  /** Ends waits for nodes that will not have room in time, by what is known now. */
  private void cutHopelessWaits(PlanningContext context) {
    long now = context.nowMillis();
    if (now < nextWaitCheckMillis) {
      return;
    }
    nextWaitCheckMillis = now + WAIT_CHECK_EVERY_MILLIS;
    for (KeyState state : keys.values()) {
      NodeWait nodeWait = state.nodeWait();
      ResourceRequest any = state.requested().any();
      if (nodeWait.over(now) || !nodeWait.mayBeCut() || any == null) {
        continue;
      }
      ContainerRequirement need = ContainerRequirement.of(any);
      Predicate<ClusterNode> may = context.places().nodesFor(need);
      Set<ClusterNode> nodes = new LinkedHashSet<>();
      state.nodes().values().stream()
          .flatMap(ranked -> ranked.nodes().stream())
          .filter(may)
          .forEach(nodes::add);
      if (context.places().millisUntilRoom(nodes, need) > nodeWait.remaining(now)) {
        nodeWait.endBy(now);
        metrics.count(AskMetrics.Event.WAITS_CUT);
      }
    }
  }

  /** Keys on which racks or other nodes have been made to wait, and need not any more. */
  Set<AskKey> expiredWaits(long nowMillis) {
    Set<AskKey> over = new LinkedHashSet<>();
    keys.forEach(
        (key, state) -> {
          if (state.nodeWait().real() && state.nodeWait().over(nowMillis)) {
            over.add(key);
          }
        });
    return over;
  }

  /** Whether it is time again to look for such keys in the scheduler. */
  boolean mayRelax(long nowMillis, long everyMillis) {
    boolean may = nowMillis >= nextRelaxMillis;
    if (may) {
      nextRelaxMillis = nowMillis + everyMillis;
    }
    return may;
  }

  private Map<AskKey, List<ResourceRequest>> changes(List<ResourceRequest> asks) {
    Set<AskKey> ours = new LinkedHashSet<>();
    for (ResourceRequest ask : asks) {
      AskKey key = AskKey.of(ask);
      if (keys.containsKey(key) || FilesResourceName.is(ask.getResourceName())) {
        ours.add(key);
      }
    }
    Map<AskKey, List<ResourceRequest>> changes = new LinkedHashMap<>();
    for (ResourceRequest ask : asks) {
      AskKey key = AskKey.of(ask);
      if (ours.contains(key)) {
        changes.computeIfAbsent(key, absent -> new ArrayList<>()).add(ask);
      }
    }
    return changes;
  }

  private long weight() {
    return keys.values().stream().mapToLong(state -> state.requested().weight()).sum();
  }

  /** Leaves out names of files that are no good or too many. */
  private static final class NameFilter {

    private final List<String> refused = new ArrayList<>();
    private long room;

    NameFilter(long room) {
      this.room = room;
    }

    List<ResourceRequest> admit(List<ResourceRequest> asks, RequestedAsks requested) {
      return asks.stream().filter(ask -> admits(ask, requested)).toList();
    }

    private boolean admits(ResourceRequest ask, RequestedAsks requested) {
      String name = ask.getResourceName();
      int before = requested.containers(name);
      if (!FilesResourceName.is(name) || ask.getNumContainers() <= before) {
        return true;
      }
      try {
        FilesResourceName.parse(name);
      } catch (IllegalArgumentException e) {
        // What it says is for the administrator, who reads the log: it has the name in it.
        LOG.debug("Refused", e);
        refused.add("a name is too long or is none of files: " + FilesResourceName.FORM);
        return false;
      }
      long more =
          RequestedAsks.weight(name, ask.getNumContainers())
              - (before > 0 ? RequestedAsks.weight(name, before) : 0);
      if (more > 0 && room < more) {
        refused.add("too many files are named: name directories, or fewer nodes with ;k=");
        return false;
      }
      room -= more;
      return true;
    }
  }
}
