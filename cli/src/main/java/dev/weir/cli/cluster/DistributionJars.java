package dev.weir.cli.cluster;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.HadoopJars;
import java.io.IOException;
import java.nio.file.Path;

/** Finds the jars that a cluster's daemons run from. */
public final class DistributionJars {
  private DistributionJars() {}

  /**
   * The jars of the distribution that this command is part of.
   *
   * @throws ClusterException if it is not part of one
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
