package dev.weir.service.rest;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.access.Authorizer;
import dev.weir.service.part.ServicePart;
import java.time.Clock;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The calls on hints and hint sets. */
public final class HintsPart implements ServicePart {
  private final Set<Object> resources;

  /**
   * Makes them.
   *
   * @param active says of a NameNode that watches whether it is the active one; may ask NameNodes
   */
  public HintsPart(
      HintStore store,
      Authorizer authorizer,
      Supplier<Predicate<WatcherInfo>> active,
      RestSettings settings,
      Clock clock) {
    SetChanges changes = new SetChanges(store, clock);
    Awaits awaits = new Awaits(store, active, settings);
    resources = Set.of(new HintSetsResource(changes, authorizer, awaits, owner -> 0, clock));
  }

  @Override
  public String name() {
    return "hints";
  }

  @Override
  public Set<Object> resources() {
    return resources;
  }
}
