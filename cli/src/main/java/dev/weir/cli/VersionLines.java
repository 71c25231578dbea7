package dev.weir.cli;

import dev.weir.hints.WeirVersion;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** The versions that {@code weir --version} prints: Weir's own, Hadoop's and Java's. */
final class VersionLines implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "weir " + WeirVersion.of(Weir.class),
      "Hadoop " + VersionInfo.getVersion(),
      "Java " + System.getProperty("java.version")
    };
  }
}
