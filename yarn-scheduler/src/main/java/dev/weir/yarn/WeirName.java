package dev.weir.yarn;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that a resource name stands for: {@code weir:/path[,/path...]}. A comma or a backslash
 * that belongs to a path is written with a backslash before it.
 */
record WeirName(List<String> paths) {

  static final String PREFIX = "weir:";

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
    for (String path : split(resourceName.substring(PREFIX.length()))) {
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(
            "'%s' in resource name '%s' is not an absolute path: write weir:/path[,/path...]"
                .formatted(shorten(path), shorten(resourceName)));
      }
      paths.add(path);
    }
    return new WeirName(List.copyOf(paths));
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
