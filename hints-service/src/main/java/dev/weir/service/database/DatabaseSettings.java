package dev.weir.service.database;

import dev.weir.service.part.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import org.apache.hadoop.conf.Configuration;

/**
 * Where runs are kept.
 *
 * @param url JDBC URL of H2 or PostgreSQL
 * @param user who the service is there
 * @param password the user's
 * @param connections the most connections at a time
 * @param timeout the longest that a statement may take
 */
public record DatabaseSettings(
    String url, String user, String password, int connections, Duration timeout) {
  private static final String PREFIX = "weir.server.database.";
  private static final String H2 = "jdbc:h2:";
  private static final String POSTGRESQL = "jdbc:postgresql:";

  /** The key of {@link #url}. */
  public static final Setting<String> URL =
      new Setting<>(
          PREFIX + "url",
          "jdbc:h2:~/.weir/provenance",
          "JDBC URL",
          "Where runs and the provenance of files are kept. The default is H2 within this process,"
              + " for one instance; for several write jdbc:postgresql://HOST/DATABASE.",
          DatabaseSettings::requireKnown);

  /** The key of {@link #user}. */
  public static final Setting<String> USER =
      Setting.text(PREFIX + "user", "", "user", "Who the service is in that database.");

  /** The key of {@link #password}. */
  public static final Setting<String> PASSWORD =
      Setting.text(
          PREFIX + "password",
          "",
          "password",
          "The user's password; better in a credential provider"
              + " (hadoop.security.credential.provider.path) than in a file.");

  /** The key of {@link #connections}. */
  public static final Setting<Integer> CONNECTIONS =
      Setting.count(
          PREFIX + "connections",
          8,
          1,
          32,
          "The most connections to the database at a time; twice as many calls may wait for one.");

  /** The key of {@link #timeout}. */
  public static final Setting<Duration> TIMEOUT =
      Setting.time(
          PREFIX + "timeout",
          "10s",
          "The longest that a statement may take, in whole seconds; a database that takes longer"
              + " is away.");

  /** All keys. */
  public static final List<Setting<?>> ALL = List.of(URL, USER, PASSWORD, CONNECTIONS, TIMEOUT);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException when one cannot be used
   * @throws IOException when a credential provider cannot be read
   */
  public static DatabaseSettings from(Configuration configuration) throws IOException {
    char[] password = configuration.getPassword(PASSWORD.key());
    return new DatabaseSettings(
        URL.from(configuration),
        USER.from(configuration),
        password == null ? PASSWORD.fallback() : new String(password),
        CONNECTIONS.from(configuration),
        TIMEOUT.from(configuration));
  }

  private static String requireKnown(String url) {
    if (url.startsWith(H2) || url.startsWith(POSTGRESQL)) {
      return url;
    }
    throw new IllegalArgumentException(H2 + "PATH or " + POSTGRESQL + "//HOST/DATABASE");
  }

  /** {@link #timeout} in seconds, at least one, which is what drivers take. */
  int seconds() {
    return (int) Math.max(1, Math.min(timeout.toSeconds(), Integer.MAX_VALUE / 2));
  }

  /** Whether it is H2, whose commits have to be asked onto the disk. */
  boolean isH2() {
    return url.startsWith(H2);
  }

  /** Whether the database is of one process alone. */
  boolean isEmbedded() {
    return isH2() && !url.startsWith(H2 + "tcp:") && !url.startsWith(H2 + "ssl:");
  }

  /** The file of an embedded database, once it is open; empty when it is of another kind. */
  Optional<Path> file() {
    String place = place();
    if (!isEmbedded() || place.startsWith(H2 + "mem:")) {
      return Optional.empty();
    }
    String path = place.substring(H2.length()).replaceFirst("^file:", "");
    String home = System.getProperty("user.home");
    return Optional.of(Path.of(path.replaceFirst("^~", Matcher.quoteReplacement(home)) + ".mv.db"));
  }

  /** For logs: what comes after the first semicolon or question mark may be secret. */
  String place() {
    return url.replaceFirst("[;?].*", "");
  }

  @Override
  public String toString() {
    return "DatabaseSettings[" + place() + ", user " + user + "]";
  }
}
