package dev.weir.hints;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A reference implementation of the precedence in docs/hints.md. It tries every rule, with one
 * regular expression per component of the pattern.
 */
public final class SlowHints {
  private final String authority;
  private final List<Candidate> candidates = new ArrayList<>();

  public SlowHints(String authority, Collection<HintSet> sets) {
    this.authority = authority;
    List<HintSet> sorted = new ArrayList<>(sets);
    sorted.sort(Comparator.comparing(HintSet::id));
    for (HintSet set : sorted) {
      for (Rule rule : set.rules()) {
        add(set.id(), rule.pattern().toString());
      }
    }
  }

  private void add(String id, String text) {
    String path = text;
    if (text.startsWith("hdfs://")) {
      int slash = text.indexOf('/', "hdfs://".length());
      if (!text.substring("hdfs://".length(), slash).equals(authority)) {
        return;
      }
      path = text.substring(slash);
    }
    List<Part> parts = new ArrayList<>();
    for (String component : path.substring(1).split("/", -1)) {
      parts.add(Part.of(component));
    }
    candidates.add(new Candidate(id + " " + text, parts));
  }

  /** The id of the set and the pattern of the rule that wins. */
  public Optional<String> winner(String path) {
    List<String> names = List.of(path.substring(1).split("/", -1));
    List<String> later = new ArrayList<>(names);
    later.set(names.size() - 1, finished(names.get(names.size() - 1)));
    return best(names, true).or(() -> best(later, false)).or(() -> best(names, false));
  }

  private static String finished(String name) {
    if (name.endsWith("._COPYING_")) {
      return name.substring(0, name.length() - "._COPYING_".length());
    }
    int attempt = name.lastIndexOf(".weir-");
    return attempt > 0 ? name.substring(0, attempt) : name;
  }

  private Optional<String> best(List<String> names, boolean literalOnly) {
    return candidates.stream()
        .filter(candidate -> candidate.isLiteral() || !literalOnly)
        .filter(candidate -> matches(candidate.parts(), names))
        .min(
            Comparator.comparing((Candidate candidate) -> !candidate.isLiteral())
                .thenComparing(Candidate::parts, SlowHints::compare))
        .map(Candidate::name);
  }

  private static boolean matches(List<Part> parts, List<String> names) {
    if (parts.isEmpty()) {
      return names.isEmpty();
    }
    List<Part> rest = parts.subList(1, parts.size());
    if (parts.get(0).kind() == Kind.ACROSS) {
      return matches(rest, names)
          || (!names.isEmpty() && matches(parts, names.subList(1, names.size())));
    }
    return !names.isEmpty()
        && parts.get(0).regex().matcher(names.get(0)).matches()
        && matches(rest, names.subList(1, names.size()));
  }

  /** Compares as docs/hints.md says: the first component that differs decides. */
  private static int compare(List<Part> one, List<Part> other) {
    for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
      Part mine = i < one.size() ? one.get(i) : Part.END;
      Part its = i < other.size() ? other.get(i) : Part.END;
      int byKind = mine.kind().compareTo(its.kind());
      if (byKind != 0) {
        return byKind;
      }
      if (mine.kind() == Kind.WILD && mine.literals() != its.literals()) {
        return Integer.compare(its.literals(), mine.literals());
      }
    }
    return 0;
  }

  /** The kinds of components, the most specific first. */
  private enum Kind {
    LITERAL,
    WILD,
    END,
    ACROSS
  }

  private record Candidate(String name, List<Part> parts) {
    boolean isLiteral() {
      return parts.stream().allMatch(part -> part.kind() == Kind.LITERAL);
    }
  }

  /**
   * One component of a pattern.
   *
   * @param literals the number of literal characters, of the alternative with the fewest
   */
  private record Part(Kind kind, Pattern regex, int literals) {
    static final Part END = new Part(Kind.END, Pattern.compile(""), 0);

    static Part of(String component) {
      if (component.equals("**")) {
        return new Part(Kind.ACROSS, Pattern.compile(""), 0);
      }
      StringBuilder regex = new StringBuilder();
      boolean wild = false;
      int literals = 0;
      boolean braced = false;
      int fewest = Integer.MAX_VALUE;
      int inBrace = 0;
      for (int i = 0; i < component.length(); i++) {
        char c = component.charAt(i);
        switch (c) {
          case '*' -> regex.append(".*");
          case '?' -> regex.append('.');
          case '{' -> {
            regex.append("(?:");
            braced = true;
            fewest = Integer.MAX_VALUE;
            inBrace = 0;
          }
          case ',' -> {
            regex.append('|');
            fewest = Math.min(fewest, inBrace);
            inBrace = 0;
          }
          case '}' -> {
            regex.append(')');
            literals += Math.min(fewest, inBrace);
            braced = false;
          }
          default -> {
            i += c == '\\' ? 1 : 0;
            regex.append(Pattern.quote(component.substring(i, i + 1)));
            literals += braced ? 0 : 1;
            inBrace += braced ? 1 : 0;
          }
        }
        wild |= "*?{".indexOf(c) >= 0;
      }
      Pattern compiled = Pattern.compile(regex.toString(), Pattern.DOTALL);
      return new Part(wild ? Kind.WILD : Kind.LITERAL, compiled, literals);
    }
  }
}
