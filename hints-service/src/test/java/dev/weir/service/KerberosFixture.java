package dev.weir.service;

import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service with Kerberos for the tests of a class, under a name without an account on this
 * machine. Ann, Ben and Eve have keys; Ann may impersonate Ben and Cai.
 */
abstract class KerberosFixture {
  @TempDir static Path directory;

  static TestServer server;
  private static MiniKdc kdc;
  private static String realm = "";
  private static String keytab = "";

  @BeforeAll
  static void start() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    realm = "@" + kdc.getRealm();
    Path keys = directory.resolve("all.keytab");
    keytab = keys.toString();
    kdc.createPrincipal(keys.toFile(), "weir/localhost", "HTTP/localhost", "ann", "ben", "eve");
    Map<String, String> settings = new HashMap<>();
    settings.put("hadoop.security.authentication", "kerberos");
    settings.put("hadoop.security.auth_to_local", "RULE:[2:$1]\nRULE:[1:$1]");
    settings.put("hadoop.http.authentication.signature.secret.file", "");
    settings.put("weir.server.http-address", "localhost:0");
    settings.put("weir.server.http.allowed-with-kerberos", "true");
    settings.put("weir.server.kerberos.principal", "weir/localhost" + realm);
    settings.put("weir.server.kerberos.keytab", keytab);
    settings.put("weir.server.spnego.principal", "HTTP/localhost" + realm);
    settings.put("weir.server.spnego.keytab", keytab);
    settings.put("hadoop.proxyuser.ann.users", "ben,cai");
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
    // The next test class of this process uses a simple cluster again.
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  /** A user with a ticket. */
  static UserGroupInformation user(String name) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(name + realm, keytab);
  }
}
