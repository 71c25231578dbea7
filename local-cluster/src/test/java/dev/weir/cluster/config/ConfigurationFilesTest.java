package dev.weir.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.DaemonLayout;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.process.DaemonKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {
  private static final HadoopJars STOCK = HadoopJars.stock(Path.of("/hadoop"));
  private static final HadoopJars WEIR =
      new HadoopJars(Path.of("/hadoop"), List.of(Path.of("/plugins/a.jar")));

  @TempDir private Path dir;

  @Test
  void clientsFindEverythingByAddress() throws Exception {
    Configuration conf = written(STOCK, HostKind.NAMESPACES, Map.of());
    assertThat(conf.get("fs.defaultFS")).isEqualTo("hdfs://10.213.1.250:8020");
    assertThat(conf.get("yarn.resourcemanager.hostname")).isEqualTo("10.213.1.250");
    assertThat(conf.get("dfs.replication")).isEqualTo("2");
  }

  @Test
  void weirIsConfiguredOnlyWithItsPlugins() throws Exception {
    Configuration weir = written(WEIR, HostKind.LOOPBACK, Map.of());
    assertThat(weir.get("weir.zookeeper.quorum")).isEqualTo("127.0.11.250:2181");
    assertThat(weir.get("fs.hdfs.impl")).isEqualTo("dev.weir.hdfs.WeirFileSystem");
    assertThat(weir.get("fs.AbstractFileSystem.hdfs.impl"))
        .isEqualTo("org.apache.hadoop.fs.WeirHdfs");
    assertThat(weir.get("dfs.block.replicator.classname")).endsWith("WeirBlockPlacementPolicy");
    assertThat(weir.get("yarn.resourcemanager.application-master-service.processors"))
        .isEqualTo("dev.weir.yarn.WeirAskProcessor");
    assertThat(weir.get("yarn.scheduler.app-placement-allocator.class"))
        .isEqualTo("dev.weir.yarn.WeirPlacementAllocator");
    assertThat(weir.get("yarn.application.classpath"))
        .startsWith("$HADOOP_CONF_DIR,/hadoop/*,/plugins/a.jar,");

    Configuration stock = written(STOCK, HostKind.LOOPBACK, Map.of());
    for (String key :
        List.of(
            "weir.zookeeper.quorum",
            "fs.hdfs.impl",
            "fs.AbstractFileSystem.hdfs.impl",
            "dfs.block.replicator.classname",
            "yarn.resourcemanager.application-master-service.processors")) {
      assertThat(stock.get(key)).as(key).isNull();
    }
  }

  @Test
  void propertiesOfTheUserOverrideAllOthers() throws Exception {
    Map<String, String> own = Map.of("dfs.replication", "1", "my.key", "a<b>&c");
    Configuration client = written(STOCK, HostKind.LOOPBACK, own);
    assertThat(client.get("dfs.replication")).isEqualTo("1");
    assertThat(client.get("my.key")).isEqualTo("a<b>&c");
    assertThat(read(dir.resolve("nodes/n1/conf")).get("dfs.replication")).isEqualTo("1");
  }

  @Test
  void loopbackNodesConnectFromTheirOwnAddress() throws Exception {
    Configuration client = written(STOCK, HostKind.LOOPBACK, Map.of());
    assertThat(client.get("hadoop.rpc.socket.factory.class.default")).isNull();
    assertThat(read(dir.resolve("nodes/n2/conf")).get("dev.weir.cluster.bind-address"))
        .isEqualTo("127.0.11.2");

    written(STOCK, HostKind.NAMESPACES, Map.of());
    assertThat(read(dir.resolve("nodes/n2/conf")).get("dev.weir.cluster.bind-address")).isNull();
  }

  @Test
  void loopbackNodesResolveTheMachinesNameToThemselves() throws Exception {
    written(STOCK, HostKind.LOOPBACK, Map.of());
    assertThat(dir.resolve("nodes/n2/hosts")).content().contains("127.0.11.2 n2 machine\n");
    written(STOCK, HostKind.NAMESPACES, Map.of());
    assertThat(dir.resolve("nodes/n2/hosts")).content().doesNotContain("machine");
  }

  @Test
  void webAddressesMatchTheProbedPorts() throws Exception {
    written(STOCK, HostKind.NAMESPACES, Map.of());
    Configuration node = read(dir.resolve("nodes/n2/conf"));
    assertThat(node.get("dfs.datanode.http.address"))
        .isEqualTo("10.213.1.2:" + DaemonKind.DATANODE.httpPort());
    assertThat(node.get("yarn.nodemanager.webapp.address"))
        .isEqualTo("n2:" + DaemonKind.NODEMANAGER.httpPort());
  }

  @Test
  void racksAreKnownByNameAndByAddress() throws Exception {
    written(STOCK, HostKind.NAMESPACES, Map.of());
    assertThat(Files.readAllLines(dir.resolve("conf/topology.table")))
        .contains("n1 /rack1", "10.213.1.1 /rack1", "n2 /rack2", "10.213.1.2 /rack2");
  }

  @Test
  void clientsKnowTheServiceAndItMayImpersonateCallers() throws Exception {
    Configuration client =
        written(WEIR, new DaemonLayout(1, 2), Map.of("weir.server.admins", "me"));
    assertThat(client.get("weir.server.url"))
        .isEqualTo("http://127.0.11.250:9880,http://127.0.11.1:9880");
    assertThat(client.get("hadoop.proxyuser.me.hosts")).isEqualTo("*");
    assertThat(client.get("hadoop.proxyuser.me.groups")).isEqualTo("*");
    Configuration second = new Configuration(false);
    second.addResource(
        new org.apache.hadoop.fs.Path(dir.resolve("nodes/n1/conf/weir-site.xml").toUri()));
    assertThat(second.get("weir.server.http-address")).isEqualTo("127.0.11.1:9880");
    assertThat(second.get("weir.server.admins")).isEqualTo("me");
    assertThat(dir.resolve("nodes/n2/conf/weir-site.xml")).doesNotExist();

    Configuration without = written(WEIR, DaemonLayout.STOCK, Map.of());
    assertThat(without.get("weir.server.url")).isNull();
    assertThat(without.get("hadoop.proxyuser.me.hosts")).isNull();
  }

  @Test
  void runnersAndTheServiceKnowTheLinkRate() throws Exception {
    String key = "weir.yarn.link.bytes-per-second";
    assertThat(written(WEIR, HostKind.NAMESPACES, Map.of()).get(key)).isNull();

    LinkRate link = LinkRate.parse("200mbit");
    DaemonLayout servers = new DaemonLayout(1, 1);
    assertThat(written(WEIR, HostKind.NAMESPACES, link, servers, Map.of()).get(key))
        .isEqualTo("25000000");
    assertThat(read(dir.resolve("nodes/n1/conf")).get(key)).isEqualTo("25000000");
    assertThat(dir.resolve("nodes/master/conf/weir-site.xml")).content().contains(key);
    assertThat(read(dir.resolve("nodes/master/conf")).get(key))
        .as("the ResourceManager's node wait")
        .isNull();
    Map<String, String> own = Map.of(key, "7");
    assertThat(written(WEIR, HostKind.NAMESPACES, link, servers, own).get(key)).isEqualTo("7");
    assertThat(read(dir.resolve("nodes/master/conf")).get(key)).isEqualTo("7");
    assertThat(written(STOCK, HostKind.NAMESPACES, link, DaemonLayout.STOCK, Map.of()).get(key))
        .isNull();
  }

  @Test
  void twoNameNodesShareANameServiceAndTheirEdits() throws Exception {
    Configuration client = written(STOCK, new DaemonLayout(2, 0), Map.of());
    assertThat(client.get("fs.defaultFS")).isEqualTo("hdfs://weir");
    assertThat(client.get("dfs.ha.namenodes.weir")).isEqualTo("nn1,nn2");
    assertThat(client.get("dfs.namenode.rpc-address.weir.nn1")).isEqualTo("127.0.11.250:8020");
    assertThat(client.get("dfs.namenode.rpc-address.weir.nn2")).isEqualTo("127.0.11.251:8020");
    assertThat(client.get("dfs.namenode.http-address")).isNull();

    Configuration first = read(dir.resolve("nodes/master/conf"));
    Configuration second = read(dir.resolve("nodes/master2/conf"));
    assertThat(first.get("dfs.ha.namenode.id")).isEqualTo("nn1");
    assertThat(second.get("dfs.ha.namenode.id")).isEqualTo("nn2");
    assertThat(first.get("dfs.namenode.name.dir"))
        .isNotEqualTo(second.get("dfs.namenode.name.dir"));
    assertThat(first.get("dfs.namenode.shared.edits.dir"))
        .isEqualTo(second.get("dfs.namenode.shared.edits.dir"))
        .isEqualTo(dir.resolve("nodes/shared-edits").toUri().toString());
    assertThat(first.get("dev.weir.cluster.bootstrap-standby")).isEqualTo("false");
    assertThat(second.get("dev.weir.cluster.bootstrap-standby")).isEqualTo("true");
    assertThat(second.get("dfs.datanode.data.dir")).isNull();
  }

  @Test
  void twoResourceManagersElectTheActiveOneInZooKeeper() throws Exception {
    Configuration client = written(STOCK, new DaemonLayout(1, 2, 0, false, false, false), Map.of());
    assertThat(client.get("yarn.resourcemanager.hostname.rm1")).isEqualTo("127.0.11.250");
    assertThat(client.get("yarn.resourcemanager.hostname.rm2")).isEqualTo("127.0.11.251");
    assertThat(client.get("yarn.resourcemanager.bind-host")).isNull();
    assertThat(client.get("fs.defaultFS")).as("one NameNode").isEqualTo("hdfs://127.0.11.250:8020");

    Configuration second = read(dir.resolve("nodes/master2/conf"));
    assertThat(second.get("yarn.resourcemanager.ha.id")).isEqualTo("rm2");
    assertThat(second.get("yarn.resourcemanager.bind-host")).isEqualTo("127.0.11.251");
    assertThat(dir.resolve("nodes/master2/conf/capacity-scheduler.xml")).isRegularFile();
  }

  @Test
  void eachNameNodeOfASecureClusterHasItsAddress() throws Exception {
    Configuration two = written(STOCK, new DaemonLayout(2, 1, 0, false, true, true), Map.of());
    assertThat(two.get("dfs.namenode.https-address")).isNull();
    assertThat(two.get("dfs.namenode.https-address.weir.nn1")).isEqualTo("127.0.11.250:9871");
    assertThat(two.get("dfs.namenode.https-address.weir.nn2")).isEqualTo("127.0.11.251:9871");
  }

  @Test
  void theOnlyNameNodeOfASecureClusterIsNotOnTheSecondMaster() throws Exception {
    Configuration one = written(STOCK, new DaemonLayout(1, 2, 0, false, true, true), Map.of());
    assertThat(one.get("dfs.namenode.https-address")).isEqualTo("127.0.11.250:9871");
  }

  @Test
  void onlyTheOwnerReadsKeys() throws Exception {
    Path security = Files.createDirectory(dir.resolve("security"));
    Files.setPosixFilePermissions(security, PosixFilePermissions.fromString("rwxr-xr-x"));
    written(STOCK, new DaemonLayout(1, 1, 0, false, true, true), Map.of());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(security)))
        .isEqualTo("rwx------");
    assertThat(security.resolve("krb5.conf")).isRegularFile();
  }

  private Configuration written(HadoopJars jars, HostKind hosts, Map<String, String> own)
      throws Exception {
    return written(jars, hosts, DaemonLayout.STOCK, own);
  }

  private Configuration written(HadoopJars jars, DaemonLayout servers, Map<String, String> own)
      throws Exception {
    return written(jars, HostKind.LOOPBACK, servers, own);
  }

  private Configuration written(
      HadoopJars jars, HostKind hosts, DaemonLayout servers, Map<String, String> own)
      throws Exception {
    return written(jars, hosts, LinkRate.UNLIMITED, servers, own);
  }

  private Configuration written(
      HadoopJars jars, HostKind hosts, LinkRate link, DaemonLayout servers, Map<String, String> own)
      throws Exception {
    ClusterPlan plan = new ClusterPlan(1, dir, 2, 2, hosts, link, jars, servers);
    new ConfigurationFiles(plan, new SiteProperties(plan, own, "me", "/runtime.jar"), "machine")
        .write();
    return read(plan.files().clientConf());
  }

  private static Configuration read(Path conf) {
    Configuration read = new Configuration(false);
    for (String site : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      read.addResource(new org.apache.hadoop.fs.Path(conf.resolve(site).toUri()));
    }
    return read;
  }
}
