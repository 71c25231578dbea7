package dev.weir.yarn.ask;

import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.wait.NodeWait;
import dev.weir.yarn.wait.WaitingRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Writes asks for the scheduler. All of them are new objects, for the scheduler keeps and changes
 * what it is given; and all of one key have its priority, allocation request id, capability and
 * execution type, which is what makes a node's ask match that of its rack. Only the ask for any
 * node may carry a label.
 */
public final class AskWriter {

  private final LongSupplier clock;
  private final boolean strict;

  /** Writes asks that keep other nodes away for as long as they are to wait. */
  public AskWriter(LongSupplier clock) {
    this(clock, true);
  }

  /**
   * Writes asks.
   *
   * @param strict false where {@code WeirPlacementAllocator} keeps the wait
   */
  public AskWriter(LongSupplier clock, boolean strict) {
    this.clock = clock;
    this.strict = strict;
  }

  boolean strict() {
    return strict;
  }

  /**
   * The hosts and racks to ask for.
   *
   * @param own asks for names that the ApplicationMaster chose itself, null where it chose none
   * @param nodeWait until when the rest of the cluster is to wait
   */
  record Names(
      @Nullable Map<String, ResourceRequest> own,
      Map<String, Integer> nodes,
      Map<String, Integer> racks,
      NodeWait nodeWait) {

    Map<String, Integer> containers() {
      Map<String, Integer> all = new HashMap<>(racks);
      all.putAll(nodes);
      if (own != null) {
        own.forEach((name, ask) -> all.put(name, ask.getNumContainers()));
      }
      return all;
    }

    boolean patient() {
      return nodeWait.real();
    }
  }

  /** What one list of asks is written from. */
  record Draft(
      KeyState before,
      List<ResourceRequest> changes,
      RequestedAsks requested,
      @Nullable ResourceRequest any) {

    @Nullable ResourceRequest template() {
      if (any != null) {
        return any;
      }
      ResourceRequest wanted = requested.template();
      if (wanted != null) {
        return wanted;
      }
      ResourceRequest was = before.requested().template();
      return was != null ? was : changes.stream().findFirst().orElse(null);
    }
  }

  /**
   * A wait that begins now.
   *
   * @param insisted whether the application forbade other nodes itself
   */
  NodeWait nodeWait(long nowMillis, long waitMillis, long limitMillis, boolean insisted) {
    return strict
        ? NodeWait.from(nowMillis, waitMillis, insisted)
        : NodeWait.fromFirstDeclined(waitMillis, limitMillis, insisted);
  }

  /** Names to ask for from counts; there is no wait if its end has come. */
  Names names(NodeCounts counts, NodeWait nodeWait, long nowMillis) {
    return new Names(
        null, counts.nodes(), counts.racks(), nodeWait.over(nowMillis) ? NodeWait.NONE : nodeWait);
  }

  /** The names that the ApplicationMaster chose itself. */
  Names own(RequestedAsks requested) {
    return beside(requested, new NodeCounts(Map.of(), Map.of(), 0), Integer.MAX_VALUE);
  }

  /**
   * The names that the ApplicationMaster chose itself, and those from counts besides; where both
   * name the same, the containers are added up.
   *
   * @param most no sum exceeds this
   */
  Names beside(RequestedAsks requested, NodeCounts counts, int most) {
    Map<String, Integer> nodes = new LinkedHashMap<>(counts.nodes());
    Map<String, Integer> racks = new LinkedHashMap<>(counts.racks());
    Map<String, ResourceRequest> own = new LinkedHashMap<>();
    for (ResourceRequest ask : requested.places()) {
      String name = ask.getResourceName();
      long ours = (long) or0(nodes.remove(name)) + or0(racks.remove(name));
      ResourceRequest both = ResourceRequest.clone(ask);
      if (ours > 0) {
        both.setNumContainers(
            Math.max(ask.getNumContainers(), (int) Math.min(most, ask.getNumContainers() + ours)));
      }
      own.put(name, both);
    }
    return new Names(own, nodes, racks, NodeWait.NONE);
  }

  private static int or0(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  /** An ask for no containers, in all else like the given one. */
  ResourceRequest none(ResourceRequest ask) {
    ResourceRequest none = ResourceRequest.clone(ask);
    none.setNumContainers(0);
    return none;
  }

  /**
   * All of a key: what is wanted, what is withdrawn, and the ask for any node where there is one.
   */
  List<ResourceRequest> write(Draft draft, Names names) {
    ResourceRequest template = draft.template();
    if (template == null) {
      return List.of();
    }
    Map<String, ResourceRequest> asks = new LinkedHashMap<>();
    names.nodes().forEach((name, count) -> asks.put(name, node(template, name, count)));
    names.racks().forEach((name, count) -> asks.put(name, rack(template, name, count, names)));
    if (names.own() != null) {
      asks.putAll(names.own());
    }
    for (String name : draft.before().sent().keySet()) {
      asks.computeIfAbsent(name, gone -> node(template, gone, 0));
    }
    for (ResourceRequest change : draft.changes()) {
      if (withdrawsPlace(change)) {
        asks.computeIfAbsent(change.getResourceName(), name -> ResourceRequest.clone(change));
      }
    }
    List<ResourceRequest> written = new ArrayList<>(asks.values());
    if (draft.any() != null) {
      written.add(any(draft.any(), names));
    }
    return written;
  }

  /** Only what is asked for more than before, and never the ask for any node. */
  List<ResourceRequest> writeAdditions(
      RequestedAsks requested, Map<String, Integer> sent, Names names) {
    ResourceRequest template = requested.template();
    if (template == null) {
      return List.of();
    }
    List<ResourceRequest> written = new ArrayList<>();
    names
        .containers()
        .forEach(
            (name, count) -> {
              if (count > sent.getOrDefault(name, 0)) {
                ResourceRequest own = names.own() == null ? null : names.own().get(name);
                written.add(own != null ? own : node(template, name, count));
              }
            });
    return written;
  }

  private static boolean withdrawsPlace(ResourceRequest change) {
    return change.getNumContainers() <= 0
        && !FilesResourceName.is(change.getResourceName())
        && !ResourceRequest.isAnyLocation(change.getResourceName());
  }

  private ResourceRequest any(ResourceRequest ask, Names names) {
    if (names.own() != null || ask.getNumContainers() <= 0) {
      return ResourceRequest.clone(ask);
    }
    ResourceRequest any = copy(ask, ResourceRequest.ANY, ask.getNumContainers(), relaxed(names));
    any.setNodeLabelExpression(ask.getNodeLabelExpression());
    return any;
  }

  private ResourceRequest rack(ResourceRequest template, String name, int count, Names names) {
    ResourceRequest rack = copy(template, name, count, relaxed(names));
    if (names.own() != null) {
      // Beside hosts of the ApplicationMaster's own it is for it to say whether others will do.
      rack.setRelaxLocality(template.getRelaxLocality());
    }
    return rack;
  }

  private ResourceRequest node(ResourceRequest template, String name, int count) {
    return copy(template, name, count, relaxed());
  }

  private ResourceRequest relaxed(Names names) {
    return names.patient() ? new WaitingRequest(clock, names.nodeWait(), strict) : relaxed();
  }

  private static ResourceRequest relaxed() {
    return ResourceRequest.newBuilder().relaxLocality(true).build();
  }

  private static ResourceRequest copy(
      ResourceRequest from, String name, int count, ResourceRequest to) {
    to.setPriority(from.getPriority());
    to.setAllocationRequestId(from.getAllocationRequestId());
    to.setCapability(from.getCapability());
    to.setExecutionTypeRequest(from.getExecutionTypeRequest());
    to.setResourceName(name);
    to.setNumContainers(count);
    return to;
  }
}
