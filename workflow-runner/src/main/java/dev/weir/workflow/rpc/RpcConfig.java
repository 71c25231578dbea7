package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.TaskOrder;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;

/**
 * Settings of the channel to workers.
 *
 * @param protection SASL's quality of protection: {@code authentication}, {@code integrity} or
 *     {@code privacy}; several, separated by commas, as for {@code hadoop.rpc.protection}
 * @param silence time without a poll after which a worker is declared lost
 */
public record RpcConfig(String protection, Duration silence) {

  /** {@link #protection}; by default that of {@code hadoop.rpc.protection}. */
  public static final String PROTECTION_KEY = "weir.rpc.protection";

  /** {@link #silence}, such as {@code 60s}. */
  public static final String SILENCE_KEY = "weir.worker.silence";

  /** HDFS's key for the encryption of transfers with DataNodes. */
  public static final String ENCRYPT_DATA_KEY = "dfs.encrypt.data.transfer";

  private static final Duration DEFAULT_SILENCE = Duration.ofSeconds(60);
  private static final Duration LEAST_SILENCE = Duration.ofMillis(200);

  /** The silence timeout covers at least this many polls or timed-out calls. */
  private static final int POLLS = 12;

  private static final int TIMEOUTS = 3;
  private static final long MAX_POLL_MILLIS = 2_000;

  public RpcConfig {
    if (silence.compareTo(LEAST_SILENCE) < 0) {
      throw new IllegalArgumentException(SILENCE_KEY + " = " + silence + " is too short");
    }
    for (String level : protection.split(",", -1)) {
      try {
        QualityOfProtection.valueOf(level.strip().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(PROTECTION_KEY + " = " + protection, e);
      }
    }
  }

  /**
   * Reads the keys of a cluster.
   *
   * @return the settings
   * @throws IllegalArgumentException when a value is invalid
   */
  public static RpcConfig of(Configuration conf) {
    String clusters =
        conf.getTrimmed(
            CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION,
            QualityOfProtection.AUTHENTICATION.name().toLowerCase(Locale.ROOT));
    long silence =
        conf.getTimeDuration(SILENCE_KEY, DEFAULT_SILENCE.toMillis(), TimeUnit.MILLISECONDS);
    return new RpcConfig(conf.getTrimmed(PROTECTION_KEY, clusters), Duration.ofMillis(silence));
  }

  /**
   * Whether node caches must use TLS: if the channel or HDFS signs or encrypts data.
   *
   * @param node configuration of the ApplicationMaster's node
   */
  boolean protectsCaches(Configuration node) {
    return isGuarded(protection)
        || isGuarded(node.getTrimmed(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, ""))
        || node.getBoolean(ENCRYPT_DATA_KEY, false);
  }

  private static boolean isGuarded(String protection) {
    String levels = protection.toUpperCase(Locale.ROOT);
    return levels.contains(QualityOfProtection.PRIVACY.name())
        || levels.contains(QualityOfProtection.INTEGRITY.name());
  }

  /** Returns how long a poll waits for a message, in milliseconds. */
  long pollMillis() {
    return Math.min(MAX_POLL_MILLIS, silence.dividedBy(POLLS).toMillis());
  }

  /** Returns the timeout of a call, in milliseconds. */
  int timeoutMillis() {
    return (int) Math.min(TaskOrder.LINK_TIMEOUT_MILLIS, silence.dividedBy(TIMEOUTS).toMillis());
  }

  /**
   * Returns the Hadoop configuration of either end, independent of the node's own security
   * settings.
   */
  Configuration applyTo(Configuration node) {
    Configuration conf = new Configuration(node);
    conf.set(CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION, protection);
    conf.unset(CommonConfigurationKeysPublic.HADOOP_SECURITY_SASL_PROPS_RESOLVER_CLASS);
    return conf;
  }
}
