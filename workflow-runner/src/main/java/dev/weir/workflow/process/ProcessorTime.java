package dev.weir.workflow.process;

/** Parses the output of bash's {@code times}, such as {@code 0m0.012s 1m2.003s}. */
final class ProcessorTime {

  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long SECONDS_PER_MINUTE = 60;
  private static final int MILLIS = 3;

  private ProcessorTime() {}

  /**
   * Adds up the times in a line.
   *
   * @param line any text
   * @return the sum in milliseconds; 0 when there are none
   */
  static long parse(String line) {
    long millis = 0;
    for (String word : line.split(" ", -1)) {
      millis += ofWord(word);
    }
    return millis;
  }

  /** Parsed without regular expressions, because it runs twice for each command. */
  private static long ofWord(String word) {
    int minutes = word.indexOf('m');
    int point = word.length() - 1 - MILLIS - 1;
    if (minutes <= 0 || point <= minutes + 1 || word.charAt(word.length() - 1) != 's') {
      return 0;
    }
    try {
      long seconds =
          number(word, 0, minutes) * SECONDS_PER_MINUTE + number(word, minutes + 1, point);
      return seconds * MILLIS_PER_SECOND + number(word, point + 1, word.length() - 1);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long number(String word, int from, int to) {
    return Long.parseLong(word, from, to, 10);
  }
}
