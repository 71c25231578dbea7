package dev.weir.workflow.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes from URLs what may be secret: user and password, the query, which may be a signature, and
 * the fragment. For messages, records and reports.
 */
public final class RedactedUrl {

  private static final Pattern PARTS =
      Pattern.compile("(?<scheme>[A-Za-z][A-Za-z0-9+.-]*:)(?<host>//[^/?#]*)?(?<path>[^?#]*)(.*)");

  private static final String REMOVED = "...";

  private RedactedUrl() {}

  /**
   * Returns a URL without its secret parts. {@code ...} stands for a removed query.
   *
   * @param url a URL; it need not be valid
   */
  public static String of(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      return REMOVED;
    }
    String rest = parts.group(4);
    return parts.group("scheme")
        + host(parts)
        + parts.group("path")
        + (rest.startsWith("?") ? "?" + REMOVED : "");
  }

  /**
   * Returns scheme, host and port of a URL whose path is a secret, too, as those of webhooks.
   *
   * @param url a URL; it need not be valid
   */
  public static String hostOf(String url) {
    Matcher parts = PARTS.matcher(url);
    return parts.matches() ? parts.group("scheme") + host(parts) + "/" + REMOVED : REMOVED;
  }

  /** Returns whether a URL has parts that {@link #of} removes. */
  public static boolean hasSecret(String url) {
    return !of(url).equals(url);
  }

  private static String host(Matcher parts) {
    String host = parts.group("host");
    return host == null ? "" : "//" + host.substring(Math.max(1, host.lastIndexOf('@')) + 1);
  }
}
