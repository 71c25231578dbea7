package dev.weir.cli;

import java.util.Objects;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** The versions that {@code weir --version} prints: Weir's own, Hadoop's and Java's. */
final class WeirVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String own =
        Objects.requireNonNullElse(
            Weir.class.getPackage().getImplementationVersion(), "(unpackaged)");
    return new String[] {
      "weir " + own,
      "Hadoop " + VersionInfo.getVersion(),
      "Java " + System.getProperty("java.version")
    };
  }
}
