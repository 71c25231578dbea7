package dev.weir.service;

import dev.weir.hints.StoreAccess;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.service.rest.ProblemErrorHandler;
import dev.weir.service.rest.RefusalFilter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.HttpCrossOriginFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.server.ProxyUserAuthenticationFilterInitializer;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.eclipse.jetty.webapp.WebAppContext;
import org.glassfish.jersey.server.ResourceConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own web server with Hadoop's own filters. Every path, those below {@code /v1/} as well
 * as {@code /jmx} and {@code /logs}, is behind the authentication filter.
 */
final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final String AUTHENTICATION = "hadoop.http.authentication.";

  /** Keys that may hold a password. Every caller can read {@code /conf}. */
  private static final String SENSITIVE_KEYS =
      Stream.of(StoreAccess.AUTH_KEY, DatabaseSettings.URL.key())
          .map(key -> key.replace(".", "\\."))
          .collect(Collectors.joining(","));

  private static final String PROMETHEUS = "hadoop.prometheus.endpoint.enabled";

  private final HttpServer2 server;
  private final List<URI> endpoints;

  /**
   * Creates a server that does not listen yet.
   *
   * @param admins the users who may see what Hadoop restricts to administrators
   */
  WebServer(
      Configuration configuration,
      ServiceSettings settings,
      AccessControlList admins,
      ResourceConfig resources)
      throws IOException {
    Configuration serverConfiguration = prepare(configuration);
    this.endpoints = endpoints(settings);
    HttpServer2.Builder builder =
        new HttpServer2.Builder()
            .setName("weir")
            .setConf(serverConfiguration)
            .setACL(admins)
            .hostName(hostName(settings.httpAddress()))
            .configureXFrame(true);
    endpoints.forEach(builder::addEndpoint);
    if (endpoints.stream().anyMatch(uri -> uri.getScheme().equals("https"))) {
      builder.setSSLConf(
          SSLFactory.readSSLConfiguration(serverConfiguration, SSLFactory.Mode.SERVER));
    }
    this.server = builder.build();
    server.addJerseyResourceConfig(resources, "/v1/*", Map.of());
    WebAppContext context = server.getWebAppContext();
    context.setErrorHandler(new ProblemErrorHandler());
    context.getServer().setErrorHandler(new ProblemErrorHandler());
  }

  void start() throws IOException {
    server.start();
    LOG.info("Serving {}", uris());
  }

  /** Returns the addresses that the server listens on, with the actual ports. */
  List<URI> uris() {
    List<URI> uris = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      InetSocketAddress bound = server.getConnectorAddress(i);
      if (bound != null) {
        String host = hostName(endpoints.get(i));
        uris.add(URI.create(endpoints.get(i).getScheme() + "://" + host + ":" + bound.getPort()));
      }
    }
    return uris;
  }

  /** Returns the host and first port, which identify this instance. */
  String id() {
    URI first = uris().get(0);
    return NetUtils.getLocalHostname() + ":" + first.getPort();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the web server did not stop", e);
    }
  }

  private static List<URI> endpoints(ServiceSettings settings) {
    List<URI> endpoints = new ArrayList<>();
    if (settings.policy().isHttpEnabled()) {
      endpoints.add(settings.httpAddress());
    }
    if (settings.policy().isHttpsEnabled()) {
      endpoints.add(settings.httpsAddress());
    }
    return endpoints;
  }

  private static String hostName(URI endpoint) {
    return endpoint.getHost().equals("0.0.0.0") ? NetUtils.getLocalHostname() : endpoint.getHost();
  }

  private static Configuration prepare(Configuration configuration) {
    Configuration serverConfiguration = new Configuration(configuration);
    copy(
        serverConfiguration,
        ServiceSettings.SPNEGO_PRINCIPAL.from(serverConfiguration),
        AUTHENTICATION + "kerberos.principal");
    copy(
        serverConfiguration,
        ServiceSettings.SPNEGO_KEYTAB.from(serverConfiguration),
        AUTHENTICATION + "kerberos.keytab");
    copy(
        serverConfiguration,
        ServiceSettings.ANONYMOUS.from(serverConfiguration),
        "hadoop.http.staticuser.user");
    if (UserGroupInformation.isSecurityEnabled()
        && serverConfiguration.getTrimmed(AUTHENTICATION + "type", "simple").equals("simple")) {
      LOG.info("The cluster uses Kerberos, and so do the callers of this service");
      serverConfiguration.set(AUTHENTICATION + "type", "kerberos");
      serverConfiguration.setBoolean(AUTHENTICATION + "simple.anonymous.allowed", false);
    }
    if (isDefault(serverConfiguration, PROMETHEUS)) {
      serverConfiguration.setBoolean(PROMETHEUS, true);
    }
    serverConfiguration.setStrings(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, filters(serverConfiguration));
    String sensitiveKeys =
        serverConfiguration.get(
            CommonConfigurationKeysPublic.HADOOP_SECURITY_SENSITIVE_CONFIG_KEYS,
            CommonConfigurationKeysPublic.HADOOP_SECURITY_SENSITIVE_CONFIG_KEYS_DEFAULT);
    serverConfiguration.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_SENSITIVE_CONFIG_KEYS,
        sensitiveKeys + "," + SENSITIVE_KEYS);
    return serverConfiguration;
  }

  /**
   * Returns Weir's filters and Hadoop's, in the order in which a request passes them, and then the
   * administrator's.
   */
  private static String[] filters(Configuration serverConfiguration) {
    Set<String> names = new LinkedHashSet<>();
    names.add(RefusalFilterInitializer.class.getName());
    names.add(HttpCrossOriginFilterInitializer.class.getName());
    names.add(ProxyUserAuthenticationFilterInitializer.class.getName());
    names.add(StaticUserWebFilter.class.getName());
    names.addAll(
        serverConfiguration.getTrimmedStringCollection(HttpServer2.FILTER_INITIALIZER_PROPERTY));
    names.remove(AuthenticationFilterInitializer.class.getName());
    return names.toArray(String[]::new);
  }

  private static void copy(Configuration serverConfiguration, String value, String key) {
    if (!value.isEmpty()) {
      serverConfiguration.set(key, value);
    }
  }

  private static boolean isDefault(Configuration serverConfiguration, String key) {
    String[] sources = serverConfiguration.getPropertySources(key);
    return sources == null || sources[sources.length - 1].contains("core-default.xml");
  }

  /** Installs the refusal filter. Hadoop instantiates this class by its name. */
  static final class RefusalFilterInitializer extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration configuration) {
      container.addFilter("refusals", RefusalFilter.class.getName(), Map.of());
    }
  }
}
