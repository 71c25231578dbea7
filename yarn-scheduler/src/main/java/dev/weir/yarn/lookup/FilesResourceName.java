package dev.weir.yarn.lookup;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that a resource name stands for: {@code weir:/path[,/path...][;k=3][;rate=100000000]}.
 * A comma, semicolon or backslash that belongs to a path is written with a backslash before it.
 *
 * <p>AMRMClient refuses the name of a node that has a slash in it (it takes the name of a rack as
 * it is). For such clients there is a second form, told from the first by its beginning: {@code
 * weir:%2Fpath[,%2Fpath...]}, in which every path is percent-encoded as in a URI.
 *
 * @param most how many nodes are to be asked for at most, 0 to leave that to us
 * @param bytesPerSecond how fast the application has found a node to fetch bytes from others, 0 if
 *     it says nothing of that
 */
public record FilesResourceName(List<String> paths, int most, long bytesPerSecond) {

  public static final String PREFIX = "weir:";

  /** A longer name is refused: its look-up would keep a thread for long, and names are kept. */
  public static final int MAX_LENGTH = 32_768;

  /** More nodes than this are never asked for by {@code k}. */
  static final int MAX_NODES = 1_000;

  /** How a name is to be written, for messages. */
  public static final String FORM = "write weir:/path[,/path...][;k=NODES][;rate=BYTES-PER-SECOND]";

  private static final Pattern SPECIAL = Pattern.compile("[\\\\,;]");
  private static final String ENCODED_SLASH = "%2F";

  public FilesResourceName {
    paths = List.copyOf(paths);
  }

  /** Whether a resource name asks for files; anything else is YARN's own business. */
  public static boolean is(@Nullable String resourceName) {
    return resourceName != null && resourceName.startsWith(PREFIX);
  }

  /**
   * Reads a resource name that {@link #is} true of. A path given twice counts once.
   *
   * @throws IllegalArgumentException with the place and the remedy
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

  /** What a name that can be parsed says of {@code k}, without the cost of its paths if nothing. */
  public static int mostOf(String resourceName) {
    return resourceName.indexOf(';') < 0 ? 0 : parse(resourceName).most();
  }

  /** What a name that can be parsed says of {@code rate}, likewise. */
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
            "'%s' in resource name '%s' is no option: %s"
                .formatted(shorten(part), shorten(resourceName), FORM));
      }
    }
    return options;
  }

  private static long number(String option, long most, String resourceName) {
    String value = option.substring(option.indexOf('=') + 1);
    try {
      long number = Long.parseLong(value);
      if (number > 0) {
        return Math.min(number, most);
      }
    } catch (NumberFormatException e) {
      // Told below, with the place.
    }
    throw new IllegalArgumentException(
        "'%s' in resource name '%s' is not a positive whole number: %s"
            .formatted(shorten(option), shorten(resourceName), FORM));
  }

  /** These paths as the text of a name, to be parsed to the same again. */
  public String resourceName() {
    StringBuilder name = new StringBuilder(PREFIX);
    String separator = "";
    for (String path : paths) {
      name.append(separator).append(SPECIAL.matcher(path).replaceAll("\\\\$0"));
      separator = ",";
    }
    if (most > 0) {
      name.append(";k=").append(most);
    }
    if (bytesPerSecond > 0) {
      name.append(";rate=").append(bytesPerSecond);
    }
    return name.toString();
  }

  private static String decode(String text) {
    // Forms, which the decoder is for, write a space as a plus; URIs do not.
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

  /** Cuts where a separator stands without a backslash, which only text that is plain may have. */
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
