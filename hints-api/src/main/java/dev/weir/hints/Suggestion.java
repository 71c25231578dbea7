package dev.weir.hints;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a user most likely meant by an unknown one. */
public final class Suggestion {

  /** One wrong letter is allowed for each three letters. */
  private static final int LETTERS_PER_ERROR = 3;

  private Suggestion() {}

  /**
   * Returns the word that resembles an unknown one most.
   *
   * @param unknown the unknown word
   * @return the word; empty if none is similar
   */
  public static Optional<String> closest(String unknown, Collection<String> known) {
    int allowed = Math.max(1, unknown.length() / LETTERS_PER_ERROR);
    return known.stream()
        .filter(word -> Math.abs(word.length() - unknown.length()) <= allowed)
        .filter(word -> distance(unknown, word) <= allowed)
        .min(Comparator.comparingInt(word -> distance(unknown, word)));
  }

  /**
   * Returns a question that names the word, for the end of an error message.
   *
   * @param unknown the unknown word
   * @return a question with a blank before it; empty if no word is similar
   */
  public static String question(String unknown, Collection<String> known) {
    return closest(unknown, known).map(word -> " (did you mean '" + word + "'?)").orElse("");
  }

  /**
   * Returns the least number of letters to insert, remove, replace or swap with a neighbour. Case
   * is ignored.
   */
  private static int distance(String left, String right) {
    String one = left.toLowerCase(Locale.ROOT);
    String other = right.toLowerCase(Locale.ROOT);
    int[][] costs = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        costs[i][j] = i == 0 || j == 0 ? i + j : cost(costs, one, other, i, j);
      }
    }
    return costs[one.length()][other.length()];
  }

  private static int cost(int[][] costs, String one, String other, int i, int j) {
    boolean same = one.charAt(i - 1) == other.charAt(j - 1);
    int least = costs[i - 1][j - 1] + (same ? 0 : 1);
    least = Math.min(least, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return swapped ? Math.min(least, costs[i - 2][j - 2] + 1) : least;
  }
}
