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
 * Writes asks for the scheduler. Each ask is a new object, because the scheduler keeps and changes
 * what it gets. All asks of a key share its priority, allocation request id, capability and
 * execution type; otherwise a node's ask would not match that of its rack. Only the ask for any
 * node may carry a label.
 */
public final class AskWriter {

  private final LongSupplier clock;
  private final boolean strict;

  /**
   * Creates a writer.
   *
   * @param strict whether asks exclude other nodes; false if {@link
   *     dev.weir.yarn.WeirPlacementAllocator} enforces the wait
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
   * @param own asks for places that the ApplicationMaster chose itself, null if it chose none
   * @param nodeWait how long the rest of the cluster waits
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

    boolean waits() {
      return nodeWait.isWait();
    }
  }

  /** The input from which the asks of a key are written. */
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
      ResourceRequest previous = before.requested().template();
      return previous != null ? previous : changes.stream().findFirst().orElse(null);
    }
  }

  /**
   * Starts a wait.
   *
   * @param required whether the application itself excluded other nodes
   */
  NodeWait nodeWait(long nowMillis, long waitMillis, long limitMillis, boolean required) {
    return strict
        ? NodeWait.from(nowMillis, waitMillis, required)
        : NodeWait.fromFirstDeclined(waitMillis, limitMillis, required);
  }

  /** Builds names from counts, without a wait if it has already ended. */
  Names names(NodeCounts counts, NodeWait nodeWait, long nowMillis) {
    return new Names(
        null,
        counts.nodes(),
        counts.racks(),
        nodeWait.isOver(nowMillis) ? NodeWait.NONE : nodeWait);
  }

  /** The names that the ApplicationMaster chose itself. */
  Names own(RequestedAsks requested) {
    return combine(requested, new NodeCounts(Map.of(), Map.of(), 0), Integer.MAX_VALUE);
  }

  /**
   * The names that the ApplicationMaster chose itself together with those from counts. If both name
   * the same place, the containers are added up.
   *
   * @param max the upper limit of each sum
   */
  Names combine(RequestedAsks requested, NodeCounts counts, int max) {
    Map<String, Integer> nodes = new LinkedHashMap<>(counts.nodes());
    Map<String, Integer> racks = new LinkedHashMap<>(counts.racks());
    Map<String, ResourceRequest> own = new LinkedHashMap<>();
    for (ResourceRequest ask : requested.places()) {
      String name = ask.getResourceName();
      long ours = (long) orZero(nodes.remove(name)) + orZero(racks.remove(name));
      ResourceRequest both = ResourceRequest.clone(ask);
      if (ours > 0) {
        both.setNumContainers(
            Math.max(ask.getNumContainers(), (int) Math.min(max, ask.getNumContainers() + ours)));
      }
      own.put(name, both);
    }
    return new Names(own, nodes, racks, NodeWait.NONE);
  }

  private static int orZero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  ResourceRequest withoutContainers(ResourceRequest ask) {
    ResourceRequest withoutContainers = ResourceRequest.clone(ask);
    withoutContainers.setNumContainers(0);
    return withoutContainers;
  }

  /**
   * Writes all asks of a key: those wanted, those withdrawn, and the ask for any node if there is
   * one.
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

  /** Writes only the asks whose count has grown, never the ask for any node. */
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
      // The ApplicationMaster named hosts itself, so it decides whether others are allowed.
      rack.setRelaxLocality(template.getRelaxLocality());
    }
    return rack;
  }

  private ResourceRequest node(ResourceRequest template, String name, int count) {
    return copy(template, name, count, relaxed());
  }

  private ResourceRequest relaxed(Names names) {
    return names.waits() ? new WaitingRequest(clock, names.nodeWait(), strict) : relaxed();
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
