package dev.weir.service.access;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/**
 * The settings of calls to file systems on behalf of callers.
 *
 * @param admins the administrators, as {@code user,user group,group}
 * @param fileSystems authorities that rules may name besides the default one and the name services
 * @param timeout the timeout of one call to a NameNode
 * @param threads the number of concurrent calls of all requests
 */
public record CallerSettings(
    String admins, List<String> fileSystems, Duration timeout, int threads) {
  public static final Setting<String> ADMINS =
      Setting.text(
          "weir.server.admins",
          "",
          "users groups",
          "The users who may write any rule for any user, as 'user,user group,group'; * for"
              + " all. The service's own user always may.");

  public static final Setting<Duration> TIMEOUT =
      Setting.time(
          "weir.server.namenode.timeout",
          "10s",
          "The timeout of one call to a NameNode; after it the request is answered 503.");

  public static final Setting<Integer> THREADS =
      Setting.count(
          "weir.server.namenode.threads",
          16,
          1,
          1000,
          "The number of paths of all requests that are looked up at a time.");

  public static final Setting<String> FILE_SYSTEMS =
      Setting.text(
          "weir.server.filesystems",
          "",
          "authorities, by commas",
          "HDFS clusters that rules may name as hdfs://AUTHORITY/... besides the default one and"
              + " those of dfs.nameservices.");

  public static final List<Setting<?>> ALL = List.of(ADMINS, FILE_SYSTEMS, TIMEOUT, THREADS);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static CallerSettings from(Configuration configuration) {
    return new CallerSettings(
        ADMINS.from(configuration),
        List.copyOf(StringUtils.getTrimmedStringCollection(FILE_SYSTEMS.from(configuration))),
        TIMEOUT.from(configuration),
        THREADS.from(configuration));
  }
}
