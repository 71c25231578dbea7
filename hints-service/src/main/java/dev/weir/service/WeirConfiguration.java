package dev.weir.service;

import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.hints.Suggestion;
import dev.weir.service.part.Setting;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hadoop's configuration, overridden by {@code weir-site.xml}. */
public final class WeirConfiguration {
  /** The optional file next to {@code hdfs-site.xml}. */
  public static final String SITE = "weir-site.xml";

  private static final Logger LOG = LoggerFactory.getLogger(WeirConfiguration.class);

  /** The keys of the other modules. The service itself reads only the link rate. */
  private static final List<String> KEYS_OF_OTHER_MODULES =
      List.of(
          "weir.client.hints.enabled",
          "weir.client.hints.file",
          "weir.client.read.stripe.enabled",
          "weir.client.read.stripe.memory",
          "weir.client.read.stripe.min",
          "weir.client.server.attempts",
          "weir.client.server.connect-timeout",
          "weir.client.server.patience",
          "weir.client.server.timeout",
          "weir.containers",
          "weir.hints.memory",
          "weir.java.archive",
          "weir.master.ports",
          "weir.queue",
          "weir.worker.ports",
          AccessAuditLogger.HALF_LIFE_KEY,
          "weir.yarn.hold.ms",
          "weir.yarn.link.bytes-per-second",
          "weir.yarn.locality-wait.floor-ms",
          "weir.yarn.locality-wait.max-ms",
          "weir.zookeeper.auth",
          "weir.zookeeper.open",
          "weir.zookeeper.quorum",
          "weir.zookeeper.root",
          "weir.zookeeper.writers");

  private WeirConfiguration() {}

  /** Reads {@code core-site.xml}, {@code hdfs-site.xml} and {@code weir-site.xml}. */
  public static Configuration load() {
    Configuration configuration = new HdfsConfiguration();
    configuration.addResource(SITE);
    return configuration;
  }

  /** Logs a warning for each key that begins with {@code weir.} and has no meaning. */
  static void warnOfUnknown(Configuration configuration) {
    Set<String> known = known();
    for (String key : unknown(configuration)) {
      LOG.warn("{} is not a key of Weir and has no effect{}", key, Suggestion.question(key, known));
    }
  }

  /** Returns the unknown keys that begin with {@code weir.}. */
  static Set<String> unknown(Configuration configuration) {
    Set<String> unknown = new TreeSet<>();
    configuration.getPropsWithPrefix("weir.").keySet().forEach(rest -> unknown.add("weir." + rest));
    unknown.removeAll(known());
    return unknown;
  }

  static Set<String> known() {
    Set<String> known = new TreeSet<>(KEYS_OF_OTHER_MODULES);
    ServiceSettings.all().stream().map(Setting::key).forEach(known::add);
    return known;
  }
}
