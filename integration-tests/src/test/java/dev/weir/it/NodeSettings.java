package dev.weir.it;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Changes to the {@code hdfs-site.xml} of one node, until closed. */
public final class NodeSettings {
  private final Path file;
  private final byte[] before;

  private NodeSettings(Path file) throws IOException {
    this.file = file;
    before = Files.readAllBytes(file);
  }

  /** Changes settings of a node; its daemons read them at a reconfiguration or restart. */
  public static NodeSettings change(LocalCluster cluster, String node, Map<String, String> settings)
      throws IOException {
    NodeSettings changed = new NodeSettings(cluster.confDir(node).resolve("hdfs-site.xml"));
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
