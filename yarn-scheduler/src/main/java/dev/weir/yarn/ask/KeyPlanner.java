package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.Need;
import dev.weir.yarn.cluster.NodeRanking;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.lookup.Located;
import dev.weir.yarn.lookup.WeirName;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.Patience;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
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
 *   <li>when some container has no node to go to, none waits: the scheduler has one wait a key;
 *   <li>hosts and racks that the ApplicationMaster names itself stay as they are, and nothing waits
 *       or is held back there: the nodes of the files are named besides.
 * </ul>
 */
public final class KeyPlanner {

  private final AskSettings settings;
  private final AskWriter writer;

  public KeyPlanner(AskSettings settings, AskWriter writer) {
    this.settings = settings;
    this.writer = writer;
  }

  /** Whether the asks themselves keep other nodes away. */
  boolean strict() {
    return writer.strict();
  }

  /** The ApplicationMaster changes asks on the key. The changes name files that can be parsed. */
  KeyStep onAsks(KeyState state, List<ResourceRequest> changes, Moment moment) {
    Change change = new Change(state, changes, state.wishes().with(changes), moment);
    if (change.wishes.files().isEmpty()) {
      return end(change);
    }
    Resolved resolved = resolve(change);
    return resolved.partial(moment) && !change.choosesPlaces() && mayHold(change)
        ? hold(change, resolved)
        : place(change, resolved);
  }

  /** The ApplicationMaster asks nothing on the key, on which something {@link KeyState#waits}. */
  KeyStep onHeartbeat(KeyState state, Moment moment) {
    Change change = new Change(state, List.of(), state.wishes(), moment);
    Resolved resolved = resolve(change);
    if (state.hold().active()) {
      return resolved.partial(moment) && mayHold(change)
          ? new KeyStep(state, List.of(), AskOutcome.NOTHING)
          : place(change, resolved);
    }
    return addLate(change, resolved);
  }

  /** What is planned for; found out once, for a heartbeat may change many keys. */
  private static final class Change {
    private final KeyState state;
    private final List<ResourceRequest> asks;
    private final Wishes wishes;
    private final Moment moment;
    private final boolean choosesPlaces;
    private final Map<String, Integer> files;
    private final @Nullable ResourceRequest any;

    Change(KeyState state, List<ResourceRequest> asks, Wishes wishes, Moment moment) {
      this.state = state;
      this.asks = asks;
      this.wishes = wishes;
      this.moment = moment;
      choosesPlaces = wishes.choosePlaces(moment.cluster());
      files = wishes.files();
      if (choosesPlaces) {
        // Beside places of the application's own its inputs tell nothing new.
        files.keySet().removeIf(moment.places()::isInputs);
      }
      any = anyNow(state, asks, wishes);
    }

    private static @Nullable ResourceRequest anyNow(
        KeyState state, List<ResourceRequest> asks, Wishes wishes) {
      ResourceRequest sentNow = null;
      for (ResourceRequest ask : asks) {
        if (ResourceRequest.isAnyLocation(ask.getResourceName())) {
          sentNow = ask;
        }
      }
      return sentNow == null && state.hold().active() ? wishes.any() : sentNow;
    }

    boolean choosesPlaces() {
      return choosesPlaces;
    }

    /** Containers by name. */
    Map<String, Integer> files() {
      return files;
    }

    /** The ask for any node as it must be sent now, null if it must not. */
    @Nullable ResourceRequest any() {
      return any;
    }
  }

  private record Resolved(Map<String, RankedNodes> nodes, KeyState.Awaited awaited) {

    /** Whether it is worth while to look again before anything is given. */
    boolean partial(Moment moment) {
      return awaited.lookUps() || (moment.cluster().registering() && !awaited.hosts().isEmpty());
    }
  }

  private static Resolved resolve(Change change) {
    Map<String, RankedNodes> nodes = new HashMap<>();
    boolean pending = false;
    Set<String> away = new HashSet<>();
    ResourceRequest template = change.wishes.template();
    if (template == null) {
      return new Resolved(nodes, KeyState.Awaited.NONE);
    }
    AskKey key = AskKey.of(template);
    Predicate<ClusterNode> may = change.moment.places().nodesFor(Need.of(template));
    for (Map.Entry<String, Integer> file : change.files().entrySet()) {
      String name = file.getKey();
      Located located = change.moment.places().locate(key, name);
      RankedNodes ranked = RankedNodes.NONE;
      if (located instanceof Located.Found found) {
        int asked = WeirName.mostOf(name);
        int most = asked > 0 ? asked : NodeRanking.usual(file.getValue());
        ranked = NodeRanking.rank(found, change.moment.cluster(), most, may);
        away.addAll(NodeRanking.away(found, change.moment.cluster(), most));
      } else if (located instanceof Located.Pending) {
        // What was right when the name was first asked for beats nothing at all.
        ranked = change.state.nodes().getOrDefault(name, RankedNodes.NONE);
        pending |= ranked.isEmpty();
        away.addAll(change.state.awaited().hosts());
      }
      if (!ranked.isEmpty()) {
        nodes.put(name, ranked);
      }
    }
    return new Resolved(nodes, new KeyState.Awaited(pending, away));
  }

  private boolean mayHold(Change change) {
    Hold hold = change.state.hold();
    ResourceRequest any = change.any();
    if (any == null || any.getNumContainers() <= 0) {
      return false;
    }
    if (AskRules.isOpportunistic(any)) {
      // Another than the scheduler gives those, and takes them from heartbeats alone.
      return false;
    }
    if (change.moment.cluster().registering()) {
      // Nothing is given meanwhile, so nothing is lost.
      return true;
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
    KeyState next =
        change
            .state
            .wishing(change.wishes, askedMillis(change))
            .located(resolved.nodes(), resolved.awaited())
            .told(Map.of())
            .waiting(hold, Patience.NONE);
    return new KeyStep(next, withdrawal, AskOutcome.HELD);
  }

  private KeyStep place(Change change, Resolved resolved) {
    ResourceRequest any = change.any();
    NodeCounts counts =
        NodeCounts.of(change.files(), resolved.nodes(), mostContainers(change, any));
    Patience patience = patience(change, resolved, counts);
    AskWriter.Names names =
        change.choosesPlaces()
            ? writer.beside(change.wishes, counts, mostContainers(change, any))
            : writer.names(counts, patience, change.moment.nowMillis());
    List<ResourceRequest> asks =
        writer.write(new AskWriter.Draft(change.state, change.asks, change.wishes, any), names);
    if (any != null && any.getNumContainers() <= 0) {
      // To the scheduler that ends a key, whatever else is asked for on it.
      return new KeyStep(null, asks, AskOutcome.ENDED);
    }
    KeyState next =
        change
            .state
            .wishing(change.wishes, askedMillis(change))
            .located(resolved.nodes(), resolved.awaited())
            .told(names.containers())
            .waiting(change.state.hold().released(change.moment.nowMillis()), patience);
    return new KeyStep(next, asks, outcome(change, resolved));
  }

  private static long askedMillis(Change change) {
    return wantsMore(change) ? change.moment.nowMillis() : change.state.askedMillis();
  }

  private static int mostContainers(Change change, @Nullable ResourceRequest any) {
    ResourceRequest total = any != null ? any : change.wishes.any();
    return total == null ? Integer.MAX_VALUE : total.getNumContainers();
  }

  private static AskOutcome outcome(Change change, Resolved resolved) {
    if (resolved.nodes().isEmpty()) {
      return change.choosesPlaces() ? AskOutcome.LEFT_ALONE : AskOutcome.ANYWHERE;
    }
    return resolved.nodes().size() == change.files().size() ? AskOutcome.PLACED : AskOutcome.PARTLY;
  }

  /**
   * A wait once begun is not prolonged while it runs, nor begun again by asks that only count down,
   * nor for as long as it lasted after it ended, so an ApplicationMaster that asks in every
   * heartbeat does not wait for ever.
   */
  private Patience patience(Change change, Resolved resolved, NodeCounts counts) {
    long now = change.moment.nowMillis();
    ResourceRequest total = change.wishes.any();
    if (change.choosesPlaces()) {
      // What it forbids itself is not ours to allow.
      return Patience.NONE;
    }
    if (total == null || counts.placed() < total.getNumContainers()) {
      return noPatience(change);
    }
    Patience running = change.state.patience();
    boolean runs = running.begun() && !running.over(now);
    if (runs || running.rests(now) || !(change.state.hold().active() || wantsMore(change))) {
      return running;
    }
    long longest = settings.localityWait().maxMillis();
    if (!total.getRelaxLocality()) {
      return writer.patience(now, longest, longest, true);
    }
    long moving = 0;
    Set<ClusterNode> nodes = new LinkedHashSet<>();
    for (Map.Entry<String, RankedNodes> file : resolved.nodes().entrySet()) {
      long reported = WeirName.rateOf(file.getKey());
      moving = Math.max(moving, settings.localityWait().moving(file.getValue().bytes(), reported));
      nodes.addAll(file.getValue().nodes());
    }
    long room = change.moment.places().millisUntilRoom(nodes, Need.of(total));
    long notice = change.moment.cluster().noticeMillis();
    long wait = settings.localityWait().millis(moving, notice, room);
    return wait > 0 ? writer.patience(now, wait, longest, false) : noPatience(change);
  }

  /**
   * Where there was a wait once it is remembered, for the scheduler may have copies of its asks.
   */
  private static Patience noPatience(Change change) {
    Patience before = change.state.patience();
    if (!before.real()) {
      return Patience.NONE;
    }
    // Ended and not replaced, so that it rests for as long as it has lasted.
    before.endBy(change.moment.nowMillis());
    return before;
  }

  private static boolean wantsMore(Change change) {
    Map<String, Integer> before = change.state.wishes().files();
    return change.wishes.files().entrySet().stream()
        .anyMatch(file -> file.getValue() > before.getOrDefault(file.getKey(), 0));
  }

  private KeyStep addLate(Change change, Resolved resolved) {
    KeyState state = change.state;
    ResourceRequest template = change.wishes.template();
    if (change.wishes.any() == null
        && template != null
        && change.moment.places().outstanding(template) <= 0) {
      // The scheduler would keep what is asked of nodes alone until the application ends.
      return new KeyStep(state, List.of(), AskOutcome.NOTHING);
    }
    NodeCounts counts =
        NodeCounts.of(
            change.files(), resolved.nodes(), mostContainers(change, change.wishes.any()));
    AskWriter.Names names =
        change.choosesPlaces()
            ? writer.beside(change.wishes, counts, mostContainers(change, change.wishes.any()))
            : writer.names(counts, Patience.NONE, change.moment.nowMillis());
    List<ResourceRequest> asks = writer.writeAdditions(change.wishes, state.sent(), names);
    Map<String, Integer> sent = new HashMap<>(state.sent());
    names.containers().forEach((name, containers) -> sent.merge(name, containers, Math::max));
    KeyState next = state.located(resolved.nodes(), resolved.awaited()).told(sent);
    return new KeyStep(next, asks, asks.isEmpty() ? AskOutcome.NOTHING : AskOutcome.ADDED_LATE);
  }

  /**
   * All containers of the key have come. The ApplicationMaster need not say that it wants no more,
   * and may name other files on other keys for ever, so this key is forgotten, and with it what we
   * named and the scheduler has not used up.
   */
  KeyStep onSatisfied(KeyState state, Moment moment) {
    ResourceRequest any = state.wishes().any();
    if (any == null) {
      return new KeyStep(null, List.of(), AskOutcome.SATISFIED);
    }
    ResourceRequest none = writer.none(any);
    // YARN checks what is withdrawn, too; what was allowed then may not be now.
    none.setCapability(Resource.newInstance(0, 0));
    // Null would become the application's own label, and that be checked.
    none.setNodeLabelExpression(CommonNodeLabelsManager.NO_LABEL);
    return new KeyStep(
        null,
        state.wishes().choosePlaces(moment.cluster())
            ? oursAlone(state, none, moment)
            : List.of(none),
        AskOutcome.SATISFIED);
  }

  /**
   * What the application chose itself and has left in the scheduler is not ours to withdraw; where
   * it has left nothing, all of the key may go. What the scheduler has used up is not withdrawn,
   * for it would keep the name, and the key with it, with no containers.
   */
  private static List<ResourceRequest> oursAlone(
      KeyState state, ResourceRequest none, Moment moment) {
    List<String> left =
        state.sent().keySet().stream()
            .filter(name -> moment.places().stillAsks(none, name))
            .toList();
    List<String> ours = left.stream().filter(name -> !state.wishes().name(name)).toList();
    if (ours.size() == left.size()) {
      return left.isEmpty() ? List.of() : List.of(none);
    }
    return ours.stream().map(name -> gone(none, name)).toList();
  }

  private static ResourceRequest gone(ResourceRequest none, String name) {
    ResourceRequest gone = ResourceRequest.clone(none);
    gone.setResourceName(name);
    // Only the ask for any node may carry a label.
    gone.setNodeLabelExpression(null);
    return gone;
  }

  /** No files are named any more. */
  private KeyStep end(Change change) {
    List<ResourceRequest> asks =
        writer.write(
            new AskWriter.Draft(change.state, change.asks, change.wishes, change.any()),
            writer.own(change.wishes));
    return new KeyStep(null, asks, AskOutcome.ENDED);
  }
}
