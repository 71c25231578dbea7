package dev.weir.yarn;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that a resource name stands for: {@code weir:/path[,/path...]}. A comma or a backslash
 * that belongs to a path is written with a backslash before it.
 *
 * <p>AMRMClient refuses the name of a node that has a slash in it (it takes the name of a rack as
 * it is). For such clients there is a second form, told from the first by its beginning: {@code
 * weir:%2Fpath[,%2Fpath...]}, in which every path is percent-encoded as in a URI.
 */
record WeirName(List<String> paths) {

  static final String PREFIX = "weir:";

  private static final String ENCODED_SLASH = "%2F";

  /** A longer name is refused: its look-up would keep a thread for long, and names are kept. */
  static final int MAX_LENGTH = 32_768;

  WeirName {
    paths = List.copyOf(paths);
  }

  /** Whether a resource name asks for files; anything else is YARN's own business. */
  static boolean is(@Nullable String resourceName) {
    return resourceName != null && resourceName.startsWith(PREFIX);
  }

  /**
   * Reads a resource name that {@link #is} true of. A path given twice counts once.
   *
   * @throws IllegalArgumentException with the place and the remedy
   */
  static WeirName parse(String resourceName) {
    if (resourceName.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "resource name '%s' has %d characters, more than %d: name a directory"
              .formatted(shorten(resourceName), resourceName.length(), MAX_LENGTH));
    }
    LinkedHashSet<String> paths = new LinkedHashSet<>();
    String text = resourceName.substring(PREFIX.length());
    boolean encoded = text.regionMatches(true, 0, ENCODED_SLASH, 0, ENCODED_SLASH.length());
    for (String path : encoded ? decode(text) : split(text)) {
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(
            "'%s' in resource name '%s' is not an absolute path: write weir:/path[,/path...]"
                .formatted(shorten(path), shorten(resourceName)));
      }
      paths.add(path);
    }
    return new WeirName(List.copyOf(paths));
  }

  private static List<String> decode(String text) {
    List<String> paths = new ArrayList<>();
    for (String path : text.split(",", -1)) {
      // Forms, which the decoder is for, write a space as a plus; URIs do not.
      paths.add(URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
    return paths;
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        part.append(text.charAt(i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private static String shorten(String text) {
    return text.length() <= 80 ? text : text.substring(0, 77) + "...";
  }
}
