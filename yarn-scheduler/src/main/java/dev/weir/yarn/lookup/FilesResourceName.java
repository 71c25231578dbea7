package dev.weir.yarn.lookup;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A resource name that stands for files: {@code weir:/path[,/path...][;k=3][;rate=100000000]}. A
 * backslash escapes a comma, semicolon or backslash in a path.
 *
 * <p>AMRMClient refuses a node name with a slash, but accepts any rack name. For such clients there
 * is a second form that starts with an encoded slash, {@code weir:%2Fpath[,%2Fpath...]}, in which
 * every path is percent-encoded as in a URI.
 *
 * @param maxNodes the most nodes to ask for, 0 for the default
 * @param bytesPerSecond the rate at which the application has found nodes to fetch bytes from
 *     others, 0 if unknown
 */
public record FilesResourceName(List<String> paths, int maxNodes, long bytesPerSecond) {

  public static final String PREFIX = "weir:";

  /** Longer names are refused, because names are stored and their lookup occupies a thread. */
  public static final int MAX_LENGTH = 32_768;

  /** The upper limit of {@code k}. */
  static final int MAX_NODES = 1_000;

  /** The syntax, for messages. */
  public static final String FORM = "write weir:/path[,/path...][;k=NODES][;rate=BYTES-PER-SECOND]";

  private static final Pattern SPECIAL = Pattern.compile("[\\\\,;]");
  private static final String ENCODED_SLASH = "%2F";

  public FilesResourceName {
    paths = List.copyOf(paths);
  }

  /** Whether a resource name asks for files. All others are YARN's own. */
  public static boolean is(@Nullable String resourceName) {
    return resourceName != null && resourceName.startsWith(PREFIX);
  }

  /**
   * Parses a resource name for which {@link #is} is true. Repeated paths count once.
   *
   * @throws IllegalArgumentException with the faulty part and the syntax
   */
  public static FilesResourceName parse(String resourceName) {
    if (resourceName.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "resource name '%s' has %d characters, more than %d: name a directory"
              .formatted(shorten(resourceName), resourceName.length(), MAX_LENGTH));
    }
    LinkedHashSet<String> paths = new LinkedHashSet<>();
    String text = resourceName.substring(PREFIX.length());
    boolean encoded = text.regionMatches(true, 0, ENCODED_SLASH, 0, ENCODED_SLASH.length());
    List<String> parts = split(text, ';', encoded);
    for (String part : split(parts.get(0), ',', encoded)) {
      String path = encoded ? decode(part) : unescape(part);
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(
            "'%s' in resource name '%s' is not an absolute path: %s"
                .formatted(shorten(path), shorten(resourceName), FORM));
      }
      paths.add(path);
    }
    long[] options = options(parts.subList(1, parts.size()), resourceName);
    return new FilesResourceName(List.copyOf(paths), (int) options[0], options[1]);
  }

  /** The value of {@code k} in a valid name. Does not parse the paths if there are no options. */
  public static int maxNodesOf(String resourceName) {
    return resourceName.indexOf(';') < 0 ? 0 : parse(resourceName).maxNodes();
  }

  /**
   * The value of {@code rate} in a valid name. Does not parse the paths if there are no options.
   */
  public static long rateOf(String resourceName) {
    return resourceName.indexOf(';') < 0 ? 0 : parse(resourceName).bytesPerSecond();
  }

  private static long[] options(List<String> parts, String resourceName) {
    long[] options = new long[2];
    for (String part : parts) {
      if (part.startsWith("k=")) {
        options[0] = number(part, MAX_NODES, resourceName);
      } else if (part.startsWith("rate=")) {
        options[1] = number(part, Long.MAX_VALUE, resourceName);
      } else {
        throw new IllegalArgumentException(
            "'%s' in resource name '%s' is not an option: %s"
                .formatted(shorten(part), shorten(resourceName), FORM));
      }
    }
    return options;
  }

  private static long number(String option, long maxNodes, String resourceName) {
    String value = option.substring(option.indexOf('=') + 1);
    try {
      long number = Long.parseLong(value);
      if (number > 0) {
        return Math.min(number, maxNodes);
      }
    } catch (NumberFormatException e) {
      // Reported below with the value.
    }
    throw new IllegalArgumentException(
        "'%s' in resource name '%s' is not a positive whole number: %s"
            .formatted(shorten(option), shorten(resourceName), FORM));
  }

  /** The resource name of these paths, which parses to an equal value. */
  public String resourceName() {
    StringBuilder name = new StringBuilder(PREFIX);
    String separator = "";
    for (String path : paths) {
      name.append(separator).append(SPECIAL.matcher(path).replaceAll("\\\\$0"));
      separator = ",";
    }
    if (maxNodes > 0) {
      name.append(";k=").append(maxNodes);
    }
    if (bytesPerSecond > 0) {
      name.append(";rate=").append(bytesPerSecond);
    }
    return name.toString();
  }

  private static String decode(String text) {
    // URLDecoder decodes a plus to a space, as in forms; in URIs a plus stands for itself.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\' && i + 1 < text.length()) {
        i++;
      }
      plain.append(text.charAt(i));
    }
    return plain.toString();
  }

  /** Splits at separators without a backslash. Backslashes escape only in the plain form. */
  private static List<String> split(String text, char separator, boolean encoded) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && !encoded) {
        i++;
      } else if (c == separator) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String shorten(String text) {
    return text.length() <= 80 ? text : text.substring(0, 77) + "...";
  }
}
