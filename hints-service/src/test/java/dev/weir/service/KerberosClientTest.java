package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.client.ClientSettings;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.HintsServiceException;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client towards a service that wants tickets. */
class KerberosClientTest {
  @TempDir private static Path directory;

  private static MiniKdc kdc;
  private static TestServer server;
  private static String realm = "";
  private static String keytab = "";

  @BeforeAll
  static void start() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    realm = "@" + kdc.getRealm();
    keytab = directory.resolve("all.keytab").toString();
    kdc.createPrincipal(
        directory.resolve("all.keytab").toFile(), "weir/localhost", "HTTP/localhost", "ann", "eve");
    Map<String, String> settings = new HashMap<>();
    settings.put("hadoop.security.authentication", "kerberos");
    settings.put("hadoop.security.auth_to_local", "RULE:[2:$1]\nRULE:[1:$1]");
    settings.put("hadoop.http.authentication.signature.secret.file", "");
    settings.put("weir.server.http-address", "localhost:0");
    settings.put("weir.server.kerberos.principal", "weir/localhost" + realm);
    settings.put("weir.server.kerberos.keytab", keytab);
    settings.put("weir.server.spnego.principal", "HTTP/localhost" + realm);
    settings.put("weir.server.spnego.keytab", keytab);
    settings.put("hadoop.proxyuser.ann.users", "ben");
    settings.put("hadoop.proxyuser.ann.hosts", "*");
    server = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), settings);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (kdc != null) {
      kdc.stop();
    }
    // The next test class of this process is on a simple cluster again.
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

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

  private static UserGroupInformation user(String name) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(name + realm, keytab);
  }

  private static HintsClient client(UserGroupInformation user) throws IOException {
    URI url = server.uri("");
    return HintsClient.open(new Configuration(false), ClientSettings.of(List.of(url)), user);
  }
}
