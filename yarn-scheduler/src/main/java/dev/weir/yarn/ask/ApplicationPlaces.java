package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.EligibleNodes;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.lookup.LocationResult;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Files and nodes as one heartbeat of an application sees them, and the problems to report to its
 * user.
 */
final class ApplicationPlaces implements PlanningContext.Places {

  private final PluginContext plugin;
  private final Application application;
  private final PlacementProblems problems = new PlacementProblems();
  private final Set<AskKey> pending = new HashSet<>();

  /**
   * The application that sends the heartbeat.
   *
   * @param user the application's user; null if it is not known any more
   * @param inputs the resource name of the application's inputs, null if it names none
   * @param nodes the nodes that it may get
   */
  record Application(@Nullable String user, @Nullable String inputs, EligibleNodes nodes) {}

  /** Creates the view of one heartbeat. */
  ApplicationPlaces(PluginContext plugin, Application application) {
    this.plugin = plugin;
    this.application = application;
  }

  @Override
  public LocationResult locate(AskKey key, String resourceName) {
    String user = application.user();
    if (user == null) {
      return new LocationResult.Unknown(LocationResult.Why.NO_ANSWER);
    }
    FilesResourceName name = FilesResourceName.parse(resourceName);
    LocationResult located = plugin.locations().locate(user, name);
    if (located instanceof LocationResult.Pending) {
      pending.add(key);
    } else if (located instanceof LocationResult.Unknown unknown) {
      problem(key, name(resourceName) + " " + unknown.why().words());
    } else if (located instanceof LocationResult.Found found) {
      for (String path : found.missing()) {
        String which =
            "path %d of %d of ".formatted(name.paths().indexOf(path) + 1, name.paths().size());
        problem(key, which + name(resourceName) + " " + LocationResult.Why.NOT_THERE.words());
      }
    }
    return located;
  }

  /**
   * Names a resource name without its paths: YARN shows diagnostics to users who may not see the
   * application otherwise.
   */
  private String name(String resourceName) {
    return isInputs(resourceName) ? ApplicationInputs.KEY : "a name";
  }

  @Override
  public boolean stalled() {
    String user = application.user();
    return user == null || plugin.locations().stalled(user, plugin.settings().holdMillis());
  }

  @Override
  public long millisUntilRoom(Collection<ClusterNode> nodes, ContainerRequirement requirement) {
    return plugin.cluster().millisUntilRoom(nodes, requirement);
  }

  @Override
  public Predicate<ClusterNode> nodesFor(ContainerRequirement requirement) {
    return application.nodes().forContainer(plugin.cluster().view(), requirement);
  }

  @Override
  public int outstanding(ResourceRequest any) {
    return application.nodes().outstanding(any);
  }

  @Override
  public boolean hasAsk(ResourceRequest any, String place) {
    return application.nodes().outstanding(any, place) > 0;
  }

  @Override
  public boolean isInputs(String resourceName) {
    return resourceName.equals(application.inputs());
  }

  @Override
  public void refused(AskKey key, String why) {
    problem(key, why);
  }

  private void problem(AskKey key, String text) {
    problems.add(key, text);
  }

  /** The problems that kept files from being used. */
  PlacementProblems problems() {
    return problems;
  }

  /** Whether a name on a key is being looked up. */
  boolean isPending(AskKey key) {
    return pending.contains(key);
  }
}
