package dev.weir.yarn;

import dev.weir.yarn.KeyStep.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Turns the asks on one key that name files into asks that name nodes. A pure function of the
 * remembered state, the new asks and the moment.
 *
 * <p>The scheduler takes every ask as absolute for its name, counts it down as it hands containers
 * out, and gives as many containers as the ask for any node says. Hence the rules:
 *
 * <ul>
 *   <li>the ask for any node is sent only when the ApplicationMaster sends it, or after it has been
 *       withdrawn by us: to repeat it would bring back containers already given;
 *   <li>a key that is held is withdrawn (an ask for none), so that nothing is given on it meanwhile
 *       and the count stands when it is released. The withdrawal also has the scheduler validate
 *       capability and label at once, as it would without us;
 *   <li>what we named and no longer want is asked for with no containers;
 *   <li>when some container has no node to go to, none waits: the scheduler has one wait a key.
 * </ul>
 */
final class KeyPlanner {

  private final AskSettings settings;
  private final AskWriter writer;

  KeyPlanner(AskSettings settings, AskWriter writer) {
    this.settings = settings;
    this.writer = writer;
  }

  /** The ApplicationMaster changes asks on the key. The changes name files that can be parsed. */
  KeyStep onAsks(KeyState state, List<ResourceRequest> changes, Moment moment) {
    Change change = new Change(state, changes, state.wishes().with(changes), moment);
    if (change.wishes.files().isEmpty()) {
      return leaveAlone(change, Outcome.ENDED);
    }
    if (change.wishes.choosePlaces(moment.cluster())) {
      return leaveAlone(change, Outcome.LEFT_ALONE);
    }
    Resolved resolved = resolve(change);
    return resolved.pending() && mayHold(change) ? hold(change, resolved) : place(change, resolved);
  }

  /** The ApplicationMaster asks nothing on the key, on which something {@link KeyState#waits}. */
  KeyStep onHeartbeat(KeyState state, Moment moment) {
    Change change = new Change(state, List.of(), state.wishes(), moment);
    Resolved resolved = resolve(change);
    if (state.hold().active()) {
      return resolved.pending() && mayHold(change)
          ? new KeyStep(state, List.of(), Outcome.NOTHING)
          : place(change, resolved);
    }
    return addLate(change, resolved);
  }

  private record Change(KeyState state, List<ResourceRequest> asks, Wishes wishes, Moment moment) {

    /** The ask for any node as it must be sent now, null if it must not. */
    @Nullable ResourceRequest any() {
      ResourceRequest sentNow = null;
      for (ResourceRequest ask : asks) {
        if (ResourceRequest.isAnyLocation(ask.getResourceName())) {
          sentNow = ask;
        }
      }
      return sentNow == null && state.hold().active() ? wishes.any() : sentNow;
    }
  }

  private record Resolved(Map<String, RankedNodes> nodes, boolean pending) {}

  private static Resolved resolve(Change change) {
    Map<String, RankedNodes> nodes = new HashMap<>();
    boolean pending = false;
    for (Map.Entry<String, Integer> file : change.wishes.files().entrySet()) {
      String name = file.getKey();
      Located located = change.moment.places().locate(name);
      RankedNodes ranked = RankedNodes.NONE;
      if (located instanceof Located.Found found) {
        ranked = NodeRanking.rank(found.bytesByHost(), change.moment.cluster(), file.getValue());
      } else if (located instanceof Located.Pending) {
        // What was right when the name was first asked for beats nothing at all.
        ranked = change.state.nodes().getOrDefault(name, RankedNodes.NONE);
        pending |= ranked.isEmpty();
      }
      if (!ranked.isEmpty()) {
        nodes.put(name, ranked);
      }
    }
    return new Resolved(nodes, pending);
  }

  private boolean mayHold(Change change) {
    Hold hold = change.state.hold();
    ResourceRequest any = change.any();
    if (any == null || any.getNumContainers() <= 0) {
      return false;
    }
    if (change.moment.places().stalled()) {
      return false;
    }
    long now = change.moment.nowMillis();
    return hold.active() ? now - hold.sinceMillis() < settings.holdMillis() : hold.mayBegin(now);
  }

  private KeyStep hold(Change change, Resolved resolved) {
    Hold before = change.state.hold();
    Hold hold = before.active() ? before : Hold.since(change.moment.nowMillis());
    ResourceRequest any = change.any();
    List<ResourceRequest> withdrawal = any == null ? List.of() : List.of(writer.none(any));
    KeyState next = new KeyState(change.wishes, Map.of(), resolved.nodes(), true, hold, 0);
    return new KeyStep(next, withdrawal, Outcome.HELD);
  }

  private KeyStep place(Change change, Resolved resolved) {
    ResourceRequest any = change.any();
    NodeCounts counts =
        NodeCounts.of(change.wishes.files(), resolved.nodes(), mostContainers(change, any));
    long patientUntil = patientUntil(change, resolved, counts);
    AskWriter.Names names = writer.names(counts, patientUntil, change.moment.nowMillis());
    List<ResourceRequest> asks =
        writer.write(new AskWriter.Draft(change.state, change.asks, change.wishes, any), names);
    boolean cancelled = any != null && any.getNumContainers() <= 0;
    KeyState next =
        new KeyState(
            change.wishes,
            names.containers(),
            resolved.nodes(),
            resolved.pending() && settings.addsLate(),
            cancelled ? Hold.NONE : change.state.hold().released(change.moment.nowMillis()),
            patientUntil);
    return new KeyStep(next, asks, cancelled ? Outcome.ENDED : outcome(change, resolved));
  }

  private static int mostContainers(Change change, @Nullable ResourceRequest any) {
    ResourceRequest total = any != null ? any : change.wishes.any();
    return total == null ? Integer.MAX_VALUE : total.getNumContainers();
  }

  private static Outcome outcome(Change change, Resolved resolved) {
    if (resolved.nodes().isEmpty()) {
      return Outcome.ANYWHERE;
    }
    return resolved.nodes().size() == change.wishes.files().size()
        ? Outcome.PLACED
        : Outcome.PARTLY;
  }

  /**
   * A wait once begun is not prolonged while it runs, nor begun again by asks that only count down,
   * so an ApplicationMaster that asks in every heartbeat does not wait for ever.
   */
  private long patientUntil(Change change, Resolved resolved, NodeCounts counts) {
    long now = change.moment.nowMillis();
    ResourceRequest total = change.wishes.any();
    if (total == null || counts.placed() < total.getNumContainers()) {
      return now;
    }
    long running = change.state.patientUntil();
    if (running > now || !(change.state.hold().active() || wantsMore(change))) {
      return running;
    }
    long bytes = resolved.nodes().values().stream().mapToLong(RankedNodes::bytes).max().orElse(0);
    long wait =
        total.getRelaxLocality()
            ? settings.localityWait().millis(bytes, change.moment.cluster().noticeMillis())
            : settings.localityWait().maxMillis();
    return now + wait;
  }

  private static boolean wantsMore(Change change) {
    Map<String, Integer> before = change.state.wishes().files();
    return change.wishes.files().entrySet().stream()
        .anyMatch(file -> file.getValue() > before.getOrDefault(file.getKey(), 0));
  }

  private KeyStep addLate(Change change, Resolved resolved) {
    KeyState state = change.state;
    NodeCounts counts =
        NodeCounts.of(
            change.wishes.files(), resolved.nodes(), mostContainers(change, change.wishes.any()));
    AskWriter.Names names = writer.names(counts, 0, change.moment.nowMillis());
    List<ResourceRequest> asks = writer.writeAdditions(change.wishes, state.sent(), names);
    Map<String, Integer> sent = new HashMap<>(state.sent());
    names.containers().forEach((name, containers) -> sent.merge(name, containers, Math::max));
    KeyState next =
        new KeyState(
            change.wishes,
            sent,
            resolved.nodes(),
            resolved.pending(),
            state.hold(),
            state.patientUntil());
    return new KeyStep(next, asks, asks.isEmpty() ? Outcome.NOTHING : Outcome.ADDED_LATE);
  }

  private KeyStep leaveAlone(Change change, Outcome outcome) {
    AskWriter.Names names = writer.own(change.wishes);
    List<ResourceRequest> asks =
        writer.write(
            new AskWriter.Draft(change.state, change.asks, change.wishes, change.any()), names);
    KeyState next =
        outcome == Outcome.ENDED
            ? null
            : new KeyState(
                change.wishes,
                names.containers(),
                Map.of(),
                false,
                change.state.hold().released(change.moment.nowMillis()),
                0);
    return new KeyStep(next, asks, outcome);
  }
}
