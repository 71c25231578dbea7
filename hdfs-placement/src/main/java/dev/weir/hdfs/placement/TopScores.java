package dev.weir.hdfs.placement;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Finds the sites with the highest scores. */
final class TopScores {
  private TopScores() {}

  /** The numbers of the best sites, by insertion into a short sorted list. */
  static int[] few(long[] scores, Sites<?> sites, int max) {
    int[] best = new int[Math.min(max, scores.length)];
    int count = 0;
    for (int i = 0; i < scores.length; i++) {
      if (count < best.length || isBefore(scores, sites, i, best[count - 1])) {
        int at = count < best.length ? count++ : count - 1;
        for (; at > 0 && isBefore(scores, sites, i, best[at - 1]); at--) {
          best[at] = best[at - 1];
        }
        best[at] = i;
      }
    }
    return best;
  }

  /** The numbers of all sites, best first. */
  static int[] all(long[] scores, Sites<?> sites) {
    return best(IntStream.range(0, scores.length), scores, sites);
  }

  /** See {@link Sites#firsts}. */
  static int[] firsts(long[] scores, Sites<?> sites, int sets) {
    int[] winners = new int[sets];
    Arrays.fill(winners, -1);
    int[] losers = new int[scores.length];
    int lost = 0;
    for (int i = 0; i < scores.length; i++) {
      int set = (int) Math.floorMod(StableHash.mix(scores[i] + 1), (long) sets);
      int winner = winners[set];
      if (winner < 0) {
        winners[set] = i;
      } else if (isBefore(scores, sites, i, winner)) {
        winners[set] = i;
        losers[lost++] = winner;
      } else {
        losers[lost++] = i;
      }
    }
    if (IntStream.of(winners).anyMatch(winner -> winner < 0)) {
      fill(winners, best(Arrays.stream(losers, 0, lost), scores, sites));
    }
    return winners;
  }

  private static int[] best(IntStream numbers, long[] scores, Sites<?> sites) {
    return numbers
        .boxed()
        .sorted((a, b) -> isBefore(scores, sites, a, b) ? -1 : a.equals(b) ? 0 : 1)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static void fill(int[] winners, int[] remaining) {
    int next = 0;
    for (int i = 0; i < winners.length; i++) {
      if (winners[i] < 0) {
        winners[i] = remaining[next++];
      }
    }
  }

  private static boolean isBefore(long[] scores, Sites<?> sites, int number, int other) {
    return scores[number] != scores[other]
        ? scores[number] > scores[other]
        : sites.isBefore(number, other);
  }
}
