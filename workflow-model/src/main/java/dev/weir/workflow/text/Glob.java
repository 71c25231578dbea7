package dev.weir.workflow.text;

import java.util.regex.Pattern;

/**
 * A pattern for whole names. {@code *} matches any number of characters, including slashes, and
 * {@code ?} matches one. Other characters match themselves. Immutable.
 */
public final class Glob {

  private final String glob;
  private final Pattern pattern;

  /**
   * Creates a glob.
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

  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  /** Returns the pattern. */
  @Override
  public String toString() {
    return glob;
  }
}
