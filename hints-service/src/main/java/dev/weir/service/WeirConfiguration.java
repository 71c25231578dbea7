package dev.weir.service;

import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.service.part.Setting;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
          "weir.client.server.attempts",
          "weir.client.server.connect-timeout",
          "weir.client.server.patience",
          "weir.client.server.timeout",
          "weir.hints.memory",
          "weir.queue",
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
    unknown(configuration)
        .forEach(
            (key, nearest) ->
                LOG.warn(
                    "{} is not a key of Weir and has no effect; did you mean {}?", key, nearest));
  }

  /**
   * Returns the unknown keys that begin with {@code weir.}, each with the most similar known key.
   */
  static Map<String, String> unknown(Configuration configuration) {
    Set<String> known = known();
    Map<String, String> unknown = new TreeMap<>();
    configuration
        .getPropsWithPrefix("weir.")
        .keySet()
        .forEach(
            rest -> {
              String key = "weir." + rest;
              if (!known.contains(key)) {
                unknown.put(key, nearest(key, known));
              }
            });
    return unknown;
  }

  /** Returns the keys of all modules. */
  static Set<String> known() {
    Set<String> known = new TreeSet<>(KEYS_OF_OTHER_MODULES);
    ServiceSettings.all().stream().map(Setting::key).forEach(known::add);
    return known;
  }

  private static String nearest(String key, Set<String> known) {
    return known.stream().min(Comparator.comparingInt(other -> distance(key, other))).orElseThrow();
  }

  /** The edit distance: letters to insert, remove or replace. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(previous[j], row[j - 1]));
      }
      previous = row;
    }
    return previous[b.length()];
  }
}
