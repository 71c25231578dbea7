package dev.weir.it;

import dev.weir.cluster.LocalCluster;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;

/** The instances of a cluster's hints service. */
public final class HintServices {
  private HintServices() {}

  /** Returns the name of the daemon that leads. */
  public static String leader(LocalCluster cluster) throws IOException {
    List<URI> services = cluster.hintServices();
    for (int i = 0; i < services.size(); i++) {
      try (HintsClient client =
          HintsClient.open(
              cluster.configuration(),
              ClientSettings.of(List.of(services.get(i))),
              UserGroupInformation.getCurrentUser())) {
        if (client.status().leader()) {
          return i == 0 ? "hints" : "hints" + (i + 1);
        }
      }
    }
    throw new AssertionError("none of " + services + " leads");
  }
}
