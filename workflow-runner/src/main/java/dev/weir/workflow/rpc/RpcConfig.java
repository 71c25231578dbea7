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
 * How the channel to workers is set.
 *
 * @param protection SASL's quality of protection: {@code authentication}, {@code integrity} or
 *     {@code privacy}; several, separated by commas, as for {@code hadoop.rpc.protection}
 * @param silence after how long without a poll a worker is taken for lost
 */
public record RpcConfig(String protection, Duration silence) {

  /** {@link #protection}; by default that of {@code hadoop.rpc.protection}. */
  public static final String PROTECTION_KEY = "weir.rpc.protection";

  /** {@link #silence}, such as {@code 60s}. */
  public static final String SILENCE_KEY = "weir.worker.silence";

  /** HDFS's key for the encryption of what DataNodes send and receive. */
  public static final String ENCRYPT_DATA_KEY = "dfs.encrypt.data.transfer";

  private static final Duration DEFAULT_SILENCE = Duration.ofSeconds(60);
  private static final Duration LEAST_SILENCE = Duration.ofMillis(200);

  /** Silence is at least this many polls, and this many calls that fail by their timeout. */
  private static final int POLLS = 12;

  private static final int TIMEOUTS = 3;
  private static final long MAX_POLL_MILLIS = 2_000;

  /** Validates. */
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
   * @param conf that of the cluster
   * @return the settings
   * @throws IllegalArgumentException when a value is none
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
   * Whether node caches have to use TLS: where the channel, or HDFS on the network, may be signed
   * or encrypted.
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

  /** How long a poll is held back when there is nothing to say, in milliseconds. */
  long pollMillis() {
    return Math.min(MAX_POLL_MILLIS, silence.dividedBy(POLLS).toMillis());
  }

  /** After how long without an answer a worker takes the link for cut, in milliseconds. */
  int timeoutMillis() {
    return (int) Math.min(TaskOrder.LINK_TIMEOUT_MILLIS, silence.dividedBy(TIMEOUTS).toMillis());
  }

  /** A configuration for either end: nothing else of the node's decides who is let in. */
  Configuration applyTo(Configuration node) {
    Configuration conf = new Configuration(node);
    conf.set(CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION, protection);
    conf.unset(CommonConfigurationKeysPublic.HADOOP_SECURITY_SASL_PROPS_RESOLVER_CLASS);
    return conf;
  }
}
