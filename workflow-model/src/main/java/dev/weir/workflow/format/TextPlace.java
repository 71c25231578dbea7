package dev.weir.workflow.format;

/**
 * A position in a text file.
 *
 * @param line from 1
 * @param column from 1, in characters
 */
public record TextPlace(int line, int column) {

  /** The start of a file. */
  public static final TextPlace START = new TextPlace(1, 1);

  /** Returns the position after a prefix of a file. */
  static TextPlace endOf(String text) {
    int line = 1 + (int) text.chars().filter(character -> character == '\n').count();
    return new TextPlace(line, text.length() - text.lastIndexOf('\n'));
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
