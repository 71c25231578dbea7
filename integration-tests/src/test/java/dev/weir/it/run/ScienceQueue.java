package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.client.cli.RMAdminCLI;

/** Adds a queue {@code root.science} beside {@code root.default}, until closed. */
final class ScienceQueue implements AutoCloseable {
  private static final String ROOT = "yarn.scheduler.capacity.root";

  private final LocalCluster cluster;
  private final int percent;
  private final Path file;
  private final byte[] before;

  ScienceQueue(LocalCluster cluster) throws IOException {
    this(cluster, 50);
  }

  /** Adds the queue with a share of the cluster. */
  ScienceQueue(LocalCluster cluster, int percent) throws IOException {
    this.cluster = cluster;
    this.percent = percent;
    // The ResourceManager reads the file in its configuration directory.
    file = cluster.confDir("master").resolve("capacity-scheduler.xml");
    before = Files.readAllBytes(file);
    write("RUNNING");
  }

  /** Stops the queue, which then accepts no applications. */
  void stop() throws IOException {
    write("STOPPED");
  }

  private void write(String state) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(before));
    conf.set(ROOT + ".queues", "default,science");
    conf.set(ROOT + ".default.capacity", String.valueOf(100 - percent));
    conf.set(ROOT + ".default.maximum-capacity", "100");
    conf.set(ROOT + ".science.capacity", String.valueOf(percent));
    conf.set(ROOT + ".science.state", state);
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
    refresh();
  }

  private void refresh() throws IOException {
    try {
      RMAdminCLI admin = new RMAdminCLI(cluster.configuration());
      assertThat(ToolRunner.run(admin, new String[] {"-refreshQueues"})).isZero();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("Cannot refresh the queues", e);
    }
  }

  /** Removes the queue, which must be stopped and empty. */
  @Override
  public void close() throws IOException {
    try {
      stop();
    } finally {
      Files.write(file, before);
      refresh();
    }
  }
}
