package dev.weir.yarn.allocator;

import dev.weir.yarn.ask.ApplicationInputs;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.EligibleNodes;
import dev.weir.yarn.cluster.NodeRanking;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.LocalityWait;
import dev.weir.yarn.wait.NodeWait;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;

/**
 * Places an ApplicationMaster's own container near the application's inputs. The scheduler calls it
 * under its locks, so it only reads what others have computed: the plugin's executor looks up files
 * and examines nodes.
 */
public final class MasterPlacement {

  /** How often the executor checks lookup and wait, in milliseconds. */
  public static final long CHECK_EVERY_MILLIS = 25;

  private final PluginContext plugin;
  private final RMApp app;
  private final ContainerRequirement requirement;
  private final EligibleNodes nodes;
  private final AtomicBoolean checking = new AtomicBoolean();
  private final AtomicLong nextCheck = new AtomicLong();
  private volatile long startMillis = -1;
  private volatile @Nullable FilesResourceName inputs;
  private volatile @Nullable Decision decision;
  private volatile boolean finished;

  private record Decision(RankedNodes ranked, Set<String> names, NodeWait nodeWait) {
    /** Any node is accepted. */
    static final Decision NONE = new Decision(RankedNodes.NONE, Set.of(), NodeWait.NONE);
  }

  /**
   * Creates the placement of one container.
   *
   * @param app an application that names inputs
   * @param nodes the nodes that the application may get
   */
  public MasterPlacement(
      PluginContext plugin, RMApp app, ContainerRequirement requirement, EligibleNodes nodes) {
    this.plugin = plugin;
    this.app = app;
    this.requirement = requirement;
    this.nodes = nodes;
  }

  /** Whether the container may run on a node now. Never waits. */
  public boolean allows(String node, boolean withRoom) {
    if (finished) {
      return true;
    }
    long now = plugin.clock().getAsLong();
    // The wait starts here, not when the container was requested: the application may have been
    // queued before.
    if (startMillis < 0) {
      startMillis = now;
    }
    startCheck(now);
    Decision known = decision;
    boolean waitEnded =
        known == null
            ? now - startMillis >= plugin.settings().holdMillis()
                || plugin.locations().stalled(app.getUser(), plugin.settings().holdMillis())
            : known.nodeWait().isOver(now);
    if (waitEnded) {
      finished = true;
      return true;
    }
    if (known == null) {
      return false;
    }
    boolean named = known.names().contains(node);
    if (!named) {
      known.nodeWait().declined(now, withRoom);
    }
    return named;
  }

  /** Starts the lookup early. Does not wait. */
  public void prepare() {
    startCheck(plugin.clock().getAsLong());
  }

  /** Records that the container was allocated on a node. */
  public void allocated(String node) {
    Decision known = decision;
    if (known != null && !known.ranked().isEmpty()) {
      plugin
          .metrics()
          .count(
              known.names().contains(node)
                  ? AskMetrics.Event.MASTERS_ON_NAMED_NODES
                  : AskMetrics.Event.MASTERS_ELSEWHERE);
    }
    finished = true;
  }

  private void startCheck(long now) {
    long due = nextCheck.get();
    if (now < due || checking.get() || !nextCheck.compareAndSet(due, now + CHECK_EVERY_MILLIS)) {
      return;
    }
    if (checking.compareAndSet(false, true)) {
      try {
        plugin.executor().execute(this::check);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // The executor is overloaded. Without a decision the wait ends by itself.
        checking.set(false);
      }
    }
  }

  private void check() {
    try {
      Decision known = decision;
      if (known == null) {
        decision = decide();
      } else {
        recheckWait(known);
      }
    } catch (RuntimeException | Error e) {
      // An Error that leaves this thread would end the ResourceManager.
      plugin.metrics().count(AskMetrics.Event.FAILURES);
      finished = true;
    } finally {
      checking.set(false);
    }
  }

  private @Nullable Decision decide() {
    FilesResourceName inputs = inputs();
    if (inputs == null) {
      return Decision.NONE;
    }
    LocationResult located = plugin.locations().locate(app.getUser(), inputs);
    if (located instanceof LocationResult.Pending) {
      return null;
    }
    if (!(located instanceof LocationResult.Found found)) {
      return Decision.NONE;
    }
    ClusterView cluster = plugin.cluster().view();
    int maxNodes = inputs.maxNodes() > 0 ? inputs.maxNodes() : NodeRanking.DEFAULT_NODES;
    if (cluster.registering()
        && !NodeRanking.hostsWithoutNodeManager(found, cluster, maxNodes).isEmpty()) {
      return null;
    }
    RankedNodes ranked =
        NodeRanking.rank(found, cluster, maxNodes, nodes.forMaster(cluster, requirement));
    if (ranked.isEmpty()) {
      return new Decision(ranked, Set.of(), NodeWait.NONE);
    }
    LocalityWait localityWait = plugin.settings().localityWait();
    long transferMillis = localityWait.transferMillis(ranked.bytes(), inputs.bytesPerSecond());
    long room = plugin.cluster().millisUntilRoom(ranked.nodes(), requirement);
    long wait = localityWait.millis(transferMillis, cluster.noticeMillis(), room);
    return new Decision(
        ranked,
        ranked.nodes().stream().map(ClusterNode::name).collect(Collectors.toUnmodifiableSet()),
        wait > 0
            ? NodeWait.fromFirstDeclined(wait, localityWait.maxMillis(), false)
            : NodeWait.NONE);
  }

  /** Parses the inputs once, in the executor; null if they are invalid. */
  private @Nullable FilesResourceName inputs() {
    FilesResourceName known = inputs;
    if (known == null) {
      String name = ApplicationInputs.of(app);
      known = name == null ? null : FilesResourceName.parse(name);
      inputs = known;
    }
    return known;
  }

  private void recheckWait(Decision known) {
    long now = plugin.clock().getAsLong();
    if (!known.nodeWait().isOver(now)
        && plugin.cluster().millisUntilRoom(known.ranked().nodes(), requirement)
            > known.nodeWait().remaining(now)) {
      known.nodeWait().endAt(now);
      plugin.metrics().count(AskMetrics.Event.WAITS_CUT);
    }
  }
}
