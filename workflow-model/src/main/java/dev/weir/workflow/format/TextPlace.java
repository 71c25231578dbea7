package dev.weir.workflow.format;

/**
 * A place in a text file.
 *
 * @param line from 1
 * @param column from 1, in characters
 */
public record TextPlace(int line, int column) {

  /** The beginning of a file. */
  public static final TextPlace START = new TextPlace(1, 1);

  /** Where the next character would be behind a file's first ones. */
  static TextPlace endOf(String text) {
    int line = 1 + (int) text.chars().filter(character -> character == '\n').count();
    return new TextPlace(line, text.length() - text.lastIndexOf('\n'));
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
