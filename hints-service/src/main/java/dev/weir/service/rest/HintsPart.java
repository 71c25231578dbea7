package dev.weir.service.rest;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.access.Authorizer;
import dev.weir.service.access.CacheCapacity;
import dev.weir.service.access.FileSystemAccess;
import dev.weir.service.access.HintAttributes;
import dev.weir.service.part.LeaderTask;
import dev.weir.service.part.ServicePart;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

public final class HintsPart implements ServicePart {
  private final Set<Object> resources;
  private final List<LeaderTask> tasks;
  private final ClientRulesWriter clientRules;

  /**
   * Creates the part.
   *
   * @param active tells whether a watcher is the active NameNode; may call NameNodes
   */
  public HintsPart(
      HintStore store,
      FileSystemAccess access,
      Supplier<Predicate<WatcherInfo>> active,
      RestSettings settings,
      Clock clock) {
    Authorizer authorizer = access.authorizer();
    SetUpdater updater = new SetUpdater(store, new RoomCheck(store, authorizer), clock);
    clientRules = new ClientRulesWriter(store, access.callers());
    WriteResponses responses =
        new WriteResponses(
            new AppliedChangeWait(store, active, settings),
            clientRules,
            new CacheCapacity(access.callers(), clock));
    HintAttributes attributes = new HintAttributes(access.callers());
    tasks =
        List.of(
            new ExpiredSetCleaner(
                store, attributes, access.callers().self(), settings.expiryInterval(), clock),
            clientRules);
    resources =
        Set.of(
            new HintSetsResource(updater, authorizer, responses, store, clock),
            new HintsResource(store, updater, authorizer, attributes, responses),
            new WatchersResource(store, active),
            new OpenApiResource());
  }

  @Override
  public List<LeaderTask> leaderTasks() {
    return tasks;
  }

  @Override
  public Map<String, Object> status(String user) {
    return clientRules.status();
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
