package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HadoopRelease;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A router of HDFS before two NameNodes, of which the first has all paths that are not mounted.
 * Maven Central has no router of Hadoop 3.5.0.
 */
final class RouterProcess implements AutoCloseable {
  /** What the build puts there. */
  private static final List<Path> JARS =
      List.of(
          Path.of("target/hadoop-hdfs-rbf.jar"), Path.of("target/hadoop-federation-balance.jar"));

  private static final String RELEASE = "3.4.3";
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path conf;
  private final Path log;
  private final String uri;
  private final Process process;

  private RouterProcess(Path conf, String uri) throws IOException {
    this.conf = conf;
    this.log = conf.resolve("router.log");
    this.uri = uri;
    this.process =
        command("org.apache.hadoop.hdfs.server.federation.router.DFSRouter", List.of())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /** Starts a router and waits until it answers. */
  static RouterProcess start(Path folder, String first, String second) throws Exception {
    Path conf = Files.createDirectories(folder.resolve("router"));
    String address = "127.0.0.1:" + freePort();
    String prefix = "dfs.federation.router.";
    Map<String, String> site = new LinkedHashMap<>();
    site.put("fs.defaultFS", "hdfs://" + address);
    site.put("hadoop.tmp.dir", conf.toString());
    site.put("dfs.nameservices", "ns0,ns1");
    site.put("dfs.namenode.rpc-address.ns0", URI.create(first).getAuthority());
    site.put("dfs.namenode.rpc-address.ns1", URI.create(second).getAuthority());
    site.put(prefix + "rpc-address", address);
    site.put(prefix + "admin-address", "127.0.0.1:" + freePort());
    site.put(prefix + "http.enable", "false");
    site.put(prefix + "default.nameserviceId", "ns0");
    site.put(prefix + "monitor.namenode", "ns0,ns1");
    site.put(prefix + "monitor.localnamenode.enable", "false");
    site.put(prefix + "safemode.enable", "false");
    site.put(prefix + "cache.ttl", "1s");
    site.put(prefix + "heartbeat.interval", "1000");
    site.put(
        prefix + "store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    site.put(prefix + "store.driver.file.directory", conf.resolve("state").toString());
    StringBuilder xml = new StringBuilder("<configuration>\n");
    site.forEach(
        (key, value) ->
            xml.append(
                "<property><name>%s</name><value>%s</value></property>\n".formatted(key, value)));
    xml.append("</configuration>\n");
    // The last one overrides the defaults of the router, which override the first.
    for (String file : List.of("core-site.xml", "hdfs-rbf-site.xml")) {
      Files.writeString(conf.resolve(file), xml);
    }
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO, console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.SimpleLayout
        """);
    RouterProcess router = new RouterProcess(conf, "hdfs://" + address);
    try {
      await().atMost(DEADLINE).until(() -> router.answers("/"));
    } catch (RuntimeException e) {
      router.close();
      throw new IOException(Files.readString(router.log), e);
    }
    return router;
  }

  /** Its file system. */
  String uri() {
    return uri;
  }

  /** Mounts a directory of the second NameNode. */
  void mount(String path, String directory) throws Exception {
    Path output = conf.resolve("admin.log");
    int exit =
        command(
                "org.apache.hadoop.hdfs.tools.federation.RouterAdmin",
                List.of("-add", path, "ns1", directory))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    assertThat(exit).as(Files.readString(output)).isZero();
    await().atMost(DEADLINE).until(() -> answers(path));
  }

  private boolean answers(String path) {
    Configuration client = new Configuration();
    client.setInt("ipc.client.connect.max.retries", 0);
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri), client)) {
      return fs.exists(new org.apache.hadoop.fs.Path(path));
    } catch (IOException e) {
      return false;
    }
  }

  private ProcessBuilder command(String program, List<String> arguments) throws IOException {
    List<String> java = new ArrayList<>();
    java.add(HadoopJars.ownJava() + "/bin/java");
    java.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    java.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    java.add("-cp");
    List<String> classPath = new ArrayList<>(List.of(conf.toString()));
    JARS.forEach(jar -> classPath.add(jar.toAbsolutePath().toString()));
    classPath.add(HadoopRelease.of(RELEASE).directory() + "/*");
    java.add(String.join(":", classPath));
    java.add(program);
    java.addAll(arguments);
    return new ProcessBuilder(java);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
