package dev.weir.it;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Changes to a configuration file of one node, until closed. */
public final class NodeSettings {
  private final Path file;
  private final byte[] before;

  private NodeSettings(Path file) throws IOException {
    this.file = file;
    before = Files.readAllBytes(file);
  }

  /** Changes {@code hdfs-site.xml}; daemons read it at a reconfiguration or restart. */
  public static NodeSettings change(LocalCluster cluster, String node, Map<String, String> settings)
      throws IOException {
    return change(cluster, node, "hdfs-site.xml", settings);
  }

  /** Changes a file of a node; its daemons read it at a reconfiguration or restart. */
  public static NodeSettings change(
      LocalCluster cluster, String node, String file, Map<String, String> settings)
      throws IOException {
    return change(cluster.confDir(node).resolve(file), settings);
  }

  /** Changes a file. */
  public static NodeSettings change(Path file, Map<String, String> settings) throws IOException {
    NodeSettings changed = new NodeSettings(file);
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(changed.file.toUri()));
    settings.forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(changed.file)) {
      conf.writeXml(out);
    }
    return changed;
  }

  /** Restores the file. Idempotent. */
  public void close() throws IOException {
    Files.write(file, before);
  }
}
