package dev.weir.hints.client.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.KeyStoresFactory;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.jspecify.annotations.Nullable;

/** The client's trust store, from Hadoop's {@code ssl-client.xml}. */
public final class TlsClientConfig implements AutoCloseable {
  private final @Nullable SSLFactory factory;
  private final @Nullable SSLContext context;

  private TlsClientConfig(@Nullable SSLFactory factory, @Nullable SSLContext context) {
    this.factory = factory;
    this.context = context;
  }

  /** Reads the stores if one of the URLs is {@code https}. */
  public static TlsClientConfig forUrls(List<URI> urls, Configuration configuration)
      throws IOException {
    if (urls.stream().noneMatch(url -> "https".equalsIgnoreCase(url.getScheme()))) {
      return new TlsClientConfig(null, null);
    }
    SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, configuration);
    try {
      factory.init();
      KeyStoresFactory stores = factory.getKeystoresFactory();
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(stores.getKeyManagers(), stores.getTrustManagers(), null);
      return new TlsClientConfig(factory, context);
    } catch (GeneralSecurityException | IOException e) {
      factory.destroy();
      throw new IOException(
          "Cannot read the key stores that ssl-client.xml names: "
              + e.getMessage()
              + "; correct ssl.client.truststore.location and its password",
          e);
    }
  }

  Optional<SSLContext> context() {
    return Optional.ofNullable(context);
  }

  /** Configures a connection of Hadoop's authenticators. */
  void configure(HttpURLConnection connection) throws IOException {
    if (factory != null) {
      factory.configure(connection);
    }
  }

  @Override
  public void close() {
    if (factory != null) {
      factory.destroy();
    }
  }
}
