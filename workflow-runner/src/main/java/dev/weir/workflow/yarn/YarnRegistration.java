package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.jspecify.annotations.Nullable;

/**
 * Registers an ApplicationMaster with YARN's ResourceManager, takes over existing containers, and
 * unregisters it with the result of its run. Calls block.
 */
public final class YarnRegistration {

  private static final int HEARTBEAT_MILLIS = 300;

  /** While the first workers are awaited: a request and its answer take three heartbeats. */
  private static final int FIRST_HEARTBEATS_MILLIS = 100;

  /** Memory and virtual cores. */
  private static final int COMMON_TYPES = 2;

  private final ContainerPool pool;
  private final AMRMClientAsync<ContainerRequest> master;

  public YarnRegistration(ContainerPool pool) {
    this(pool, AMRMClientAsync.createAMRMClientAsync(FIRST_HEARTBEATS_MILLIS, pool));
  }

  /** Does the same with another client of the ResourceManager. */
  YarnRegistration(ContainerPool pool, AMRMClientAsync<ContainerRequest> master) {
    this.pool = pool;
    this.master = master;
  }

  /**
   * The address of an ApplicationMaster.
   *
   * @param address its host
   * @param port accepts workers
   * @param page URL of its page for YARN's web proxy; empty for none
   */
  public record Place(String address, int port, String page) {}

  /** Starts the communication with the ResourceManager; {@link #stop} ends it. */
  public void start(YarnConfiguration conf) {
    master.init(conf);
    master.start();
  }

  /** Returns the containers of the cluster, which all run the same. */
  public Containers containers(
      NMClient nodes, FunctionRaisingIOE<String, ContainerLaunchContext> launch) {
    return new YarnContainers(master, nodes, launch);
  }

  /**
   * Registers the first ApplicationMaster of a run, and requests workers.
   *
   * @param yarn receives the pool's requests
   * @return ids of existing containers; normally none
   * @throws IOException when YARN refuses the registration
   */
  public List<String> registerFirst(Place place, Containers yarn) throws IOException {
    pool.open(yarn);
    // Requested first, so that the first heartbeat contains the requests.
    pool.start();
    return register(place, Set.of());
  }

  /**
   * Registers a later ApplicationMaster, and requests the workers that are missing.
   *
   * @param yarn receives the pool's requests
   * @param nodes known hosts of the cluster: YARN still avoids those that the earlier
   *     ApplicationMaster wanted avoided, which this one does not know
   * @return ids of existing containers
   * @throws IOException when YARN refuses the registration
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
      RegisterApplicationMasterResponse answer =
          master.registerApplicationMaster(place.address(), place.port(), place.page());
      if (answer.getResourceTypes().size() > COMMON_TYPES) {
        // This node's own configuration may lack some of them.
        ResourceUtils.reinitializeResources(answer.getResourceTypes());
        pool.countsAllResources(
            answer.getSchedulerResourceTypes().contains(SchedulerResourceTypes.CPU));
      }
      return pool.keep(answer.getContainersFromPreviousAttempts(), avoidable);
    } catch (YarnException e) {
      throw new IOException("YARN refused to register this ApplicationMaster", e);
    }
  }

  /** Reduces the heartbeat rate, once the first workers are there or the cluster is full. */
  public void slowDown() {
    master.setHeartbeatInterval(HEARTBEAT_MILLIS);
  }

  /**
   * Unregisters with the result of the run.
   *
   * @param failure why it has failed; null when it succeeded
   * @param remark a further message; empty for none
   */
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    String why = failure == null ? "" : failure.inOneLine();
    try {
      master.unregisterApplicationMaster(
          failure == null ? FinalApplicationStatus.SUCCEEDED : status(failure),
          why + (why.isEmpty() || remark.isEmpty() ? "" : "; ") + remark,
          "");
    } catch (YarnException e) {
      throw new IOException("YARN refused to unregister this ApplicationMaster", e);
    }
  }

  private static FinalApplicationStatus status(RunFailure why) {
    return why.cancelled() ? FinalApplicationStatus.KILLED : FinalApplicationStatus.FAILED;
  }

  /** Ends the communication. */
  public void stop() {
    master.stop();
  }
}
