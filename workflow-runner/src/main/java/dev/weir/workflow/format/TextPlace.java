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

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
