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

  /** How often the executor checks for news, in milliseconds. */
  public static final long LOOK_EVERY_MILLIS = 25;

  private final PluginContext plugin;
  private final RMApp app;
  private final ContainerRequirement need;
  private final EligibleNodes nodes;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicLong nextLook = new AtomicLong();
  private volatile long sinceMillis = -1;
  private volatile @Nullable FilesResourceName inputs;
  private volatile @Nullable Answer answer;
  private volatile boolean over;

  private record Answer(RankedNodes ranked, Set<String> names, NodeWait nodeWait) {
    /** Any node is accepted. */
    static final Answer NONE = new Answer(RankedNodes.NONE, Set.of(), NodeWait.NONE);
  }

  /**
   * Creates the placement of one container.
   *
   * @param app an application that names inputs
   * @param nodes the nodes that the application may get
   */
  public MasterPlacement(
      PluginContext plugin, RMApp app, ContainerRequirement need, EligibleNodes nodes) {
    this.plugin = plugin;
    this.app = app;
    this.need = need;
    this.nodes = nodes;
  }

  /**
   * Whether the container may run on a node now. Never waits.
   *
   * @param withRoom whether the node has room for it
   */
  public boolean allows(String node, boolean withRoom) {
    if (over) {
      return true;
    }
    long now = plugin.clock().getAsLong();
    // The wait starts here, not when the container was requested: the application may have been
    // queued before.
    if (sinceMillis < 0) {
      sinceMillis = now;
    }
    look(now);
    Answer known = answer;
    boolean done =
        known == null
            ? now - sinceMillis >= plugin.settings().holdMillis()
                || plugin.locations().stalled(app.getUser(), plugin.settings().holdMillis())
            : known.nodeWait().over(now);
    if (done) {
      over = true;
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

  /** Starts the lookup, so that the answer is there when it is needed. Does not wait. */
  public void prepare() {
    look(plugin.clock().getAsLong());
  }

  /** The container was allocated on a node. */
  public void given(String node) {
    Answer known = answer;
    if (known != null && !known.ranked().isEmpty()) {
      plugin
          .metrics()
          .count(
              known.names().contains(node)
                  ? AskMetrics.Event.MASTERS_ON_NAMED_NODES
                  : AskMetrics.Event.MASTERS_ELSEWHERE);
    }
    over = true;
  }

  private void look(long now) {
    long due = nextLook.get();
    if (now < due || looking.get() || !nextLook.compareAndSet(due, now + LOOK_EVERY_MILLIS)) {
      return;
    }
    if (looking.compareAndSet(false, true)) {
      try {
        plugin.executor().execute(this::lookAndFinish);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // The executor is overloaded. Without an answer the wait ends by itself.
        looking.set(false);
      }
    }
  }

  private void lookAndFinish() {
    try {
      Answer known = answer;
      if (known == null) {
        answer = decide();
      } else {
        recheckWait(known);
      }
    } catch (RuntimeException | Error e) {
      // An Error that leaves this thread would end the ResourceManager.
      plugin.metrics().count(AskMetrics.Event.FAILURES);
      over = true;
    } finally {
      looking.set(false);
    }
  }

  private @Nullable Answer decide() {
    FilesResourceName inputs = inputs();
    if (inputs == null) {
      return Answer.NONE;
    }
    LocationResult located = plugin.locations().locate(app.getUser(), inputs);
    if (located instanceof LocationResult.Pending) {
      return null;
    }
    if (!(located instanceof LocationResult.Found found)) {
      return Answer.NONE;
    }
    ClusterView cluster = plugin.cluster().view();
    int most = inputs.most() > 0 ? inputs.most() : NodeRanking.USUAL_NODES;
    if (cluster.registering() && !NodeRanking.away(found, cluster, most).isEmpty()) {
      return null;
    }
    RankedNodes ranked =
        NodeRanking.rank(found, cluster, most, nodes.whichForMaster(cluster, need));
    if (ranked.isEmpty()) {
      return new Answer(ranked, Set.of(), NodeWait.NONE);
    }
    LocalityWait price = plugin.settings().localityWait();
    long moving = price.moving(ranked.bytes(), inputs.bytesPerSecond());
    long room = plugin.cluster().millisUntilRoom(ranked.nodes(), need);
    long wait = price.millis(moving, cluster.noticeMillis(), room);
    return new Answer(
        ranked,
        ranked.nodes().stream().map(ClusterNode::name).collect(Collectors.toUnmodifiableSet()),
        wait > 0 ? NodeWait.fromFirstDeclined(wait, price.maxMillis(), false) : NodeWait.NONE);
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

  private void recheckWait(Answer known) {
    long now = plugin.clock().getAsLong();
    if (!known.nodeWait().over(now)
        && plugin.cluster().millisUntilRoom(known.ranked().nodes(), need)
            > known.nodeWait().remaining(now)) {
      known.nodeWait().endBy(now);
      plugin.metrics().count(AskMetrics.Event.WAITS_CUT);
    }
  }
}
