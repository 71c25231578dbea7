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
 * The keys of one application attempt on which files are named. Used by one thread at a time: the
 * ResourceManager serialises the heartbeats of an attempt.
 */
public final class ApplicationAsks {

  /** The maximum total weight of one application's names. Further names are refused. */
  static final long MAX_WEIGHT = 8_000_000;

  /** How often the remaining waits are checked against the expected room, in milliseconds. */
  public static final long WAIT_CHECK_EVERY_MILLIS = 500;

  private static final Logger LOG = LoggerFactory.getLogger(ApplicationAsks.class);

  private final ApplicationAttemptId attempt;
  private final KeyPlanner planner;
  private final AskMetrics metrics;
  private final Map<AskKey, KeyState> keys = new LinkedHashMap<>();

  /**
   * Keys on which containers have been received. The value is true if these may have been the last.
   */
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

  /** The resource name of the application's inputs; null if it names none. */
  @Nullable String inputs() {
    return inputs;
  }

  void inputs(@Nullable String name) {
    inputs = name;
  }

  long seenMillis() {
    return seenMillis;
  }

  void heartbeatAt(long nowMillis) {
    seenMillis = nowMillis;
  }

  /**
   * The plan for one heartbeat.
   *
   * @param asks the asks for the scheduler; null to pass on the ApplicationMaster's own asks
   *     unchanged
   * @param late keys with a step on which the ApplicationMaster asks nothing in this heartbeat
   * @param owedNothing keys on which the scheduler owes no container at the time of planning
   */
  record Plan(
      @Nullable List<ResourceRequest> asks,
      Map<AskKey, KeyStep> steps,
      Set<AskKey> late,
      Set<AskKey> owedNothing) {

    /** A plan without asks and steps. */
    static final Plan NOTHING = new Plan(null, Map.of(), Set.of(), Set.of());

    /** The asks on keys on which the ApplicationMaster asks nothing. */
    List<ResourceRequest> lateAsks() {
      return steps.entrySet().stream()
          .filter(step -> late.contains(step.getKey()))
          .flatMap(step -> step.getValue().asks().stream())
          .toList();
    }

    /** This plan without the steps of some late keys. */
    Plan without(Set<AskKey> some) {
      Map<AskKey, KeyStep> rest = new LinkedHashMap<>(steps);
      rest.keySet().removeAll(some);
      List<ResourceRequest> remaining =
          asks == null
              ? null
              : asks.stream().filter(ask -> !some.contains(AskKey.of(ask))).toList();
      return new Plan(remaining, rest, late, owedNothing);
    }
  }

  /** Plans a heartbeat. The state changes only with {@link #commit}. */
  Plan plan(List<ResourceRequest> asks, PlanningContext context) {
    Map<AskKey, List<ResourceRequest>> changes = changes(asks);
    Map<AskKey, KeyStep> steps = new LinkedHashMap<>();
    NameFilter filter = new NameFilter(changes.isEmpty() ? 0 : MAX_WEIGHT - weight());
    changes.forEach(
        (key, list) -> {
          KeyState state = keys.getOrDefault(key, KeyState.NEW);
          int refused = filter.refused.size();
          steps.put(key, planner.onAsks(state, filter.admit(list, state.requested()), context));
          filter.refused.stream()
              .skip(refused)
              .limit(1)
              .forEach(why -> context.places().refused(key, why));
        });
    metrics.count(AskMetrics.Event.NAMES_REFUSED, filter.refused.size());
    endHopelessWaits(context);
    changes.keySet().forEach(received::remove);
    Set<AskKey> owedNothing = owedNothing(context);
    owedNothing.stream()
        .filter(key -> received.getOrDefault(key, false))
        .forEach(key -> steps.put(key, planner.onSatisfied(state(key), context)));
    keys.forEach(
        (key, state) -> {
          if (state.needsStep(context.cluster()) && !steps.containsKey(key)) {
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
   * Keys on which containers have been received and the scheduler owes none. An allocated container
   * that is not yet reported may still be lost; the scheduler then restores its ask. So a key is
   * satisfied only if the scheduler owed nothing before an earlier heartbeat, which has reported
   * everything.
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

  /** Applies a plan after the scheduler has accepted it. */
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

  /**
   * Records the problems found for a plan.
   *
   * @return whether the text for the user may have changed
   */
  boolean recordProblems(Plan plan, ApplicationPlaces places) {
    boolean changed = false;
    for (Map.Entry<AskKey, KeyStep> step : plan.steps().entrySet()) {
      // A satisfied key has no problems, and does not change those of other keys.
      changed |= step.getValue().outcome() != AskOutcome.SATISFIED;
      if (step.getValue().next() == null || !places.isPending(step.getKey())) {
        problems.forget(step.getKey());
      }
    }
    problems.addAll(places.problems());
    return changed;
  }

  boolean hasProblems() {
    return !problems.isEmpty();
  }

  /** The current problems as text for the user; empty if there are none. */
  String problems() {
    return problems.text();
  }

  /** Whether the asks themselves exclude other nodes during a wait. */
  boolean strict() {
    return planner.strict();
  }

  /** The asks for any node that the scheduler has not received because they are held. */
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

  /** Counts the distance of containers to their files, on keys for which nodes were named. */
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

  /** Ends waits for nodes that are not expected to have room in time. */
  private void endHopelessWaits(PlanningContext context) {
    long now = context.nowMillis();
    if (now < nextWaitCheckMillis) {
      return;
    }
    nextWaitCheckMillis = now + WAIT_CHECK_EVERY_MILLIS;
    for (KeyState state : keys.values()) {
      NodeWait nodeWait = state.nodeWait();
      ResourceRequest any = state.requested().any();
      if (nodeWait.isOver(now) || !nodeWait.mayBeShortened() || any == null) {
        continue;
      }
      ContainerRequirement requirement = ContainerRequirement.of(any);
      Predicate<ClusterNode> eligible = context.places().nodesFor(requirement);
      Set<ClusterNode> nodes = new LinkedHashSet<>();
      state.nodes().values().stream()
          .flatMap(ranked -> ranked.nodes().stream())
          .filter(eligible)
          .forEach(nodes::add);
      if (context.places().millisUntilRoom(nodes, requirement) > nodeWait.remaining(now)) {
        nodeWait.endAt(now);
        metrics.count(AskMetrics.Event.WAITS_CUT);
      }
    }
  }

  /** Keys on which racks or other nodes had to wait, and whose wait has ended. */
  Set<AskKey> expiredWaits(long nowMillis) {
    Set<AskKey> over = new LinkedHashSet<>();
    keys.forEach(
        (key, state) -> {
          if (state.nodeWait().isWait() && state.nodeWait().isOver(nowMillis)) {
            over.add(key);
          }
        });
    return over;
  }

  /** Whether asks whose wait has ended should be relaxed in the scheduler now. */
  boolean isRelaxDue(long nowMillis, long everyMillis) {
    boolean isDue = nowMillis >= nextRelaxMillis;
    if (isDue) {
      nextRelaxMillis = nowMillis + everyMillis;
    }
    return isDue;
  }

  private Map<AskKey, List<ResourceRequest>> changes(List<ResourceRequest> asks) {
    Set<AskKey> fileKeys = new LinkedHashSet<>();
    for (ResourceRequest ask : asks) {
      AskKey key = AskKey.of(ask);
      if (keys.containsKey(key) || FilesResourceName.is(ask.getResourceName())) {
        fileKeys.add(key);
      }
    }
    Map<AskKey, List<ResourceRequest>> changes = new LinkedHashMap<>();
    for (ResourceRequest ask : asks) {
      AskKey key = AskKey.of(ask);
      if (fileKeys.contains(key)) {
        changes.computeIfAbsent(key, absent -> new ArrayList<>()).add(ask);
      }
    }
    return changes;
  }

  private long weight() {
    return keys.values().stream().mapToLong(state -> state.requested().weight()).sum();
  }

  /** Drops names of files that cannot be parsed or exceed the limit. */
  private static final class NameFilter {

    private final List<String> refused = new ArrayList<>();
    private long remainingWeight;

    NameFilter(long remainingWeight) {
      this.remainingWeight = remainingWeight;
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
        // The exception's message contains the name, which only the administrator may see in the
        // log.
        LOG.debug("Refused", e);
        refused.add(
            "a resource name is too long or does not name files: " + FilesResourceName.FORM);
        return false;
      }
      long more =
          RequestedAsks.weight(name, ask.getNumContainers())
              - (before > 0 ? RequestedAsks.weight(name, before) : 0);
      if (more > 0 && remainingWeight < more) {
        refused.add("too many files are named: name directories, or fewer nodes with ;k=");
        return false;
      }
      remainingWeight -= more;
      return true;
    }
  }
}
