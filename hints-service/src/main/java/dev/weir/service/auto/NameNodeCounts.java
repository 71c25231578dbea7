package dev.weir.service.auto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hdfs.audit.AccessCountsBean;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;

/** Reads counts from the bean of {@code AccessAuditLogger}, by the NameNodes' web servers. */
public final class NameNodeCounts implements CountSource {
  private static final String BEAN = AccessCountsBean.OBJECT_NAME;
  private static final int TIMEOUT_MS = 10_000;

  private final ObjectMapper mapper = new ObjectMapper();
  private final URLConnectionFactory connections;

  /** Creates a source with the configuration's certificates. */
  public NameNodeCounts(Configuration configuration) {
    connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MS, TIMEOUT_MS, configuration);
  }

  /** Returns the addresses of the web servers of the default file system's NameNodes. */
  public static List<URI> addresses(Configuration configuration) {
    boolean tls = "HTTPS_ONLY".equals(configuration.getTrimmed("dfs.http.policy", ""));
    String authority = FileSystem.getDefaultUri(configuration).getHost();
    Map<String, Map<String, InetSocketAddress>> web =
        DFSUtilClient.getHaNnWebHdfsAddresses(configuration, tls ? "swebhdfs" : "webhdfs");
    Map<String, InetSocketAddress> several =
        DFSUtilClient.getHaNnRpcAddresses(configuration).get(authority);
    if (several == null || several.isEmpty()) {
      Map<String, InetSocketAddress> single = web.getOrDefault(null, Collections.emptyMap());
      return List.of(address(tls, single.get(null), authority));
    }
    Map<String, InetSocketAddress> pages = web.getOrDefault(authority, Collections.emptyMap());
    List<URI> all = new ArrayList<>();
    several.forEach((id, address) -> all.add(address(tls, pages.get(id), address.getHostString())));
    return all;
  }

  /** Returns the address of one web server, on the default port if it is not configured. */
  private static URI address(boolean tls, @Nullable InetSocketAddress configured, String host) {
    boolean hasHost =
        configured != null
            && (configured.isUnresolved() || !configured.getAddress().isAnyLocalAddress());
    String name = configured != null && hasHost ? configured.getHostString() : host;
    int port = configured == null ? (tls ? 9871 : 9870) : configured.getPort();
    return URI.create((tls ? "https://" : "http://") + name + ":" + port);
  }

  @Override
  public Reading read(URI nameNode) throws IOException {
    JsonNode state = bean(nameNode, "/jmx?qry=" + BEAN);
    if (!state.has("Started")) {
      throw new IOException(
          "it does not count; see dfs.namenode.audit.loggers in docs/administration.md");
    }
    Map<Long, AccessCounts.Count> counts = new HashMap<>();
    for (JsonNode line :
        bean(nameNode, "/jmx?get=" + BEAN + "::" + AccessCountsBean.COUNTS)
            .path(AccessCountsBean.COUNTS)) {
      String[] words = line.asText().split(" ", -1);
      counts.put(
          Long.parseUnsignedLong(words[0], 16),
          new AccessCounts.Count(Double.parseDouble(words[1]), Double.parseDouble(words[2])));
    }
    return new Reading(
        Instant.ofEpochMilli(state.path("Started").asLong()),
        Duration.ofMillis(state.path("HalfLifeMs").asLong()),
        AccessCounts.ofHashes(counts));
  }

  private JsonNode bean(URI nameNode, String page) throws IOException {
    return SecurityUtil.doAsLoginUser(() -> get(nameNode.resolve(page))).path("beans").path(0);
  }

  private JsonNode get(URI uri) throws IOException {
    URLConnection connection;
    try {
      connection =
          connections.openConnection(uri.toURL(), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("the ticket is refused: " + e.getMessage(), e);
    }
    if (connection instanceof HttpURLConnection http
        && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("the answer is " + http.getResponseCode());
    }
    try (InputStream body = connection.getInputStream()) {
      return mapper.readTree(body);
    }
  }
}
