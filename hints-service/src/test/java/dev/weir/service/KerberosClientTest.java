package dev.weir.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.hints.client.http.ServiceAuthCookies;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** The Java client with a service that requires tickets. */
class KerberosClientTest extends KerberosFixture {
  @Test
  void ticketAuthenticatesCaller() throws Exception {
    try (HintsClient client = client(user("ann"))) {
      assertThat(client.status().state()).isEqualTo("running");
      assertThat(client.findSet("none")).isEmpty();
    }
  }

  @Test
  void proxyUserCallsWithTicketOfRealUser() throws Exception {
    UserGroupInformation ann = user("ann");
    try (HintsClient client = client(UserGroupInformation.createProxyUser("ben", ann))) {
      assertThat(client.status().state()).isEqualTo("running");
    }
    try (HintsClient client = client(UserGroupInformation.createProxyUser("zoe", ann))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(403));
    }
  }

  @Test
  void missingTicketNamesRemedy() throws Exception {
    try (HintsClient client = client(UserGroupInformation.createRemoteUser("mallory"))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(401))
          .hasMessageContaining("kinit");
    }
  }

  @Test
  void containerCallsWithCookieOfUser() throws Exception {
    UserGroupInformation container = container(cookies(user("ann")));
    try (HintsClient client = client(container)) {
      assertThat(client.status().state()).isEqualTo("running");
      assertThat(client.findSet("none")).isEmpty();
    }
    try (HintsClient client = client(UserGroupInformation.createProxyUser("zoe", container))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(401));
    }
  }

  @Test
  void missingOrExpiredCookieIsReported() throws Exception {
    Credentials forged = new Credentials();
    for (Text name : cookies(user("ann")).getAllSecretKeys()) {
      forged.addSecretKey(name, "u=ann&p=ann&t=kerberos&e=1&s=x".getBytes(UTF_8));
    }
    try (HintsClient client = client(container(forged))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(401))
          .hasMessageContaining("hadoop.http.authentication.token.validity");
    }
    try (HintsClient client = client(container(new Credentials()))) {
      assertThatThrownBy(client::status).hasMessageContaining("got no cookie");
    }
  }

  @Test
  void cookiesNeedOwnTicket() throws Exception {
    UserGroupInformation ann = user("ann");
    assertThat(cookies(ann).numberOfSecretKeys()).isEqualTo(1);
    assertThat(cookies(UserGroupInformation.createProxyUser("ben", ann)).numberOfSecretKeys())
        .isZero();
    assertThat(cookies(UserGroupInformation.createRemoteUser("ann")).numberOfSecretKeys()).isZero();
  }

  /** The passes of an instance that answers and one that does not. */
  private static Credentials cookies(UserGroupInformation user) throws IOException {
    Credentials cookies = new Credentials();
    ServiceAuthCookies.collect(
        new Configuration(false),
        ClientSettings.of(List.of(URI.create("http://localhost:1"), server.uri(""))),
        user,
        cookies);
    return cookies;
  }

  /** A user that has tokens, as a container has, and no ticket. */
  private static UserGroupInformation container(Credentials cookies) {
    UserGroupInformation container = UserGroupInformation.createRemoteUser("ann");
    container.addToken(new Token<>());
    container.addCredentials(cookies);
    return container;
  }

  private static HintsClient client(UserGroupInformation user) throws IOException {
    URI url = server.uri("");
    return HintsClient.open(new Configuration(false), ClientSettings.of(List.of(url)), user);
  }
}
