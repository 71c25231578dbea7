package dev.weir.hints.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.client.RawServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Cookies from several instances of the service. */
class ServiceAuthCookiesTest {

  private final CountDownLatch secondIsCalled = new CountDownLatch(1);

  private static String cookie(String pass) {
    return "u=ann&p=ann@R&t=kerberos&e=9999999999999&s=" + pass;
  }

  private static RawServer instance(String pass, Runnable first) throws IOException {
    return new RawServer(
        "HTTP/1.1 200 OK\r\nSet-Cookie: hadoop.auth=\""
            + cookie(pass)
            + "\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        false,
        first);
  }

  private void awaitSecond() {
    try {
      secondIsCalled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void callsInstancesConcurrently() throws Exception {
    try (RawServer first = instance("one", this::awaitSecond);
        RawServer second = instance("two", secondIsCalled::countDown)) {
      Credentials passes = new Credentials();
      UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann", AuthMethod.KERBEROS);

      ServiceAuthCookies.collect(
          new Configuration(false),
          ClientSettings.of(List.of(first.url(), second.url())),
          ann,
          passes);

      UserGroupInformation container = UserGroupInformation.createRemoteUser("ann");
      container.addCredentials(passes);
      assertThat(ServiceAuthCookies.find(container, first.url())).contains(cookie("one"));
      assertThat(ServiceAuthCookies.find(container, second.url())).contains(cookie("two"));
    } finally {
      secondIsCalled.countDown();
    }
  }

  @Test
  void aRefusedCookieIsReplacedByANewerOne() throws Exception {
    URI instance = URI.create("http://127.0.0.1:1");
    UserGroupInformation container = UserGroupInformation.createRemoteUser("ann");
    try (TlsClientConfig tls =
        TlsClientConfig.forUrls(List.of(instance), new Configuration(false))) {
      CallerIdentity identity = new CallerIdentity(container, tls);
      save(container, instance, "first");
      identity.authenticate(instance, Duration.ofSeconds(1));
      assertThat(identity.authCookie(instance)).contains(cookie("first"));

      save(container, instance, "second");
      identity.authenticate(instance, Duration.ofSeconds(1));

      assertThat(identity.authCookie(instance)).contains(cookie("second"));
      assertThatThrownBy(() -> identity.authenticate(instance, Duration.ofSeconds(1)))
          .as("no newer cookie, so the service is asked")
          .isInstanceOf(IOException.class);
    }
  }

  private static void save(UserGroupInformation user, URI instance, String pass) {
    Credentials credentials = new Credentials();
    credentials.addSecretKey(
        new Text("weir.hints-service.pass " + instance),
        cookie(pass).getBytes(StandardCharsets.UTF_8));
    user.addCredentials(credentials);
  }
}
