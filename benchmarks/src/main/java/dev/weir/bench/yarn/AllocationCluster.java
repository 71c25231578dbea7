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

  private static final int MOST_ROUNDS = 2_000;

  private final SchedulerVariant side;
  private final AskNaming naming;
  private final NameNodeStub server;
  private final SimulatedCluster cluster;
  private final int nodes;
  private final List<SimulatedMaster> masters = new ArrayList<>();
  private long given;
  private long local;

  AllocationCluster(SchedulerVariant side, AskNaming naming, int nodes)
      throws IOException, YarnException, InterruptedException {
    this.side = side;
    this.naming = naming;
    this.nodes = nodes;
    server = naming.server();
    cluster = new SimulatedCluster(side, nodes, server);
    for (int i = 0; i < MASTERS; i++) {
      masters.add(SimulatedMaster.start(cluster.manager()));
    }
  }

  /** Runs a turn and returns its nanoseconds. */
  long turn(int number) throws IOException, InterruptedException {
    int first = number * TURN % nodes;
    long begin = System.nanoTime();
    List<List<Container>> come = new ArrayList<>();
    int count = 0;
    for (int i = 0; i < MASTERS; i++) {
      come.add(new ArrayList<>(masters.get(i).heartbeat(asks(first, i, 1), List.of())));
      count += come.get(i).size();
    }
    for (int round = 0; count < TURN; round++) {
      if (round == MOST_ROUNDS) {
        throw new IllegalStateException(count + " containers of " + TURN + " were allocated");
      }
      for (int node = first; node < first + TURN; node++) {
        cluster.heartbeat(node);
      }
      for (int i = 0; i < MASTERS; i++) {
        List<Container> more = masters.get(i).heartbeat(List.of(), List.of());
        come.get(i).addAll(more);
        count += more.size();
      }
    }
    for (int i = 0; i < MASTERS; i++) {
      List<ContainerId> over = come.get(i).stream().map(Container::getId).toList();
      masters.get(i).heartbeat(asks(first, i, 0), over);
    }
    cluster.drain();
    long took = System.nanoTime() - begin;
    count(first, come);
    return took;
  }

  /** Delivers, between turns, what a real node's heartbeat would fetch. */
  void tidy() {
    cluster.tidy();
  }

  /** Returns the share of containers on the node with the file. */
  double localShare() {
    return given == 0 ? 0 : (double) local / given;
  }

  private List<ResourceRequest> asks(int first, int master, int containers) {
    List<ResourceRequest> asks = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      // Neighbours in the list are far apart in the cluster.
      asks.addAll(naming.asks(side, i, first + i * MASTERS + master, containers));
    }
    return asks;
  }

  private void count(int first, List<List<Container>> come) {
    for (int master = 0; master < MASTERS; master++) {
      for (Container container : come.get(master)) {
        given++;
        int wanted = first + (int) container.getAllocationRequestId() * MASTERS + master;
        if (container.getNodeId().getHost().equals(SimulatedHosts.host(wanted))) {
          local++;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    server.close();
  }
}
