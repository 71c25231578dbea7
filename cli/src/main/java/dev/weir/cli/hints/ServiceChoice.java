package dev.weir.cli.hints;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option for the address of the hints service. */
final class ServiceChoice {
  private static final String NO_CLUSTER =
      "No cluster is configured: start a local cluster with 'weir cluster start', set"
          + " HADOOP_CONF_DIR to the configuration of a cluster, or name its hints service with"
          + " --server";

  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "Address of the hints service; several with commas between them (default:"
              + " weir.server.url of the cluster).")
  private @Nullable String server;

  Configuration configuration() throws IOException {
    Configuration configuration = server == null ? cluster.load() : cluster.loadIfClear();
    if (server != null) {
      configuration.set(ClientSettings.URL_KEY, server);
    }
    return configuration;
  }

  HintsClient open(Configuration configuration) throws IOException {
    ClientSettings settings = ClientSettings.from(configuration);
    List<URI> urls = settings.urls();
    if (urls.isEmpty()) {
      throw HdfsPaths.isWithoutCluster(configuration)
          ? HintsServiceException.away(NO_CLUSTER, null)
          : HintsServiceException.unconfigured();
    }
    UserGroupInformation.setConfiguration(configuration);
    return HintsClient.open(configuration, settings, UserGroupInformation.getCurrentUser());
  }
}
