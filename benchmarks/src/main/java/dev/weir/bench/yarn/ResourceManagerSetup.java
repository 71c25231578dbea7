package dev.weir.bench.yarn;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** Restarts the ResourceManager of a cluster with other settings. HDFS is not affected. */
final class ResourceManagerSetup {
  private static final String DAEMON = "resourcemanager";
  private static final long DEADLINE_SECONDS = 120;

  private final LocalCluster cluster;

  ResourceManagerSetup(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** Restarts it and waits until all NodeManagers have registered. */
  void restart(SchedulerKind scheduler, SchedulerVariant variant)
      throws IOException, InterruptedException {
    Path conf = cluster.confDir("master");
    change(
        conf.resolve("yarn-site.xml"),
        Map.of("yarn.resourcemanager.scheduler.class", scheduler.className()),
        variant);
    change(
        conf.resolve("capacity-scheduler.xml"),
        Map.of(
            "yarn.scheduler.capacity.schedule-asynchronously.enable",
            String.valueOf(scheduler.asynchronous())),
        SchedulerVariant.STOCK);
    cluster.stopDaemon(DAEMON);
    cluster.startDaemon(DAEMON);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (cluster.status().activeNodeManagers() < cluster.nodes().size()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("NodeManagers do not register: see " + cluster.log(DAEMON));
      }
      Thread.sleep(500);
    }
  }

  private static void change(Path file, Map<String, String> settings, SchedulerVariant variant)
      throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    conf.size();
    SchedulerVariant.PLUGIN.keySet().forEach(conf::unset);
    variant.settings().forEach(conf::set);
    settings.forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }
}
