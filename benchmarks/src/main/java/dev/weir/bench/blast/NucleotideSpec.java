package dev.weir.bench.blast;

/**
 * What database and queries to make up. The same numbers give the same bytes.
 *
 * @param bases how many bases the database has in all, at least 100,000; formatted it takes a
 *     quarter of that in bytes
 * @param queries how many queries
 * @param seed of everything
 */
record NucleotideSpec(long bases, int queries, long seed) {
  /** The size of the formatted database in the study, in bytes. */
  static final long PUBLISHED_BYTES = 1_700_000_000L;

  private static final int BASES_PER_BYTE = 4;
  private static final long LEAST = 100_000;

  NucleotideSpec {
    if (bases < LEAST) {
      throw new IllegalArgumentException(
          "A database of " + bases + " bases: make it " + LEAST + " at least, with a larger scale");
    }
    if (queries < 1) {
      throw new IllegalArgumentException(queries + " queries: ask for 1 at least");
    }
  }

  /**
   * A database as large as the published one times a factor.
   *
   * @param scale the factor
   */
  static NucleotideSpec scaled(double scale, int queries, long seed) {
    return new NucleotideSpec(
        Math.round(PUBLISHED_BYTES * (double) BASES_PER_BYTE * scale), queries, seed);
  }
}
