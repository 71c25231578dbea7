package dev.weir.workflow.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.junit.jupiter.api.Test;

/** Tests which tokens a container gets. */
class ContainerTokensTest {
  private static final Text HDFS = DelegationTokenIdentifier.HDFS_DELEGATION_KIND;
  private static final Text SERVICE = new Text("ha-hdfs:mycluster");
  private static final Text SECRET = new Text("secret");

  private final Configuration conf = new Configuration(false);
  private final List<String> renewers = new ArrayList<>();

  private static Token<DelegationTokenIdentifier> token(Text kind, Text service) {
    return new Token<>(
        ("who is it: " + service).getBytes(UTF_8), "password".getBytes(UTF_8), kind, service);
  }

  /** An HDFS client that records the renewers of its tokens. */
  private class GivingHdfs extends DistributedFileSystem {
    @Override
    public URI getUri() {
      return URI.create("hdfs://mycluster");
    }

    @Override
    public String getCanonicalServiceName() {
      return SERVICE.toString();
    }

    @Override
    public Token<DelegationTokenIdentifier> getDelegationToken(String renewer) throws IOException {
      renewers.add(renewer);
      return token(HDFS, SERVICE);
    }

    @Override
    public DelegationTokenIssuer[] getAdditionalTokenIssuers() {
      return new DelegationTokenIssuer[0];
    }
  }

  private ContainerTokens tokensFor(UserGroupInformation user) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<ContainerTokens>)
            () -> ContainerTokens.ask(conf, new GivingHdfs()));
  }

  @Test
  void withoutKerberosNoTokensAreRequested() throws Exception {
    ContainerTokens tokens = tokensFor(UserGroupInformation.createRemoteUser("ann"));

    assertThat(renewers).isEmpty();
    assertThat(tokens.credentials().numberOfTokens()).isZero();
    assertThat(context(tokens.credentials()).getTokens()).isNull();
  }

  @Test
  void resourceManagerIsTheRenewer() throws Exception {
    conf.setBoolean(ContainerTokens.ALWAYS_KEY, true);
    conf.set("yarn.resourcemanager.address", "rm1:8032");
    conf.set("yarn.resourcemanager.principal", "rm/_HOST@REALM");

    ContainerTokens tokens = tokensFor(UserGroupInformation.createRemoteUser("ann"));

    assertThat(renewers).containsExactly("rm/rm1@REALM");
    assertThat(tokens.credentials().getToken(SERVICE).getKind()).isEqualTo(HDFS);
    assertThat(tokens.own()).isTrue();
  }

  @Test
  void tokensOfTheCallerAreForwardedAndNotCancelled() throws Exception {
    conf.setBoolean(ContainerTokens.ALWAYS_KEY, true);
    UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann");
    ann.addToken(token(HDFS, SERVICE));
    ann.addToken(token(AMRMTokenIdentifier.KIND_NAME, new Text("rm")));
    ann.addToken(token(new Text("kms-dt"), new Text("kms")));
    ann.addToken(token(new Text("HBASE"), new Text("hbase")));
    Credentials secrets = new Credentials();
    secrets.addSecretKey(SECRET, new byte[] {1});
    ann.addCredentials(secrets);

    ContainerTokens tokens = tokensFor(ann);

    assertThat(renewers).isEmpty();
    assertThat(tokens.own()).isFalse();
    assertThat(tokens.credentials().getAllTokens())
        .extracting(token -> token.getService().toString())
        .containsExactlyInAnyOrder(SERVICE.toString(), "kms");
    assertThat(tokens.credentials().numberOfSecretKeys()).isZero();
  }

  @Test
  void userWithATicketGetsNewTokens() throws Exception {
    conf.setBoolean(ContainerTokens.ALWAYS_KEY, true);
    UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann", AuthMethod.KERBEROS);
    ann.addToken(token(HDFS, SERVICE));

    ContainerTokens tokens = tokensFor(ann);

    assertThat(renewers).hasSize(1);
    assertThat(tokens.own()).isTrue();
  }

  @Test
  void refusalIsReportedInOneLineWithRemedy() {
    conf.setBoolean(ContainerTokens.ALWAYS_KEY, true);
    DistributedFileSystem refusing =
        new GivingHdfs() {
          @Override
          public Token<DelegationTokenIdentifier> getDelegationToken(String renewer)
              throws IOException {
            throw new IOException("Cannot issue delegation token.\n\tat Server.java");
          }
        };

    assertThatThrownBy(() -> ContainerTokens.ask(conf, refusing))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("hdfs://mycluster issues no delegation tokens")
        .hasMessageContaining("(Cannot issue delegation token.)")
        .hasMessageContaining("kinit")
        .hasMessageNotContaining("\n");
  }

  @Test
  void workersGetAllTokensButThoseOfTheMaster() throws Exception {
    Credentials master = new Credentials();
    master.addToken(new Text("a name of its own"), token(new Text("kms-dt"), new Text("kms")));
    master.addToken(SERVICE, token(HDFS, SERVICE));
    master.addToken(new Text("timeline"), token(new Text("TIMELINE"), new Text("timeline")));
    master.addToken(new Text("rm"), token(AMRMTokenIdentifier.KIND_NAME, new Text("rm")));
    master.addSecretKey(SECRET, new byte[] {1});

    Credentials workers = ContainerTokens.ofWorkers(master);

    assertThat(workers.numberOfTokens()).isEqualTo(2);
    assertThat(workers.getToken(SERVICE)).isEqualTo(master.getToken(SERVICE));
    assertThat(workers.getToken(new Text("a name of its own"))).isNotNull();
    assertThat(workers.numberOfSecretKeys()).isZero();
    assertThat(master.numberOfTokens()).as("the master's tokens are unchanged").isEqualTo(4);
    assertThat(master.getSecretKey(SECRET)).isNotNull();
  }

  @Test
  void eachContainerGetsItsOwnBuffer() throws Exception {
    Credentials credentials = new Credentials();
    credentials.addToken(SERVICE, token(HDFS, SERVICE));

    ContainerLaunchContext first = context(credentials);
    ContainerLaunchContext second = context(credentials);

    assertThat(read(first.getTokens()).getToken(SERVICE)).isEqualTo(credentials.getToken(SERVICE));
    assertThat(read(second.getTokens()).getToken(SERVICE)).isEqualTo(credentials.getToken(SERVICE));
    assertThat(first.getEnvironment().toString() + first.getCommands())
        .doesNotContain("password", "who is it");
  }

  private ContainerLaunchContext context(Credentials credentials) throws IOException {
    return new JavaContainer("dev.weir.Any", 1, Map.of())
        .launchContext(conf, List.of(), credentials);
  }

  private static Credentials read(ByteBuffer bytes) throws IOException {
    DataInputByteBuffer in = new DataInputByteBuffer();
    in.reset(bytes);
    Credentials credentials = new Credentials();
    credentials.readTokenStorageStream(in);
    return credentials;
  }

  @Test
  void aWorkerTakesOnlyTokensOfHdfsAndTheKms() throws Exception {
    Credentials sent = new Credentials();
    Token<DelegationTokenIdentifier> hdfs = token(HDFS, SERVICE);
    sent.addToken(SERVICE, hdfs);
    sent.addToken(new Text("kms"), token(new Text("kms-dt"), new Text("kms")));
    sent.addToken(new Text("rm"), token(AMRMTokenIdentifier.KIND_NAME, new Text("rm")));
    sent.addSecretKey(SECRET, "secret".getBytes(UTF_8));

    Credentials received = ContainerTokens.decode(ContainerTokens.encode(sent));

    assertThat(received.numberOfTokens()).isEqualTo(2);
    assertThat(received.getToken(SERVICE)).isEqualTo(hdfs);
    assertThat(received.numberOfSecretKeys()).isZero();
  }
}
