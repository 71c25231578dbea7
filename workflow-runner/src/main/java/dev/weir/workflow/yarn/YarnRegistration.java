package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.RunFailure;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/**
 * How an ApplicationMaster comes to YARN's ResourceManager and leaves it: says where it is, hears
 * which containers there are from before, and says how its run has ended. Calls block.
 */
public final class YarnRegistration {

  private static final int HEARTBEAT_MILLIS = 300;

  /** While the first workers are awaited: an ask and its answer take three heartbeats. */
  private static final int FIRST_HEARTBEATS_MILLIS = 100;

  private final ContainerPool pool;
  private final AMRMClientAsync<ContainerRequest> master;

  /**
   * Of an ApplicationMaster that has not come yet.
   *
   * @param pool hears of containers
   */
  public YarnRegistration(ContainerPool pool) {
    this(pool, AMRMClientAsync.createAMRMClientAsync(FIRST_HEARTBEATS_MILLIS, pool));
  }

  /** The same, with what talks with the ResourceManager. */
  YarnRegistration(ContainerPool pool, AMRMClientAsync<ContainerRequest> master) {
    this.pool = pool;
    this.master = master;
  }

  /**
   * Where an ApplicationMaster is.
   *
   * @param address its host
   * @param port takes workers in
   */
  public record Place(String address, int port) {}

  /** Begins to talk with the ResourceManager; {@link #stop} ends it. */
  public void start(YarnConfiguration conf) {
    master.init(conf);
    master.start();
  }

  /** Containers on the nodes of the cluster, which all run the same. */
  public Containers containers(NMClient nodes, ContainerLauncher launch) {
    return new YarnContainers(master, nodes, launch);
  }

  /**
   * Registers the first ApplicationMaster of a run, and has workers asked for.
   *
   * @param yarn what becomes of the pool's asks
   * @return ids of the containers that there are from before: none, unless YARN knows better
   * @throws IOException when YARN does not take it
   */
  public List<String> registerFirst(Place place, Containers yarn) throws IOException {
    pool.open(yarn);
    // Before it registers, so that the first heartbeat brings the asks.
    pool.start();
    return register(place, Set.of());
  }

  /**
   * Registers a later one, and has workers asked for beside those that there are from before.
   *
   * @param yarn what becomes of the pool's asks
   * @param nodes hosts of the cluster, as far as known: YARN goes on to avoid those that the
   *     ApplicationMaster before wanted avoided, of which this one knows nothing
   * @return ids of the containers that there are
   * @throws IOException when YARN does not take it
   */
  public List<String> registerNext(Place place, Containers yarn, Set<String> nodes)
      throws IOException {
    pool.open(yarn);
    List<String> kept = register(place, nodes);
    pool.start();
    return kept;
  }

  private List<String> register(Place place, Set<String> avoidable) throws IOException {
    try {
      List<Container> kept =
          master
              .registerApplicationMaster(place.address(), place.port(), "")
              .getContainersFromPreviousAttempts();
      return pool.keep(kept, avoidable);
    } catch (YarnException e) {
      throw new IOException("YARN does not register this ApplicationMaster", e);
    }
  }

  /** The first workers are there, or the cluster is full: it is not to be asked so often. */
  public void slowDown() {
    master.setHeartbeatInterval(HEARTBEAT_MILLIS);
  }

  /**
   * Says that the run has ended.
   *
   * @param failure why it has not succeeded; null when it has
   * @param remark what else is to be said; empty for nothing
   * @throws IOException when YARN does not take it
   */
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    String why = failure == null ? "" : failure.inOneLine();
    try {
      master.unregisterApplicationMaster(
          failure == null ? FinalApplicationStatus.SUCCEEDED : status(failure),
          why + (why.isEmpty() || remark.isEmpty() ? "" : "; ") + remark,
          "");
    } catch (YarnException e) {
      throw new IOException("YARN does not take the end of this run", e);
    }
  }

  private static FinalApplicationStatus status(RunFailure why) {
    return why.cancelled() ? FinalApplicationStatus.KILLED : FinalApplicationStatus.FAILED;
  }

  /** Talks no more. */
  public void stop() {
    master.stop();
  }
}
