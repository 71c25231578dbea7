package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.NodeRanking;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.NodeWait;
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
 * Turns the asks on one key that name files into asks that name nodes. A pure function of the key's
 * state, the new asks and the context.
 *
 * <p>The scheduler takes every ask as absolute for its name, decrements it as it allocates
 * containers, and allocates as many containers as the ask for any node says. Therefore:
 *
 * <ul>
 *   <li>The ask for any node is sent only if the ApplicationMaster sends it, or after Weir has
 *       withdrawn it. Repeating it would ask again for containers that are already allocated.
 *   <li>A held key is withdrawn by an ask for no containers, so that the scheduler allocates
 *       nothing and the count is still right when the key is released. The withdrawal also makes
 *       the scheduler validate capability and label at once, as it would without Weir.
 *   <li>Names that Weir asked for and no longer wants are asked for with no containers.
 *   <li>If some container has no node to run on, none waits: the scheduler has one wait per key.
 *   <li>Hosts and racks that the ApplicationMaster names itself stay unchanged, and nothing waits
 *       or is held on such a key. The nodes of the files are added.
 * </ul>
 */
public final class KeyPlanner {

  private final AskSettings settings;
  private final AskWriter writer;

  public KeyPlanner(AskSettings settings, AskWriter writer) {
    this.settings = settings;
    this.writer = writer;
  }

  /** Whether the asks themselves exclude other nodes during a wait. */
  boolean strict() {
    return writer.strict();
  }

  /** Plans for changed asks. All names of files in the changes can be parsed. */
  KeyStep onAsks(KeyState state, List<ResourceRequest> changes, PlanningContext context) {
    Change change = new Change(state, changes, state.requested().with(changes), context);
    if (change.requested.files().isEmpty()) {
      return end(change);
    }
    Resolved resolved = resolve(change);
    return resolved.partial(context) && !change.choosesPlaces() && mayHold(change)
        ? hold(change, resolved)
        : place(change, resolved);
  }

  /**
   * Plans for a key that {@link KeyState#needsStep waits} and on which the ApplicationMaster asks
   * nothing.
   */
  KeyStep onHeartbeat(KeyState state, PlanningContext context) {
    Change change = new Change(state, List.of(), state.requested(), context);
    Resolved resolved = resolve(change);
    if (state.hold().active()) {
      return resolved.partial(context) && mayHold(change)
          ? new KeyStep(state, List.of(), AskOutcome.NOTHING)
          : place(change, resolved);
    }
    return addLate(change, resolved);
  }

  /**
   * The input of one plan. Derived values are computed once, because a heartbeat may change many
   * keys.
   */
  private static final class Change {
    private final KeyState state;
    private final List<ResourceRequest> asks;
    private final RequestedAsks requested;
    private final PlanningContext context;
    private final boolean choosesPlaces;
    private final Map<String, Integer> files;
    private final @Nullable ResourceRequest any;

    Change(
        KeyState state,
        List<ResourceRequest> asks,
        RequestedAsks requested,
        PlanningContext context) {
      this.state = state;
      this.asks = asks;
      this.requested = requested;
      this.context = context;
      choosesPlaces = requested.choosePlaces(context.cluster());
      files = requested.files();
      if (choosesPlaces) {
        // The application named places itself, so its general inputs add nothing.
        files.keySet().removeIf(context.places()::isInputs);
      }
      any = anyNow(state, asks, requested);
    }

    private static @Nullable ResourceRequest anyNow(
        KeyState state, List<ResourceRequest> asks, RequestedAsks requested) {
      ResourceRequest sentNow = null;
      for (ResourceRequest ask : asks) {
        if (ResourceRequest.isAnyLocation(ask.getResourceName())) {
          sentNow = ask;
        }
      }
      return sentNow == null && state.hold().active() ? requested.any() : sentNow;
    }

    boolean choosesPlaces() {
      return choosesPlaces;
    }

    Map<String, Integer> files() {
      return files;
    }

    /** The ask for any node to send now, null if it must not be sent. */
    @Nullable ResourceRequest any() {
      return any;
    }
  }

  private record Resolved(Map<String, RankedNodes> nodes, KeyState.Awaited awaited) {

    /** Whether a later step may find more nodes before the scheduler allocates. */
    boolean partial(PlanningContext context) {
      return awaited.lookUps() || (context.cluster().registering() && !awaited.hosts().isEmpty());
    }
  }

  private static Resolved resolve(Change change) {
    Map<String, RankedNodes> nodes = new HashMap<>();
    boolean pending = false;
    Set<String> away = new HashSet<>();
    ResourceRequest template = change.requested.template();
    if (template == null) {
      return new Resolved(nodes, KeyState.Awaited.NONE);
    }
    AskKey key = AskKey.of(template);
    Predicate<ClusterNode> eligible =
        change.context.places().nodesFor(ContainerRequirement.of(template));
    for (Map.Entry<String, Integer> file : change.files().entrySet()) {
      String name = file.getKey();
      LocationResult located = change.context.places().locate(key, name);
      RankedNodes ranked = RankedNodes.NONE;
      if (located instanceof LocationResult.Found found) {
        int requestedMax = FilesResourceName.maxNodesOf(name);
        int max = requestedMax > 0 ? requestedMax : NodeRanking.defaultNodes(file.getValue());
        ranked = NodeRanking.rank(found, change.context.cluster(), max, eligible);
        away.addAll(NodeRanking.hostsWithoutNodeManager(found, change.context.cluster(), max));
      } else if (located instanceof LocationResult.Pending) {
        // The nodes found earlier for the name are better than none.
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
    AskHold hold = change.state.hold();
    ResourceRequest any = change.any();
    if (any == null || any.getNumContainers() <= 0) {
      return false;
    }
    if (AskValidator.isOpportunistic(any)) {
      // Opportunistic containers are allocated by another processor, which takes asks from
      // heartbeats alone.
      return false;
    }
    if (change.context.cluster().registering()) {
      // The scheduler allocates nothing while nodes register, so a hold costs nothing.
      return true;
    }
    if (change.context.places().stalled()) {
      return false;
    }
    long now = change.context.nowMillis();
    return hold.active() ? now - hold.sinceMillis() < settings.holdMillis() : hold.mayBegin(now);
  }

  private KeyStep hold(Change change, Resolved resolved) {
    AskHold before = change.state.hold();
    AskHold hold = before.active() ? before : AskHold.since(change.context.nowMillis());
    ResourceRequest any = change.any();
    List<ResourceRequest> withdrawal =
        any == null ? List.of() : List.of(writer.withoutContainers(any));
    KeyState next =
        change
            .state
            .withRequested(change.requested, askedMillis(change))
            .withNodes(resolved.nodes(), resolved.awaited())
            .withSent(Map.of())
            .withWait(hold, NodeWait.NONE);
    return new KeyStep(next, withdrawal, AskOutcome.HELD);
  }

  private KeyStep place(Change change, Resolved resolved) {
    ResourceRequest any = change.any();
    NodeCounts counts = NodeCounts.of(change.files(), resolved.nodes(), maxContainers(change, any));
    NodeWait nodeWait = nodeWait(change, resolved, counts);
    AskWriter.Names names =
        change.choosesPlaces()
            ? writer.combine(change.requested, counts, maxContainers(change, any))
            : writer.names(counts, nodeWait, change.context.nowMillis());
    List<ResourceRequest> asks =
        writer.write(new AskWriter.Draft(change.state, change.asks, change.requested, any), names);
    if (any != null && any.getNumContainers() <= 0) {
      // For the scheduler this ends the key, whatever else is asked for on it.
      return new KeyStep(null, asks, AskOutcome.ENDED);
    }
    KeyState next =
        change
            .state
            .withRequested(change.requested, askedMillis(change))
            .withNodes(resolved.nodes(), resolved.awaited())
            .withSent(names.containers())
            .withWait(change.state.hold().released(change.context.nowMillis()), nodeWait);
    return new KeyStep(next, asks, outcome(change, resolved));
  }

  private static long askedMillis(Change change) {
    return asksForMore(change) ? change.context.nowMillis() : change.state.askedMillis();
  }

  private static int maxContainers(Change change, @Nullable ResourceRequest any) {
    ResourceRequest total = any != null ? any : change.requested.any();
    return total == null ? Integer.MAX_VALUE : total.getNumContainers();
  }

  private static AskOutcome outcome(Change change, Resolved resolved) {
    if (resolved.nodes().isEmpty()) {
      return change.choosesPlaces() ? AskOutcome.LEFT_ALONE : AskOutcome.ANYWHERE;
    }
    return resolved.nodes().size() == change.files().size() ? AskOutcome.PLACED : AskOutcome.PARTLY;
  }

  /**
   * A running wait is not extended. A wait does not begin again for asks that only decrease, nor
   * until as much time has passed since its end as it lasted. So an ApplicationMaster that asks in
   * every heartbeat does not wait indefinitely.
   */
  private NodeWait nodeWait(Change change, Resolved resolved, NodeCounts counts) {
    long now = change.context.nowMillis();
    ResourceRequest total = change.requested.any();
    if (change.choosesPlaces()) {
      // The application's own exclusions must not be relaxed.
      return NodeWait.NONE;
    }
    if (total == null || counts.placed() < total.getNumContainers()) {
      return endedWait(change);
    }
    NodeWait running = change.state.nodeWait();
    boolean runs = running.begun() && !running.isOver(now);
    if (runs
        || running.isCoolingDown(now)
        || !(change.state.hold().active() || asksForMore(change))) {
      return running;
    }
    long longest = settings.localityWait().maxMillis();
    if (!total.getRelaxLocality()) {
      return writer.nodeWait(now, longest, longest, true);
    }
    long transferMillis = 0;
    Set<ClusterNode> nodes = new LinkedHashSet<>();
    for (Map.Entry<String, RankedNodes> file : resolved.nodes().entrySet()) {
      long reported = FilesResourceName.rateOf(file.getKey());
      transferMillis =
          Math.max(
              transferMillis,
              settings.localityWait().transferMillis(file.getValue().bytes(), reported));
      nodes.addAll(file.getValue().nodes());
    }
    long room = change.context.places().millisUntilRoom(nodes, ContainerRequirement.of(total));
    long notice = change.context.cluster().noticeMillis();
    long wait = settings.localityWait().millis(transferMillis, notice, room);
    return wait > 0 ? writer.nodeWait(now, wait, longest, false) : endedWait(change);
  }

  /** Keeps a wait that has ended: the scheduler may still have copies of its asks. */
  private static NodeWait endedWait(Change change) {
    NodeWait before = change.state.nodeWait();
    if (!before.isWait()) {
      return NodeWait.NONE;
    }
    // Ended but not replaced, so that its cool-down applies.
    before.endAt(change.context.nowMillis());
    return before;
  }

  private static boolean asksForMore(Change change) {
    Map<String, Integer> before = change.state.requested().files();
    return change.requested.files().entrySet().stream()
        .anyMatch(file -> file.getValue() > before.getOrDefault(file.getKey(), 0));
  }

  private KeyStep addLate(Change change, Resolved resolved) {
    KeyState state = change.state;
    ResourceRequest template = change.requested.template();
    if (change.requested.any() == null
        && template != null
        && change.context.places().outstanding(template) <= 0) {
      // Without an ask for any node, the scheduler would keep asks for nodes until the application
      // ends.
      return new KeyStep(state, List.of(), AskOutcome.NOTHING);
    }
    NodeCounts counts =
        NodeCounts.of(
            change.files(), resolved.nodes(), maxContainers(change, change.requested.any()));
    AskWriter.Names names =
        change.choosesPlaces()
            ? writer.combine(
                change.requested, counts, maxContainers(change, change.requested.any()))
            : writer.names(counts, NodeWait.NONE, change.context.nowMillis());
    List<ResourceRequest> asks = writer.writeAdditions(change.requested, state.sent(), names);
    Map<String, Integer> sent = new HashMap<>(state.sent());
    names.containers().forEach((name, containers) -> sent.merge(name, containers, Math::max));
    KeyState next = state.withNodes(resolved.nodes(), resolved.awaited()).withSent(sent);
    return new KeyStep(next, asks, asks.isEmpty() ? AskOutcome.NOTHING : AskOutcome.ADDED_LATE);
  }

  /**
   * Ends a key whose containers have all been allocated. An ApplicationMaster need not withdraw
   * keys, and may use new keys indefinitely. So the state is dropped and unused names are withdrawn
   * from the scheduler.
   */
  KeyStep onSatisfied(KeyState state, PlanningContext context) {
    ResourceRequest any = state.requested().any();
    if (any == null) {
      return new KeyStep(null, List.of(), AskOutcome.SATISFIED);
    }
    ResourceRequest none = writer.withoutContainers(any);
    // YARN also validates withdrawals, and may now refuse what it allowed before.
    none.setCapability(Resource.newInstance(0, 0));
    // With null, YARN would apply and check the application's label.
    none.setNodeLabelExpression(CommonNodeLabelsManager.NO_LABEL);
    return new KeyStep(
        null,
        state.requested().choosePlaces(context.cluster())
            ? withdrawOwnNames(state, none, context)
            : List.of(none),
        AskOutcome.SATISFIED);
  }

  /**
   * Withdraws only what Weir asked for, if the application's own places are still in the scheduler;
   * otherwise the whole key. Names that the scheduler has used up are not withdrawn: that would
   * keep the name, and the key, with no containers.
   */
  private static List<ResourceRequest> withdrawOwnNames(
      KeyState state, ResourceRequest none, PlanningContext context) {
    List<String> left =
        state.sent().keySet().stream().filter(name -> context.places().hasAsk(none, name)).toList();
    List<String> ours = left.stream().filter(name -> !state.requested().name(name)).toList();
    if (ours.size() == left.size()) {
      return left.isEmpty() ? List.of() : List.of(none);
    }
    return ours.stream().map(name -> withdrawal(none, name)).toList();
  }

  private static ResourceRequest withdrawal(ResourceRequest none, String name) {
    ResourceRequest withdrawal = ResourceRequest.clone(none);
    withdrawal.setResourceName(name);
    // Only the ask for any node may carry a label.
    withdrawal.setNodeLabelExpression(null);
    return withdrawal;
  }

  /** Ends a key that no longer names files. */
  private KeyStep end(Change change) {
    List<ResourceRequest> asks =
        writer.write(
            new AskWriter.Draft(change.state, change.asks, change.requested, change.any()),
            writer.own(change.requested));
    return new KeyStep(null, asks, AskOutcome.ENDED);
  }
}
