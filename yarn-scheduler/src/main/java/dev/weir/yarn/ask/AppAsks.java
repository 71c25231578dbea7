package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.Need;
import dev.weir.yarn.lookup.WeirName;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.Patience;
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
public final class AppAsks {

  /** Names that weigh more than this together are not remembered for one application. */
  static final long MAX_WEIGHT = 8_000_000;

  /** How often waits are thought over. */
  public static final long DOUBT_EVERY_MILLIS = 500;

  private static final Logger LOG = LoggerFactory.getLogger(AppAsks.class);

  private final ApplicationAttemptId attempt;
  private final KeyPlanner planner;
  private final AskMetrics metrics;
  private final Map<AskKey, KeyState> keys = new LinkedHashMap<>();

  /** Keys on which containers have come, and whether the last of them may have. */
  private final Map<AskKey, Boolean> came = new LinkedHashMap<>();

  private final Problems problems = new Problems();
  private volatile long seenMillis;
  private @Nullable String inputs;
  private long nextRelaxMillis;
  private long nextDoubtMillis;

  public AppAsks(ApplicationAttemptId attempt, KeyPlanner planner, AskMetrics metrics) {
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
    Plan apart() {
      Map<AskKey, KeyStep> some = new LinkedHashMap<>(steps);
      some.values().removeIf(step -> step.asks().stream().anyMatch(AskRules::isOpportunistic));
      List<ResourceRequest> theirs =
          some.values().stream().flatMap(step -> step.asks().stream()).toList();
      return new Plan(theirs.isEmpty() ? null : theirs, some, late, owedNothing);
    }
  }

  /** Plans a heartbeat; nothing is remembered before {@link #commit}. */
  Plan plan(List<ResourceRequest> asks, Moment moment) {
    Map<AskKey, List<ResourceRequest>> changes = changes(asks);
    Map<AskKey, KeyStep> steps = new LinkedHashMap<>();
    Gate gate = new Gate(changes.isEmpty() ? 0 : MAX_WEIGHT - weight());
    changes.forEach(
        (key, list) -> {
          KeyState state = keys.getOrDefault(key, KeyState.NEW);
          int refused = gate.refused.size();
          steps.put(key, planner.onAsks(state, gate.admit(list, state.wishes()), moment));
          gate.refused.stream()
              .skip(refused)
              .limit(1)
              .forEach(why -> moment.places().refused(key, why));
        });
    metrics.count(AskMetrics.Event.NAMES_REFUSED, gate.refused.size());
    loseHope(moment);
    changes.keySet().forEach(came::remove);
    Set<AskKey> owedNothing = owedNothing(moment);
    owedNothing.stream()
        .filter(key -> came.getOrDefault(key, false))
        .forEach(key -> steps.put(key, planner.onSatisfied(state(key), moment)));
    keys.forEach(
        (key, state) -> {
          if (state.waits(moment.cluster()) && !steps.containsKey(key)) {
            steps.put(key, planner.onHeartbeat(state, moment));
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
  private Set<AskKey> owedNothing(Moment moment) {
    Set<AskKey> owedNothing = new LinkedHashSet<>();
    came.keySet()
        .removeIf(
            key -> {
              KeyState state = keys.get(key);
              ResourceRequest any = state == null ? null : state.wishes().any();
              boolean done =
                  state != null
                      && any != null
                      && !state.hold().active()
                      && moment.places().outstanding(any) == 0;
              if (done) {
                owedNothing.add(key);
              }
              return !done;
            });
    return owedNothing;
  }

  /** Remembers a plan once the scheduler has taken it. */
  void commit(Plan plan) {
    plan.owedNothing().forEach(key -> came.replace(key, true));
    plan.steps()
        .forEach(
            (key, step) -> {
              metrics.count(step.outcome());
              if (step.next() == null) {
                keys.remove(key);
                came.remove(key);
              } else {
                keys.put(key, step.next());
              }
            });
  }

  /** Takes note of problems found for a plan; whether there may be another text to tell. */
  boolean note(Plan plan, AppPlaces places) {
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
      ResourceRequest any = state.wishes().any();
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
        came.put(key, false);
      }
      if (state != null && !state.nodes().isEmpty()) {
        String host = container.getNodeId().getHost();
        String withPort = host + ":" + container.getNodeId().getPort();
        Given.on(state, state.sent().containsKey(host) ? host : withPort, rackOf.apply(host))
            .count(metrics);
        metrics.count(
            AskMetrics.Event.MILLIS_WAITED, Math.max(0, seenMillis - state.askedMillis()));
      }
    }
  }

  /** Ends waits for nodes that will not have room in time, by what is known now. */
  private void loseHope(Moment moment) {
    long now = moment.nowMillis();
    if (now < nextDoubtMillis) {
      return;
    }
    nextDoubtMillis = now + DOUBT_EVERY_MILLIS;
    for (KeyState state : keys.values()) {
      Patience patience = state.patience();
      ResourceRequest any = state.wishes().any();
      if (patience.over(now) || !patience.mayBeCut() || any == null) {
        continue;
      }
      Need need = Need.of(any);
      Predicate<ClusterNode> may = moment.places().nodesFor(need);
      Set<ClusterNode> nodes = new LinkedHashSet<>();
      state.nodes().values().stream()
          .flatMap(ranked -> ranked.nodes().stream())
          .filter(may)
          .forEach(nodes::add);
      if (moment.places().millisUntilRoom(nodes, need) > patience.remaining(now)) {
        patience.endBy(now);
        metrics.count(AskMetrics.Event.WAITS_CUT);
      }
    }
  }

  /** Keys on which racks or other nodes have been made to wait, and need not any more. */
  Set<AskKey> patienceOver(long nowMillis) {
    Set<AskKey> over = new LinkedHashSet<>();
    keys.forEach(
        (key, state) -> {
          if (state.patience().real() && state.patience().over(nowMillis)) {
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
      if (keys.containsKey(key) || WeirName.is(ask.getResourceName())) {
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
    return keys.values().stream().mapToLong(state -> state.wishes().weight()).sum();
  }

  /** Leaves out names of files that are no good or too many. */
  private static final class Gate {

    private final List<String> refused = new ArrayList<>();
    private long room;

    Gate(long room) {
      this.room = room;
    }

    List<ResourceRequest> admit(List<ResourceRequest> asks, Wishes wishes) {
      return asks.stream().filter(ask -> admits(ask, wishes)).toList();
    }

    private boolean admits(ResourceRequest ask, Wishes wishes) {
      String name = ask.getResourceName();
      int before = wishes.containers(name);
      if (!WeirName.is(name) || ask.getNumContainers() <= before) {
        return true;
      }
      try {
        WeirName.parse(name);
      } catch (IllegalArgumentException e) {
        // What it says is for the administrator, who reads the log: it has the name in it.
        LOG.debug("Refused", e);
        refused.add("a name is too long or is none of files: " + WeirName.FORM);
        return false;
      }
      long more =
          Wishes.weight(name, ask.getNumContainers())
              - (before > 0 ? Wishes.weight(name, before) : 0);
      if (more > 0 && room < more) {
        refused.add("too many files are named: name directories, or fewer nodes with ;k=");
        return false;
      }
      room -= more;
      return true;
    }
  }
}
