package dev.weir.hints;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of absolute paths. Within a component, {@code *} matches any characters, {@code ?} one,
 * and {@code {a,b}} either alternative. The component {@code **} matches any number of components,
 * including none. A backslash escapes the next character. Everything else is literal. An optional
 * prefix {@code hdfs://AUTHORITY} restricts the pattern to that file system. Immutable. Matching
 * takes at most time proportional to path length times pattern length.
 */
public final class PathPattern {
  private static final String SPECIAL = "*?{},\\";

  private final String text;
  private final String authority;
  private final List<PatternComponent> components;
  private final int literalDepth;

  /**
   * @param authority the file system; empty for any
   */
  PathPattern(String text, String authority, List<PatternComponent> components) {
    this.text = text;
    this.authority = authority;
    this.components = List.copyOf(components);
    int depth = 0;
    while (depth < components.size() && components.get(depth).isLiteral()) {
      depth++;
    }
    this.literalDepth = depth;
  }

  /**
   * Parses a pattern.
   *
   * @throws InvalidHintException with the offset and the remedy
   */
  public static PathPattern parse(String text) {
    return new PatternParser(text).parse();
  }

  /**
   * The pattern that matches exactly one path.
   *
   * @param path an absolute path without special characters
   * @throws InvalidHintException if the path is not absolute or not canonical
   */
  public static PathPattern literal(String path) {
    StringBuilder escaped = new StringBuilder(path.length());
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (SPECIAL.indexOf(c) >= 0) {
        escaped.append('\\');
      }
      escaped.append(c);
    }
    return parse(escaped.toString());
  }

  /**
   * Orders more specific patterns first. Patterns are compared component by component from the
   * left, and the first difference decides. A literal component comes before one with wildcards,
   * that before the pattern's end, and that before {@code **}. Of two components with wildcards,
   * the one with more literal characters comes first. Otherwise patterns are equal.
   */
  public static Comparator<PathPattern> mostSpecificFirst() {
    return PathPattern::compareSpecificity;
  }

  /** The file system that the pattern is restricted to; empty for any. */
  public Optional<String> authority() {
    return authority.isEmpty() ? Optional.empty() : Optional.of(authority);
  }

  /** Whether the pattern matches exactly one path. */
  public boolean isLiteral() {
    return literalDepth == components.size();
  }

  /** Whether the pattern matches an absolute path, regardless of the file system. */
  public boolean matches(String path) {
    return path.startsWith("/") && matches(path, 1, path.length(), 0);
  }

  /**
   * The longest path of whole components that every matching path begins with, without the
   * authority. For a literal pattern it is the path itself; it is {@code /} if there is no literal
   * component.
   */
  public String literalPrefix() {
    return "/" + String.join("/", literalComponents());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PathPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The pattern as {@link #parse} accepts it. */
  @Override
  public String toString() {
    return text;
  }

  private List<String> literalComponents() {
    List<String> names = new ArrayList<>(literalDepth);
    for (PatternComponent component : components.subList(0, literalDepth)) {
      names.add(component.literalStart());
    }
    return names;
  }

  /** The literal characters at the start of the first component with wildcards. */
  public String firstWildcardPrefix() {
    return isLiteral() ? "" : components.get(literalDepth).literalStart();
  }

  /** The end of the component that starts at an index of an absolute path. */
  public static int componentEnd(String path, int from, int end) {
    int slash = path.indexOf('/', from);
    return slash < 0 || slash > end ? end : slash;
  }

  /**
   * Whether the pattern's components with wildcards match the rest of a path.
   *
   * @param path an absolute path that begins with the literal components
   * @param from the start of the rest
   * @param end the end of the path in the text
   */
  public boolean matchesRest(String path, int from, int end) {
    return matches(path, from, end, literalDepth);
  }

  /**
   * Matches greedily with a single backtracking point, the last {@code **}. One point is enough,
   * because the last {@code **} can match whatever an earlier one could.
   */
  private boolean matches(String path, int from, int end, int first) {
    int p = from;
    int c = first;
    int retryPath = -1;
    int retryComponent = -1;
    while (p < end) {
      int next = componentEnd(path, p, end);
      if (c < components.size() && components.get(c).isDoubleStar()) {
        retryComponent = ++c;
        retryPath = p;
      } else if (c < components.size() && components.get(c).matches(path, p, next)) {
        c++;
        p = next + 1;
      } else if (retryComponent >= 0) {
        c = retryComponent;
        retryPath = componentEnd(path, retryPath, end) + 1;
        p = retryPath;
      } else {
        return false;
      }
    }
    while (c < components.size() && components.get(c).isDoubleStar()) {
      c++;
    }
    return c == components.size();
  }

  private int compareSpecificity(PathPattern other) {
    int common = Math.max(components.size(), other.components.size());
    for (int i = 0; i < common; i++) {
      int byRank = Integer.compare(other.rank(i), rank(i));
      if (byRank != 0) {
        return byRank;
      }
      if (i < components.size() && i < other.components.size()) {
        int byLiterals =
            Integer.compare(
                other.components.get(i).literalCharacters(), components.get(i).literalCharacters());
        if (!components.get(i).isLiteral() && byLiterals != 0) {
          return byLiterals;
        }
      }
    }
    return 0;
  }

  private int rank(int i) {
    if (i >= components.size()) {
      return 1;
    }
    PatternComponent component = components.get(i);
    if (component.isDoubleStar()) {
      return 0;
    }
    return component.isLiteral() ? 3 : 2;
  }
}
