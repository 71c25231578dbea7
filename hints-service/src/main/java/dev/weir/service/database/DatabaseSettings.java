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
 * The settings of the database of runs.
 *
 * @param url JDBC URL of H2 or PostgreSQL
 * @param user the user name of the service in the database
 * @param connections the most connections at a time
 * @param timeout the longest that a statement may take
 */
public record DatabaseSettings(
    String url, String user, String password, int connections, Duration timeout) {
  private static final String PREFIX = "weir.server.database.";
  private static final String H2 = "jdbc:h2:";
  private static final String POSTGRESQL = "jdbc:postgresql:";

  public static final Setting<String> URL =
      new Setting<>(
          PREFIX + "url",
          "jdbc:h2:~/.weir/provenance",
          "JDBC URL",
          "The database of runs and of the provenance of files. The default is H2 within this"
              + " process, for one instance; for several write"
              + " jdbc:postgresql://HOST/DATABASE.",
          DatabaseSettings::requireKnown);

  public static final Setting<String> USER =
      Setting.text(PREFIX + "user", "", "user", "The service's user name in that database.");

  public static final Setting<String> PASSWORD =
      Setting.text(
          PREFIX + "password",
          "",
          "password",
          "The user's password; better in a credential provider"
              + " (hadoop.security.credential.provider.path) than in a file.");

  public static final Setting<Integer> CONNECTIONS =
      Setting.count(
          PREFIX + "connections",
          8,
          1,
          32,
          "The most connections to the database at a time; twice as many calls may wait for one.");

  public static final Setting<Duration> TIMEOUT =
      Setting.time(
          PREFIX + "timeout",
          "10s",
          "The longest that a statement may take, in whole seconds; a database that takes longer"
              + " counts as unavailable.");

  public static final List<Setting<?>> ALL = List.of(URL, USER, PASSWORD, CONNECTIONS, TIMEOUT);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
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

  /** Returns {@link #timeout} in seconds, at least one, as drivers expect it. */
  int seconds() {
    return (int) Math.max(1, Math.min(timeout.toSeconds(), Integer.MAX_VALUE / 2));
  }

  /** Returns whether the database is H2, which writes commits to the disk only at a checkpoint. */
  boolean isH2() {
    return url.startsWith(H2);
  }

  /** Returns whether the database belongs to one process alone. */
  boolean isEmbedded() {
    return isH2() && !url.startsWith(H2 + "tcp:") && !url.startsWith(H2 + "ssl:");
  }

  /**
   * Returns the file of an embedded database, which exists once the database is open; empty for
   * other kinds.
   */
  Optional<Path> file() {
    String place = place();
    if (!isEmbedded() || place.startsWith(H2 + "mem:")) {
      return Optional.empty();
    }
    String path = place.substring(H2.length()).replaceFirst("^file:", "");
    String home = System.getProperty("user.home");
    return Optional.of(Path.of(path.replaceFirst("^~", Matcher.quoteReplacement(home)) + ".mv.db"));
  }

  /** Returns the URL for logs, without its parameters, which may be secret. */
  String place() {
    return url.replaceFirst("[;?].*", "");
  }

  @Override
  public String toString() {
    return "DatabaseSettings[" + place() + ", user " + user + "]";
  }
}
