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

  /** More paths than this in one name are refused: their look-up would keep a thread for long. */
  static final int MAX_PATHS = 1_000;

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
    LinkedHashSet<String> paths = new LinkedHashSet<>();
    for (String path : split(resourceName.substring(PREFIX.length()))) {
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(
            "'%s' in resource name '%s' is not an absolute path: write weir:/path[,/path...]"
                .formatted(shorten(path), shorten(resourceName)));
      }
      paths.add(path);
    }
    if (paths.size() > MAX_PATHS) {
      throw new IllegalArgumentException(
          "resource name '%s' has %d paths, more than %d: name their directory"
              .formatted(shorten(resourceName), paths.size(), MAX_PATHS));
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
