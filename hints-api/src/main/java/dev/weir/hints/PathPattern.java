package dev.weir.hints;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of absolute paths. Within a component, {@code *} stands for any characters, {@code ?} for
 * one, {@code {a,b}} for either; a component {@code **} stands for any number of components, also
 * none. A backslash takes the special meaning from the character after it. Everything else stands
 * for itself. Before the path may stand {@code hdfs://AUTHORITY}: then the pattern is for that file
 * system alone. Immutable; matching takes time in proportion to path times pattern at worst, never
 * more.
 */
public final class PathPattern {
  private static final String SPECIAL = "*?{},\\";

  private final String text;
  private final String authority;
  private final List<PatternComponent> components;
  private final int literalDepth;

  /**
   * @param authority names the file system; empty for any
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
   * Reads a pattern.
   *
   * @throws InvalidHintException when it is none; the message names the offset and the remedy
   */
  public static PathPattern parse(String text) {
    return new PatternParser(text).parse();
  }

  /**
   * The pattern that matches this one path.
   *
   * @param path an absolute path, in which no character is special
   * @throws InvalidHintException when it is not absolute or not in canonical form
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
   * More specific patterns first. Two patterns are compared component by component from the left,
   * and the first difference decides: a literal component before one with wildcards, that before
   * the pattern's end, that before {@code **}; of two components with wildcards, the one with more
   * literal characters first. Patterns that differ in none of this are equal here.
   */
  public static Comparator<PathPattern> mostSpecificFirst() {
    return PathPattern::compareSpecificity;
  }

  /** Names the one file system that the pattern is for; empty when it is for any. */
  public Optional<String> authority() {
    return authority.isEmpty() ? Optional.empty() : Optional.of(authority);
  }

  /** Whether the pattern matches exactly one path. */
  public boolean isLiteral() {
    return literalDepth == components.size();
  }

  /** Whether the pattern matches this absolute path, whatever the file system. */
  public boolean matches(String path) {
    return path.startsWith("/") && matches(path, 1, path.length(), 0);
  }

  /**
   * The longest path of whole components that every matching path begins with, without the
   * authority; for a literal pattern the path itself, {@code /} when there is none.
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

  /** The pattern as {@link #parse} reads it. */
  @Override
  public String toString() {
    return text;
  }

  private List<String> literalComponents() {
    List<String> names = new ArrayList<>(literalDepth);
    for (PatternComponent component : components.subList(0, literalDepth)) {
      names.add(component.literalBeginning());
    }
    return names;
  }

  /** What the first component with wildcards begins with, up to the first of them. */
  public String firstWildcardPrefix() {
    return isLiteral() ? "" : components.get(literalDepth).literalBeginning();
  }

  /** Where the component that begins at an index of an absolute path ends. */
  public static int componentEnd(String path, int from, int end) {
    int slash = path.indexOf('/', from);
    return slash < 0 || slash > end ? end : slash;
  }

  /**
   * Whether what follows the literal components matches.
   *
   * @param path an absolute path that begins with them
   * @param from where its rest begins
   * @param end where the path ends in the text
   */
  public boolean matchesRest(String path, int from, int end) {
    return matches(path, from, end, literalDepth);
  }

  /**
   * Greedy with one point to fall back to, the last {@code **}: enough, because what an earlier one
   * could take instead, the last one can take as well.
   */
  private boolean matches(String path, int from, int end, int first) {
    int p = from;
    int c = first;
    int retryPath = -1;
    int retryComponent = -1;
    while (p < end) {
      int next = componentEnd(path, p, end);
      if (c < components.size() && components.get(c).isAcross()) {
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
    while (c < components.size() && components.get(c).isAcross()) {
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
    if (component.isAcross()) {
      return 0;
    }
    return component.isLiteral() ? 3 : 2;
  }
}
