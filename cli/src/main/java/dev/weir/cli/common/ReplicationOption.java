package dev.weir.cli.common;

import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the replication of written files. */
public final class ReplicationOption {

  private static final String LEAST_KEY = "dfs.namenode.replication.min";
  private static final int LEAST = 1;
  private static final String MOST_KEY = "dfs.replication.max";
  private static final int MOST = 512;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description = "Replicas of written files that no hint matches (default: dfs.replication).")
  private @Nullable Integer replication;

  /**
   * Returns the replication.
   *
   * @return the option's value, or 0 if the option was not given
   * @throws ParameterException if it is less than 1
   */
  public int number() {
    if (replication == null) {
      return 0;
    }
    if (replication < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--replication " + replication + ": give 1 or more, or leave it out for the cluster's");
    }
    return replication;
  }

  /** Checks the replication against the limits in the client's configuration. */
  public void requireWithin(Configuration conf) {
    int least = conf.getInt(LEAST_KEY, LEAST);
    int most = conf.getInt(MOST_KEY, MOST);
    int given = number();
    if (given != 0 && (given < least || given > most)) {
      throw new ParameterException(
          spec.commandLine(),
          "--replication %s: the cluster takes %s to %s (%s, %s)"
              .formatted(given, least, most, LEAST_KEY, MOST_KEY));
    }
  }
}
