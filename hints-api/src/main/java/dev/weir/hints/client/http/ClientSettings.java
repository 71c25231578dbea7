package dev.weir.hints.client.http;

import dev.weir.hints.InvalidHintException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * The address of the hints service and the client's time limits.
 *
 * @param urls base URLs of the service's instances; empty if there is no service
 * @param connectTimeout the longest wait for a connection
 * @param timeout the longest wait for one answer, from the request to its last byte
 * @param patience the longest duration of one call with all attempts and pauses
 * @param attempts the number of attempts at each instance before a call fails
 */
public record ClientSettings(
    List<URI> urls, Duration connectTimeout, Duration timeout, Duration patience, int attempts) {
  /** The key of {@link #urls}: one URL, or several separated by commas. */
  public static final String URL_KEY = "weir.server.url";

  public static final String CONNECT_TIMEOUT_KEY = "weir.client.server.connect-timeout";

  public static final String TIMEOUT_KEY = "weir.client.server.timeout";

  public static final String PATIENCE_KEY = "weir.client.server.patience";

  public static final String ATTEMPTS_KEY = "weir.client.server.attempts";

  /** The file beside {@code hdfs-site.xml} that contains Weir's keys. */
  public static final String SITE_FILE = "weir-site.xml";

  private static final long CONNECT_MILLIS = 3_000;
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int ATTEMPTS = 4;

  /** Validates the values and copies the URLs. */
  public ClientSettings {
    urls = List.copyOf(urls);
    urls.forEach(ClientSettings::requireUsable);
    requirePositive(CONNECT_TIMEOUT_KEY, connectTimeout);
    requirePositive(TIMEOUT_KEY, timeout);
    requirePositive(PATIENCE_KEY, patience);
    if (attempts < 1) {
      throw new InvalidHintException(ATTEMPTS_KEY + " is " + attempts + "; write at least 1");
    }
  }

  /** Settings for these instances with defaults for everything else. */
  public static ClientSettings of(List<URI> urls) {
    return new ClientSettings(
        urls,
        Duration.ofMillis(CONNECT_MILLIS),
        Duration.ofMillis(TIMEOUT_MILLIS),
        Duration.ofMillis(PATIENCE_MILLIS),
        ATTEMPTS);
  }

  /**
   * Reads the keys from a configuration and from {@code weir-site.xml} on the class path.
   *
   * @throws InvalidHintException if a value is invalid
   */
  public static ClientSettings from(Configuration configuration) {
    Configuration site = new Configuration(configuration);
    site.addResource(SITE_FILE);
    return new ClientSettings(
        urls(site.getTrimmed(URL_KEY, "")),
        duration(site, CONNECT_TIMEOUT_KEY, CONNECT_MILLIS),
        duration(site, TIMEOUT_KEY, TIMEOUT_MILLIS),
        duration(site, PATIENCE_KEY, PATIENCE_MILLIS),
        site.getInt(ATTEMPTS_KEY, ATTEMPTS));
  }

  /**
   * Parses base URLs.
   *
   * @param text one URL, or several separated by commas; blank for none
   * @throws InvalidHintException if one is not the URL of a service
   */
  public static List<URI> urls(String text) {
    List<URI> urls = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String url = part.strip();
      if (!url.isEmpty()) {
        urls.add(url(url));
      }
    }
    return urls;
  }

  /** A copy with other time limits. */
  public ClientSettings waiting(Duration newTimeout, Duration newPatience) {
    return new ClientSettings(urls, connectTimeout, newTimeout, newPatience, attempts);
  }

  /** Whether a service is configured. */
  public boolean isEnabled() {
    return !urls.isEmpty();
  }

  private static URI url(String text) {
    try {
      URI url = URI.create(text);
      requireUsable(url);
      return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : url;
    } catch (InvalidHintException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidHintException(unusable(text), e);
    }
  }

  private static void requireUsable(URI url) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http") || scheme.equals("https");
    if (!web || url.getHost() == null || url.getQuery() != null || url.getFragment() != null) {
      throw new InvalidHintException(unusable(url.toString()));
    }
  }

  private static String unusable(String url) {
    return URL_KEY
        + " has '"
        + url
        + "', which is not the URL of a service; write one such as http://host:9880";
  }

  private static Duration duration(Configuration configuration, String key, long defaultMillis) {
    try {
      return Duration.ofMillis(
          configuration.getTimeDuration(key, defaultMillis, TimeUnit.MILLISECONDS));
    } catch (NumberFormatException e) {
      throw new InvalidHintException(
          key
              + " is '"
              + configuration.get(key)
              + "', which is not a duration; write one such as 5s",
          e);
    }
  }

  private static void requirePositive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new InvalidHintException(key + " is " + value + "; write a positive value");
    }
  }
}
