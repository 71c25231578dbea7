package dev.weir.bench.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * One of the two clusters that are compared. In a turn, every ApplicationMaster requests ten
 * containers, each with a separate request id. The nodes of one part of the cluster send heartbeats
 * until all containers are allocated. The ApplicationMasters then receive the containers, release
 * them and withdraw the requests.
 */
final class AllocationCluster implements AutoCloseable {
  private static final int MASTERS = 20;
  private static final int EACH = 10;

  /** Containers in a turn, and nodes in a part. */
  static final int TURN = MASTERS * EACH;

  private static final int MAX_ROUNDS = 2_000;

  private final SchedulerVariant variant;
  private final AskNaming naming;
  private final SimulatedCluster cluster;
  private final int nodes;
  private final List<SimulatedMaster> masters = new ArrayList<>();
  private long allocated;
  private long local;

  AllocationCluster(SchedulerVariant variant, AskNaming naming, int nodes)
      throws IOException, YarnException, InterruptedException {
    this.variant = variant;
    this.naming = naming;
    this.nodes = nodes;
    cluster = new SimulatedCluster(variant, nodes);
    for (int i = 0; i < MASTERS; i++) {
      masters.add(SimulatedMaster.start(cluster.manager()));
    }
  }

  /** Runs a turn and returns its nanoseconds. */
  long turn(int number) throws IOException, InterruptedException {
    int first = number * TURN % nodes;
    long begin = System.nanoTime();
    List<List<Container>> containers = new ArrayList<>();
    int count = 0;
    for (int i = 0; i < MASTERS; i++) {
      containers.add(new ArrayList<>(masters.get(i).heartbeat(asks(first, i, 1), List.of())));
      count += containers.get(i).size();
    }
    for (int round = 0; count < TURN; round++) {
      if (round == MAX_ROUNDS) {
        throw new IllegalStateException(count + " containers of " + TURN + " were allocated");
      }
      for (int node = first; node < first + TURN; node++) {
        cluster.heartbeat(node);
      }
      for (int i = 0; i < MASTERS; i++) {
        List<Container> received = masters.get(i).heartbeat(List.of(), List.of());
        containers.get(i).addAll(received);
        count += received.size();
      }
    }
    for (int i = 0; i < MASTERS; i++) {
      List<ContainerId> released = containers.get(i).stream().map(Container::getId).toList();
      masters.get(i).heartbeat(asks(first, i, 0), released);
    }
    cluster.drain();
    long nanos = System.nanoTime() - begin;
    count(first, containers);
    return nanos;
  }

  /** Delivers, between turns, what a real node's heartbeat would fetch. */
  void deliverCleanups() {
    cluster.deliverCleanups();
  }

  /** Returns the share of containers on the node with the file. */
  double localShare() {
    return allocated == 0 ? 0 : (double) local / allocated;
  }

  private List<ResourceRequest> asks(int first, int master, int containers) {
    List<ResourceRequest> asks = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      // Neighbours in the list are far apart in the cluster.
      asks.addAll(naming.asks(variant, i, first + i * MASTERS + master, containers));
    }
    return asks;
  }

  private void count(int first, List<List<Container>> containers) {
    for (int master = 0; master < MASTERS; master++) {
      for (Container container : containers.get(master)) {
        allocated++;
        int node = first + (int) container.getAllocationRequestId() * MASTERS + master;
        if (container.getNodeId().getHost().equals(SimulatedHosts.host(node))) {
          local++;
        }
      }
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
