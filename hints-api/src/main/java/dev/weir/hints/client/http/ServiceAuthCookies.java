package dev.weir.hints.client.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a process without a Kerberos ticket, such as a YARN container, call the hints service as the
 * user who started it. It passes on the cookie that the service signed when the user authenticated
 * with a ticket. A holder of the cookie can act as the user until it expires ({@code
 * hadoop.http.authentication.token.validity}, 10 hours by default). Cookies travel with delegation
 * tokens, and are as secret.
 */
public final class ServiceAuthCookies {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceAuthCookies.class);
  private static final String NAME = "weir.hints-service.pass ";

  private ServiceAuthCookies() {}

  /**
   * Gets a cookie from each instance that answers within {@link ClientSettings#connectTimeout}. All
   * instances are called concurrently, so that one that hangs does not delay the others. A proxy
   * user gets none, because the cookie would be its real user's.
   *
   * @param configuration for TLS
   * @param settings the service's address
   * @param user the user; nothing is collected without a ticket of the user's own
   * @param credentials receives the cookies
   */
  public static void collect(
      Configuration configuration,
      ClientSettings settings,
      UserGroupInformation user,
      Credentials credentials)
      throws IOException {
    if (user.getAuthenticationMethod() != AuthenticationMethod.KERBEROS) {
      return;
    }
    try (TlsClientConfig tls = TlsClientConfig.forUrls(settings.urls(), configuration)) {
      CallerIdentity identity = new CallerIdentity(user, tls);
      askAll(identity, settings);
      for (URI instance : settings.urls()) {
        identity
            .authCookie(instance)
            .ifPresent(authCookie -> put(instance, authCookie, credentials));
      }
    }
  }

  private static void askAll(CallerIdentity identity, ClientSettings settings) throws IOException {
    ExecutorService threads = Executors.newCachedThreadPool(ServiceAuthCookies::daemon);
    try {
      List<Future<Boolean>> unused =
          threads.invokeAll(
              settings.urls().stream()
                  .map(instance -> (Callable<Boolean>) () -> ask(identity, instance, settings))
                  .toList());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while getting cookies of the hints service");
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean ask(CallerIdentity identity, URI instance, ClientSettings settings) {
    try {
      identity.authenticate(instance, settings.connectTimeout());
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.info("No cookie from {}: {}", instance, e.getMessage());
      return false;
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "hints-service-cookie");
    thread.setDaemon(true);
    return thread;
  }

  private static void put(URI instance, String authCookie, Credentials credentials) {
    credentials.addSecretKey(name(instance), authCookie.getBytes(StandardCharsets.UTF_8));
  }

  /** The user's saved cookie for an instance. */
  static Optional<String> find(UserGroupInformation user, URI instance) {
    byte[] authCookie = user.getCredentials().getSecretKey(name(instance));
    return authCookie == null
        ? Optional.empty()
        : Optional.of(new String(authCookie, StandardCharsets.UTF_8));
  }

  private static Text name(URI instance) {
    return new Text(NAME + instance);
  }
}
