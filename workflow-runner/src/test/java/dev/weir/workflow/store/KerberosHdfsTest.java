package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.worker.TestTools;
import dev.weir.workflow.yarn.ContainerTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HDFS with Kerberos and SASL connections to DataNodes. The user ann submits with a ticket, and her
 * containers use the delegation tokens that she passes to them.
 */
class KerberosHdfsTest {
  private static final int FILES = 110;
  private static final int LARGE = 3 << 20;

  @TempDir static java.nio.file.Path directory;
  private static MiniKdc kdc;
  private static Configuration secure;

  @TempDir java.nio.file.Path temp;

  @BeforeAll
  static void startKdc() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    java.nio.file.Path keys = directory.resolve("all.keytab");
    kdc.createPrincipal(keys.toFile(), "hdfs/localhost", "HTTP/localhost", "ann");
    String realm = "@" + kdc.getRealm();
    secure = ReadFailoverSettings.applyTo(new Configuration());
    secure.set("hadoop.security.authentication", "kerberos");
    secure.set("hadoop.security.auth_to_local", "RULE:[2:$1]\nRULE:[1:$1]");
    for (String daemon : List.of("namenode", "datanode")) {
      secure.set("dfs." + daemon + ".kerberos.principal", "hdfs/localhost" + realm);
      secure.set("dfs." + daemon + ".keytab.file", keys.toString());
    }
    secure.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost" + realm);
    secure.set("dfs.web.authentication.kerberos.keytab", keys.toString());
    secure.setBoolean("dfs.block.access.token.enable", true);
    // Otherwise the DataNodes' web pages would need certificates.
    secure.setBoolean("ignore.secure.ports.for.testing", true);
    secure.setBoolean("fs.hdfs.impl.disable.cache", true);
    secure.setInt("ipc.client.connect.max.retries.on.sasl", 2);
    secure.setInt("dfs.replication", 1);
    secure.setLong("dfs.blocksize", 1 << 20);
    secure.set("yarn.resourcemanager.principal", "rm/localhost" + realm);
    UserGroupInformation.setConfiguration(secure);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost" + realm, keys.toString());
  }

  @AfterAll
  static void stopKdc() {
    if (kdc != null) {
      kdc.stop();
    }
    // The next test class of this JVM uses a cluster without Kerberos.
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static UserGroupInformation ann() throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        "ann@" + kdc.getRealm(), directory.resolve("all.keytab").toString());
  }

  private MiniDFSCluster cluster(String protection) throws IOException {
    Configuration conf = new Configuration(secure);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.resolve("hdfs").toString());
    conf.set("dfs.data.transfer.protection", protection);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    cluster.waitActive();
    try (FileSystem fs = cluster.getFileSystem()) {
      Path home = new Path("/user/ann");
      fs.mkdirs(home);
      fs.setPermission(home, new FsPermission((short) 0700));
      fs.setOwner(home, "ann", "ann");
    }
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "privacy"})
  void containerReadsAndWritesAsItsUser(String protection) throws Exception {
    try (MiniDFSCluster cluster = cluster(protection)) {
      Configuration conf = cluster.getConfiguration(0);
      Credentials tokens =
          ann()
              .doAs(
                  (PrivilegedExceptionAction<Credentials>)
                      () -> {
                        try (FileSystem fs = FileSystem.get(conf)) {
                          return ContainerTokens.ask(conf, fs).credentials();
                        }
                      });
      assertThat(tokens.getAllTokens())
          .extracting(token -> token.getKind().toString())
          .containsExactly("HDFS_DELEGATION_TOKEN");
      UserGroupInformation container = UserGroupInformation.createRemoteUser("ann");
      container.addCredentials(ContainerTokens.ofWorkers(tokens));

      container.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                Configuration own = new Configuration(conf);
                try (DistributedFileSystem fs =
                    PlainHdfs.open(cluster.getFileSystem().getUri(), own)) {
                  writeAndRead(fs);
                }
                return null;
              });

      Token<?> token = tokens.getAllTokens().iterator().next();
      assertThat(token.decodeIdentifier().toString()).contains("ann", "renewer=rm");
    }
  }

  private void writeAndRead(DistributedFileSystem fs) throws Exception {
    KnownBlocksClient client = new KnownBlocksClient(fs.getClient().getNamenode(), fs.getConf());
    HdfsDataStore store = new HdfsDataStore(fs, "n1", client, TestTools.AT_ONCE);
    HdfsStoreTestBase.putMany(store, temp, "/user/ann/", FILES);
    java.nio.file.Path large = temp.resolve("large");
    Files.write(large, HdfsStoreTestBase.bytes(LARGE, 1));
    store.put(large, "/user/ann/large");

    Map<String, DataStore.Source> found =
        store.find(
            IntStream.rangeClosed(0, FILES)
                .mapToObj(i -> i == FILES ? "large" : Integer.toString(i))
                .map(name -> new FileSlot(name, "/user/ann/" + name, 0))
                .toList());
    for (String name : List.of("0", "7", "large")) {
      requireNonNull(found.get("/user/ann/" + name)).fetch(temp.resolve("got-" + name));
    }

    assertThat(temp.resolve("got-7")).hasBinaryContent(HdfsStoreTestBase.bytes(100, 7));
    assertThat(temp.resolve("got-large")).hasBinaryContent(HdfsStoreTestBase.bytes(LARGE, 1));
    assertThat(fs.getFileStatus(new Path("/user/ann/7")).getOwner()).isEqualTo("ann");
  }

  @Test
  void userWithoutTicketOrTokenIsRefused() throws Exception {
    try (MiniDFSCluster cluster = cluster("authentication")) {
      Configuration conf = cluster.getConfiguration(0);
      PrivilegedExceptionAction<ContainerTokens> ask =
          () -> {
            try (FileSystem fs = FileSystem.get(conf)) {
              return ContainerTokens.ask(conf, fs);
            }
          };

      assertThatThrownBy(() -> UserGroupInformation.createRemoteUser("mallory").doAs(ask))
          .hasMessageContaining("issues no delegation tokens")
          .hasMessageContaining("kinit")
          .hasMessageNotContaining("\n");
    }
  }
}
