package dev.weir.bench.yarn;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** The resource names in requests. */
enum AskNaming {
  /** Nothing, for both. */
  ANYWHERE,
  /** The host with the file, for both. */
  HOSTS,
  /** The file for Weir, and the host with the file for stock. */
  FILES,
  /**
   * The file for Weir, and for stock the host with the file without relaxed locality. Both need the
   * same node for the same number of keys, so the difference is the cost of the plugin.
   */
  FILES_AGAINST_HOSTS_ALONE;

  private static final Resource SIZE = Resource.newInstance(SimulatedCluster.CONTAINER_MB, 1);

  /**
   * Returns the requests for containers of one id, for a file on a node.
   *
   * @param containers 0 to withdraw the request
   */
  List<ResourceRequest> asks(SchedulerVariant variant, int id, int node, int containers) {
    ResourceRequest any = ask(id, ResourceRequest.ANY, containers);
    ResourceRequest file = ask(id, "weir:" + SimulatedFileSystem.path(node, id % 2), containers);
    List<ResourceRequest> host =
        List.of(
            ask(id, SimulatedHosts.host(node), containers),
            ask(id, SimulatedHosts.rack(node), containers),
            any);
    List<ResourceRequest> weir = List.of(file, any);
    return switch (this) {
      case ANYWHERE -> List.of(any);
      case HOSTS -> host;
      case FILES -> variant == SchedulerVariant.WEIR ? weir : host;
      case FILES_AGAINST_HOSTS_ALONE ->
          variant == SchedulerVariant.WEIR ? weir : withoutRelaxedLocality(host);
    };
  }

  private static List<ResourceRequest> withoutRelaxedLocality(List<ResourceRequest> host) {
    host.stream().skip(1).forEach(request -> request.setRelaxLocality(false));
    return host;
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
