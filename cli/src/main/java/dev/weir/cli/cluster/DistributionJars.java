package dev.weir.cli.cluster;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.HadoopJars;
import java.io.IOException;
import java.nio.file.Path;

/** Finds the jars of a local cluster's daemons. */
public final class DistributionJars {
  private DistributionJars() {}

  /**
   * Returns the jars of the distribution that contains this command.
   *
   * @throws ClusterException if no distribution contains it
   */
  public static HadoopJars locate() throws IOException {
    String home = System.getProperty("weir.home");
    if (home == null) {
      throw new ClusterException(
          "Cannot find Hadoop's jars: run the distribution's bin/weir, which sets weir.home");
    }
    return HadoopJars.ofDistribution(Path.of(home));
  }
}
