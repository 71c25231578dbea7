package dev.weir.cluster;

import dev.weir.cluster.plan.HadoopJars;
import java.nio.file.Path;

/** The stock Hadoop jars that this module's build has copied. */
final class TestJars {
  private TestJars() {}

  static HadoopJars stock() {
    return HadoopJars.stock(Path.of("target", "hadoop"));
  }
}
