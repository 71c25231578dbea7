package dev.weir.montage;

/**
 * Two tiles that overlap, by their numbers in the survey, the lower one first. The number of a tile
 * is also its row in mImgtbl's table, and so its number in mOverlaps' table.
 */
record TilePair(int first, int second) {

  TilePair {
    if (first < 0 || second <= first) {
      throw new IllegalArgumentException("Not a pair: " + first + ", " + second);
    }
  }

  /** The file with the plane that was fitted to the difference of the two. */
  String fit() {
    return "fit." + first + "." + second + ".txt";
  }

  /** The file with the difference itself; mOverlaps would call it the same. */
  String difference() {
    return String.format("diff.%06d.%06d.fits", first, second);
  }
}
