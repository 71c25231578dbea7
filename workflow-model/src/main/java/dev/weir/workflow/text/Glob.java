package dev.weir.workflow.text;

import java.util.regex.Pattern;

/**
 * A pattern that a whole name has to match. A {@code *} stands for any number of characters,
 * slashes too, and a {@code ?} for one; all else stands for itself. Immutable.
 */
public final class Glob {

  private final String glob;
  private final Pattern pattern;

  /**
   * A glob.
   *
   * @param glob the pattern
   */
  public Glob(String glob) {
    this.glob = glob;
    StringBuilder regex = new StringBuilder();
    StringBuilder literal = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      if (c == '*' || c == '?') {
        regex.append(Pattern.quote(literal.toString())).append(c == '*' ? ".*" : ".");
        literal.setLength(0);
      } else {
        literal.append(c);
      }
    }
    this.pattern =
        Pattern.compile(regex.append(Pattern.quote(literal.toString())).toString(), Pattern.DOTALL);
  }

  /**
   * Whether it names something.
   *
   * @param name the name
   * @return whether
   */
  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  /** The pattern as it was given. */
  @Override
  public String toString() {
    return glob;
  }
}
