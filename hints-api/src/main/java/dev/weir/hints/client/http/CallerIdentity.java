package dev.weir.hints.client.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.Authenticator;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.authentication.client.PseudoAuthenticator;

/**
 * Authenticates the caller to the service. On a simple cluster it sends the user's name. With
 * Kerberos it sends a cookie. This process obtained it by SPNEGO, or the process that submitted it
 * did. For a proxy user it also sends the effective user. Thread-safe.
 */
public final class CallerIdentity {
  private static final int UNAUTHORIZED = 401;

  private final UserGroupInformation user;
  private final UserGroupInformation login;
  private final TlsClientConfig tls;
  private final Map<URI, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();

  public CallerIdentity(UserGroupInformation user, TlsClientConfig tls) {
    this.user = user;
    this.login = user.getRealUser() == null ? user : user.getRealUser();
    this.tls = tls;
  }

  /** The query parameters that identify the caller. */
  Map<String, String> query(URI instance) {
    Map<String, String> query = new LinkedHashMap<>();
    if (!tokens.containsKey(instance)) {
      query.put(PseudoAuthenticator.USER_NAME, login.getShortUserName());
    }
    if (user.getRealUser() != null) {
      query.put("doAs", user.getShortUserName());
    }
    return query;
  }

  /** The cookie for an instance. With Kerberos it is the user's saved cookie, or else a new one. */
  Optional<String> cookie(URI instance, Duration timeout) throws IOException {
    if (!tokens.containsKey(instance) && UserGroupInformation.isSecurityEnabled()) {
      Optional<String> saved = ServiceAuthCookies.find(user, instance);
      if (saved.isPresent()) {
        tokens.put(instance, new AuthenticatedURL.Token(saved.get()));
      } else {
        authenticate(instance, timeout);
      }
    }
    return Optional.ofNullable(tokens.get(instance))
        .map(token -> AuthenticatedURL.AUTH_COOKIE + "=\"" + token + "\"");
  }

  /**
   * The cookie with which another process can call an instance as this user; empty before
   * authentication.
   */
  Optional<String> authCookie(URI instance) {
    return Optional.ofNullable(tokens.get(instance)).map(AuthenticatedURL.Token::toString);
  }

  private boolean hasTicket() {
    return login.getAuthenticationMethod() == AuthenticationMethod.KERBEROS;
  }

  /**
   * Authenticates to the instance again: with a newer saved cookie if there is one, else by SPNEGO.
   * The timeout limits each step.
   */
  void authenticate(URI instance, Duration timeout) throws IOException {
    Optional<String> refused = authCookie(instance);
    tokens.remove(instance);
    Optional<AuthenticatedURL.Token> saved =
        ServiceAuthCookies.find(user, instance).map(AuthenticatedURL.Token::new);
    if (saved.isPresent() && !saved.map(AuthenticatedURL.Token::toString).equals(refused)) {
      tokens.put(instance, saved.get());
      return;
    }
    AuthenticatedURL.Token token = new AuthenticatedURL.Token();
    URL url = instance.resolve(instance.getRawPath() + "/v1/status").toURL();
    ConnectionConfigurator configurator = connection -> configured(connection, timeout);
    try {
      login.checkTGTAndReloginFromKeytab();
      login.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                Authenticator authenticator = new NamedUserAuthenticator(login.getShortUserName());
                authenticator.setConnectionConfigurator(configurator);
                authenticator.authenticate(url, token);
                return null;
              });
    } catch (UndeclaredThrowableException e) {
      throw refused(instance, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while authenticating with " + instance);
    }
    if (token.isSet()) {
      tokens.put(instance, token);
    }
  }

  private HttpURLConnection configured(HttpURLConnection connection, Duration timeout)
      throws IOException {
    int millis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
    connection.setConnectTimeout(millis);
    connection.setReadTimeout(millis);
    tls.configure(connection);
    return connection;
  }

  private IOException refused(URI instance, Throwable cause) {
    if (!(cause instanceof AuthenticationException)) {
      return new IOException("cannot authenticate with " + instance + ": " + cause, cause);
    }
    HintsServiceException failure =
        HintsServiceException.answered(
            UNAUTHORIZED,
            "Unauthorized",
            instance + " requires a Kerberos ticket: " + remedy(instance, cause),
            null);
    failure.initCause(cause);
    return failure;
  }

  private String remedy(URI instance, Throwable cause) {
    if (hasTicket() || login.getTokens().isEmpty()) {
      return "run kinit (" + root(cause) + ")";
    }
    return ServiceAuthCookies.find(user, instance).isPresent()
        ? "the saved cookie of this container is no longer valid; its lifetime is"
            + " hadoop.http.authentication.token.validity of the service (10 hours by default)"
        : "a container has no ticket, and got no cookie when it was submitted";
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** SPNEGO, with the user's Hadoop name as a fallback if the service does not require Kerberos. */
  private static final class NamedUserAuthenticator extends KerberosAuthenticator {
    private final String name;

    NamedUserAuthenticator(String name) {
      this.name = name;
    }

    @Override
    protected Authenticator getFallBackAuthenticator() {
      return new PseudoAuthenticator() {
        @Override
        protected String getUserName() {
          return name;
        }
      };
    }
  }
}
