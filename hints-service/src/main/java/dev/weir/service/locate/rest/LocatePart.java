package dev.weir.service.locate.rest;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.locate.Inference;
import dev.weir.service.locate.InputNodeRanking;
import dev.weir.service.locate.Locations;
import dev.weir.service.locate.explain.LocationExplainer;
import dev.weir.service.locate.nodes.DataNodes;
import dev.weir.service.part.ServicePart;
import dev.weir.workflow.infer.LinkSpeed;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * The calls that report and explain the location of files. They have their own threads, so that
 * they do not delay changes of hints.
 */
public final class LocatePart implements ServicePart {
  /**
   * What explanations need.
   *
   * @param active tells whether a watcher is the active NameNode; may call NameNodes
   * @param use explains replicas that follow the use of files
   */
  public record Facts(Supplier<Predicate<WatcherInfo>> active, UseExplainer use) {}

  private final ExecutorService executor;
  private final Set<Object> resources;

  /**
   * Creates the part.
   *
   * @param configuration has the number of concurrent look-ups and the rate of links
   * @param facts what explanations need
   */
  public LocatePart(
      Configuration configuration,
      HintStore store,
      CallerFileSystems callers,
      Facts facts,
      Clock clock) {
    int threads = CallerSettings.from(configuration).threads();
    executor = Executors.newFixedThreadPool(threads, DaemonThreadFactory.numbered("locate-"));
    DataNodes dataNodes = new DataNodes(callers, clock);
    resources =
        Set.of(
            new LocationsResource(new Locations(callers, executor)),
            new PlacementsResource(
                new InputNodeRanking(callers, executor, dataNodes, store::snapshot)),
            new ExplainResource(
                new LocationExplainer(callers, dataNodes, store, facts.active(), facts.use())),
            new WorkflowsResource(new Inference(callers, dataNodes, LinkSpeed.of(configuration))));
  }

  @Override
  public String name() {
    return "locate";
  }

  @Override
  public Set<Object> resources() {
    return resources;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
