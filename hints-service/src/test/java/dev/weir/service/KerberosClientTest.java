package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.client.ClientSettings;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.HintsServiceException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The Java client towards a service that wants tickets. */
class KerberosClientTest extends KerberosFixture {
  @Test
  void aTicketIsProofOfWhoCalls() throws Exception {
    try (HintsClient client = client(user("ann"))) {
      assertThat(client.status().state()).isEqualTo("running");
      assertThat(client.findSet("none")).isEmpty();
    }
  }

  @Test
  void aProxyUserCallsWithTheTicketOfItsRealUser() throws Exception {
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
  void withoutATicketTheRemedyIsTold() throws Exception {
    try (HintsClient client = client(UserGroupInformation.createRemoteUser("mallory"))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(401))
          .hasMessageContaining("kinit");
    }
  }

  private static HintsClient client(UserGroupInformation user) throws IOException {
    URI url = server.uri("");
    return HintsClient.open(new Configuration(false), ClientSettings.of(List.of(url)), user);
  }
}
