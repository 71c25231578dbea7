package dev.weir.bench.yarn;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** What asks name. */
enum Naming {
  /** Nothing, on both sides. */
  ANYWHERE,
  /** The host that holds the file, on both sides. */
  HOSTS,
  /** The file with Weir, and the host that holds it with stock. */
  FILES,
  /** The file with Weir, whose NameNode hangs, and nothing with stock. */
  FILES_OF_A_NAMENODE_THAT_HANGS;

  private static final Resource SIZE = Resource.newInstance(SimulatedCluster.CONTAINER_MB, 1);

  /**
   * The asks for containers of one id, for a file of a node.
   *
   * @param containers none to take the ask back
   */
  List<ResourceRequest> asks(Side side, int id, int node, int containers) {
    ResourceRequest any = ask(id, ResourceRequest.ANY, containers);
    ResourceRequest file = ask(id, "weir:" + SimulatedFileSystem.path(node, id % 2), containers);
    List<ResourceRequest> host =
        List.of(
            ask(id, SimulatedHosts.host(node), containers),
            ask(id, SimulatedHosts.rack(node), containers),
            any);
    return switch (this) {
      case ANYWHERE -> List.of(any);
      case HOSTS -> host;
      case FILES -> side == Side.WEIR ? List.of(file, any) : host;
      case FILES_OF_A_NAMENODE_THAT_HANGS -> side == Side.WEIR ? List.of(file, any) : List.of(any);
    };
  }

  boolean hangs() {
    return this == FILES_OF_A_NAMENODE_THAT_HANGS;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static ResourceRequest ask(int id, String name, int containers) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(1))
        .allocationRequestId(id)
        .resourceName(name)
        .capability(SIZE)
        .numContainers(containers)
        .build();
  }
}
