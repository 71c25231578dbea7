package dev.weir.hints;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one {@link PathPattern}. */
final class PatternParser {
  private static final int MAX_LENGTH = 4096;
  private static final String SCHEME = "hdfs://";
  private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9._-]+(:[0-9]+)?");
  private static final int MAX_ALTERNATIVES = 256;

  /**
   * The most tokens of all alternatives of a pattern. Without a limit, a few characters would take
   * megabytes of each NameNode's memory.
   */
  private static final int MAX_TOKENS = 16_384;

  private final String text;
  private final List<PatternComponent> components = new ArrayList<>();
  private int at;
  private int tokens;

  PatternParser(String text) {
    this.text = text;
  }

  PathPattern parse() {
    int path = authorityEnd();
    requirePath(path);
    at = path + 1;
    while (at <= text.length()) {
      components.add(component());
      at++; // skip the slash, or move past the end
    }
    String authority = path == 0 ? "" : text.substring(SCHEME.length(), path);
    return new PathPattern(text, authority, components);
  }

  /** The start of the path. */
  private int authorityEnd() {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidHintException(
          "pattern of " + text.length() + " characters is too long; at most " + MAX_LENGTH);
    }
    requireUnicode();
    if (!text.startsWith(SCHEME)) {
      return 0;
    }
    int slash = text.indexOf('/', SCHEME.length());
    int end = slash < 0 ? text.length() : slash;
    if (!AUTHORITY.matcher(text).region(SCHEME.length(), end).matches()) {
      throw error(
          SCHEME.length(),
          "does not name a file system",
          "write hdfs://NAMESERVICE/path, or the path alone for every file system");
    }
    return end;
  }

  /** Refuses unpaired surrogates: they would be stored as question marks, which are wildcards. */
  private void requireUnicode() {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSurrogatePair(
            text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
          throw error(i, "has an unpaired surrogate", "leave it out");
        }
        i++;
      }
    }
  }

  private void requirePath(int start) {
    int scheme = text.indexOf("://");
    if (start == 0 && scheme > 0 && text.indexOf('/') == scheme + 1) {
      throw error(0, "begins with a scheme", "write hdfs://NAMESERVICE/path, or the path alone");
    }
    if (!text.startsWith("/", start)) {
      throw error(start, "is a relative path", "begin it with a slash");
    }
    if (text.length() == start + 1) {
      throw error(start, "is the root directory itself", "write /** for every file");
    }
    if (text.endsWith("/") && !text.endsWith("\\/")) {
      throw error(
          text.length() - 1, "ends with a slash", "drop it, or write ** after it for all below");
    }
  }

  private PatternComponent component() {
    int start = at;
    skipOrdinary();
    if (at > start && (at == text.length() || text.charAt(at) == '/')) {
      String name = text.substring(start, at);
      requireName(name, start);
      return PatternComponent.of(name);
    }
    at = start;
    List<List<Integer>> alternatives = new ArrayList<>(List.of(new ArrayList<>()));
    while (at < text.length() && text.charAt(at) != '/') {
      alternatives = append(alternatives, element(), start);
    }
    String raw = text.substring(start, at);
    if (raw.isEmpty()) {
      throw error(start, "has an empty component", "write one slash between names");
    }
    if (raw.equals("**")) {
      return PatternComponent.DOUBLE_STAR;
    }
    if (raw.contains("**") && hasAdjacentStars(alternatives)) {
      throw error(
          start + raw.indexOf("**"),
          "has ** inside a component",
          "write * there, or give ** a component of its own");
    }
    return component(alternatives, start);
  }

  private PatternComponent component(List<List<Integer>> alternatives, int start) {
    List<int[]> found = new ArrayList<>();
    for (List<Integer> alternative : alternatives) {
      if (alternative.isEmpty()) {
        throw error(start, "has a component that may be empty", "give every alternative a name");
      }
      found.add(alternative.stream().mapToInt(Integer::intValue).toArray());
    }
    if (alternatives.size() > 1) {
      countTokens(found, start);
    }
    PatternComponent component = new PatternComponent(found);
    if (component.isLiteral()) {
      requireName(component.literalStart(), start);
    }
    return component;
  }

  private void countTokens(List<int[]> alternatives, int start) {
    for (int[] alternative : alternatives) {
      tokens += alternative.length;
    }
    if (tokens > MAX_TOKENS) {
      throw error(
          start,
          "has alternatives of more than " + MAX_TOKENS + " characters in all",
          "write several rules");
    }
  }

  /** Skips ordinary characters. Most of a million components may have no others. */
  private void skipOrdinary() {
    while (at < text.length() && "/*?{}\\".indexOf(text.charAt(at)) < 0) {
      at++;
    }
  }

  private void requireName(String name, int start) {
    if (name.equals(".") || name.equals("..")) {
      throw error(start, "has a component '" + name + "'", "write the path without it");
    }
  }

  /** The alternatives for the next character, wildcard or brace group. Advances the position. */
  private List<List<Integer>> element() {
    if (text.charAt(at) == '{') {
      return braces();
    }
    return List.of(List.of(token()));
  }

  private List<List<Integer>> braces() {
    int open = at;
    at++;
    List<List<Integer>> found = new ArrayList<>();
    List<Integer> current = new ArrayList<>();
    while (true) {
      if (at >= text.length() || text.charAt(at) == '/') {
        throw error(open, "has a brace that is not closed", "add } or write \\{ for the character");
      }
      char c = text.charAt(at);
      if (c == '{') {
        throw error(at, "has braces within braces", "write the alternatives side by side");
      }
      if (c == ',' || c == '}') {
        found.add(List.copyOf(current));
        current = new ArrayList<>();
        at++;
        if (c == '}') {
          return found;
        }
      } else {
        current.add(token());
      }
    }
  }

  private int token() {
    char c = text.charAt(at);
    @Nullable Integer token = null;
    if (c == '*') {
      token = PatternComponent.STAR;
    } else if (c == '?') {
      token = PatternComponent.QUESTION_MARK;
    } else if (c == '}') {
      throw error(at, "has a } without {", "write \\} for the character");
    } else if (c == '\\') {
      at++;
      if (at >= text.length() || text.charAt(at) == '/') {
        throw error(
            at - 1, "has a backslash with no character after it", "write \\\\ for the character");
      }
      c = text.charAt(at);
    }
    at++;
    return token == null ? c : token;
  }

  private List<List<Integer>> append(
      List<List<Integer>> heads, List<List<Integer>> tails, int start) {
    if (tails.size() == 1) {
      heads.forEach(head -> head.addAll(tails.get(0)));
      return heads;
    }
    if (heads.size() * tails.size() > MAX_ALTERNATIVES) {
      throw error(
          start,
          "has more than " + MAX_ALTERNATIVES + " alternatives in a component",
          "write several rules");
    }
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> head : heads) {
      for (List<Integer> tail : tails) {
        List<Integer> both = new ArrayList<>(head);
        both.addAll(tail);
        all.add(both);
      }
    }
    return all;
  }

  private static boolean hasAdjacentStars(List<List<Integer>> alternatives) {
    List<Integer> stars = List.of(PatternComponent.STAR, PatternComponent.STAR);
    return alternatives.stream().anyMatch(tokens -> Collections.indexOfSubList(tokens, stars) >= 0);
  }

  private InvalidHintException error(int offset, String problem, String remedy) {
    return new InvalidHintException(
        "pattern '" + text + "' " + problem + " at offset " + offset + "; " + remedy);
  }
}
