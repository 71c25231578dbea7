package dev.weir.bench.blast;

/**
 * The size of the generated database and queries. Equal specifications give the same bytes.
 *
 * @param bases the total bases of the database, at least 100,000; formatted it has a quarter of
 *     that in bytes
 * @param queries the number of queries
 * @param seed the seed of all random numbers
 */
record NucleotideSpec(long bases, int queries, long seed) {
  /** The size of the formatted database in the study, in bytes. */
  static final long PUBLISHED_BYTES = 1_700_000_000L;

  private static final int BASES_PER_BYTE = 4;
  private static final long MIN_BASES = 100_000;

  NucleotideSpec {
    if (bases < MIN_BASES) {
      throw new IllegalArgumentException(
          "A database of "
              + bases
              + " bases: make it at least "
              + MIN_BASES
              + ", with a larger scale");
    }
    if (queries < 1) {
      throw new IllegalArgumentException(queries + " queries: ask for at least 1");
    }
  }

  /** Returns a database with the size of the published one times a factor. */
  static NucleotideSpec scaled(double scale, int queries, long seed) {
    return new NucleotideSpec(
        Math.round(PUBLISHED_BYTES * (double) BASES_PER_BYTE * scale), queries, seed);
  }
}
