package dev.weir.cli.common;

import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.yarn.UserKeytab;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options for the keytab with which an application makes new tokens before the old ones end. */
public final class KeytabOption {
  @ArgGroup(exclusive = false)
  private @Nullable Keys keys;

  private static final class Keys {
    @Option(
        names = "--keytab",
        paramLabel = "FILE",
        required = true,
        description =
            "Kerberos keys of --principal, for runs that are longer than the lifetime of HDFS's"
                + " tokens (7 days). The ApplicationMaster gets a copy that only you may read.")
    private Path file = Path.of("");

    @Option(
        names = "--principal",
        paramLabel = "NAME",
        required = true,
        description = "Your Kerberos principal, as 'klist -kt FILE' shows it.")
    private String principal = "";
  }

  /**
   * Logs in with the keys, if any are given.
   *
   * @param conf of the cluster; is changed
   * @throws RunException if the keys cannot be used
   */
  public Configuration login(Configuration conf) throws RunException {
    if (keys != null) {
      new UserKeytab(keys.principal, keys.file.toAbsolutePath()).login(conf);
    }
    return conf;
  }
}
