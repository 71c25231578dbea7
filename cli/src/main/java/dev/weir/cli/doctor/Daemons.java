package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.service.auto.NameNodeCounts;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Finds the addresses of the daemons' web servers. */
final class Daemons {
  private Daemons() {}

  /** Returns the addresses of all NameNodes of the default file system. */
  static List<URI> nameNodes(Configuration configuration) {
    return NameNodeCounts.addresses(configuration);
  }

  /** Returns the addresses of all ResourceManagers. */
  static List<URI> resourceManagers(Configuration configuration) {
    if (!HAUtil.isHAEnabled(configuration)) {
      return List.of(URI.create(WebAppUtils.getRMWebAppURLWithScheme(configuration)));
    }
    List<URI> all = new ArrayList<>();
    for (String id : HAUtil.getRMHAIds(configuration)) {
      // On a ResourceManager's host its id is set, and Hadoop would resolve that ResourceManager
      // only.
      Configuration its = new Configuration(configuration);
      its.set(YarnConfiguration.RM_HA_ID, id);
      all.add(URI.create(WebAppUtils.getRMWebAppURLWithScheme(its, 0)));
    }
    return all;
  }

  /** Returns the configuration of the first daemon that answers. */
  static Map<String, String> settings(List<URI> daemons, DaemonPages pages) throws IOException {
    return firstAnswer(daemons, pages::settings);
  }

  /**
   * Returns the addresses of the live DataNodes, as a NameNode shows them. Every user may ask it.
   *
   * @param nameNodes the first of them that answers is asked
   */
  static List<URI> dataNodes(List<URI> nameNodes, DaemonPages pages) throws IOException {
    String scheme = nameNodes.get(0).getScheme();
    List<URI> all = new ArrayList<>();
    for (JsonNode node : liveNodes(nameNodes, pages)) {
      String address = node.path(scheme.equals("https") ? "infoSecureAddr" : "infoAddr").asText();
      all.add(URI.create(scheme + "://" + address + "/"));
    }
    return all;
  }

  /**
   * Returns the addresses of the running NodeManagers. The ResourceManager has only host names,
   * which may be unknown here; HDFS also has the addresses.
   *
   * @param resourceManagers the first of them that answers is asked
   */
  static List<URI> nodeManagers(List<URI> resourceManagers, List<URI> nameNodes, DaemonPages pages)
      throws IOException {
    JsonNode answer =
        firstAnswer(
            resourceManagers, one -> pages.read(one, "/ws/v1/cluster/nodes?states=RUNNING"));
    String scheme = resourceManagers.get(0).getScheme();
    Map<String, String> addresses = new HashMap<>();
    // The certificates of HTTPS have the names.
    if (scheme.equals("http")) {
      liveNodes(nameNodes, pages)
          .fields()
          .forEachRemaining(
              node ->
                  addresses.put(
                      host(node.getKey()), host(node.getValue().path("infoAddr").asText())));
    }
    List<URI> all = new ArrayList<>();
    for (JsonNode node : answer.path("nodes").path("node")) {
      String address = node.path("nodeHTTPAddress").asText();
      String host = host(address);
      String known = addresses.getOrDefault(host, host);
      all.add(URI.create(scheme + "://" + known + address.substring(host.length()) + "/"));
    }
    return all;
  }

  private static JsonNode liveNodes(List<URI> nameNodes, DaemonPages pages) throws IOException {
    JsonNode info =
        firstAnswer(nameNodes, one -> pages.bean(one, "Hadoop:service=NameNode,name=NameNodeInfo"));
    return new ObjectMapper().readTree(info.path("LiveNodes").asText("{}"));
  }

  private static String host(String address) {
    int port = address.lastIndexOf(':');
    return port < 0 ? address : address.substring(0, port);
  }

  private static <T> T firstAnswer(List<URI> daemons, FunctionRaisingIOE<URI, T> request)
      throws IOException {
    IOException failure = new IOException("no daemon is configured");
    for (URI daemon : daemons) {
      try {
        return request.apply(daemon);
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** Returns the URL scheme of HDFS's web servers. */
  static String scheme(Configuration configuration) {
    return DFSUtil.getHttpClientScheme(configuration);
  }
}
