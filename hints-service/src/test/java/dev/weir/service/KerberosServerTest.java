package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/**
 * Permissions in a cluster with Kerberos. The service runs under a name without an account on this
 * machine.
 */
class KerberosServerTest extends KerberosFixture {
  @Test
  void everyPathNeedsTicket() throws Exception {
    String[] paths = {
      "/v1/status",
      "/v1/hint-sets/x?user.name=ann",
      "/v1/openapi.json",
      "/v1/nothing",
      "/jmx",
      "/conf",
      "/stacks",
      "/prom",
      "/index.html"
    };
    for (String path : paths) {
      HttpResponse<String> answer = server.send("GET", path);
      assertThat(answer.statusCode()).as(path).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Negotiate");
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }
    assertThat(server.sendJson("PUT", "/v1/hint-sets/x?user.name=ann", "{}").statusCode())
        .isEqualTo(401);
  }

  @Test
  void ticketAllowsOnlyWritablePaths() throws Exception {
    Path open = Files.createDirectories(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path closed = Files.createDirectories(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (HintsClient client = client(user("ben"))) {
      assertThat(client.putSet(set(open), WriteOptions.NONE).created()).isTrue();
      assertThatThrownBy(() -> client.putSet(set(closed), WriteOptions.NONE))
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(403))
          .hasMessageContaining("ben may not write " + closed);
    }
  }

  @Test
  void impersonationNeedsProxyUserConfiguration() throws Exception {
    UserGroupInformation ben = user("ben");
    try (HintsClient client = client(UserGroupInformation.createProxyUser("cai", ben))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, refused -> assertThat(refused.status()).isEqualTo(403))
          .hasMessageContaining("ben is not allowed to impersonate cai");
    }
    UserGroupInformation ann = user("ann");
    try (HintsClient client = client(UserGroupInformation.createProxyUser("cai", ann))) {
      assertThat(client.findSet("none")).isEmpty();
    }
  }

  private static HintSet set(Path below) {
    Rule rule = new Rule(PathPattern.parse(below + "/**"), HintPresets.pipeline());
    return new HintSet("ben-1", "ben", null, List.of(rule));
  }

  private static HintsClient client(UserGroupInformation user) throws IOException {
    return HintsClient.open(
        new Configuration(false), ClientSettings.of(List.of(server.uri(""))), user);
  }
}
