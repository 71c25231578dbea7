package dev.weir.bench.confuga;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Generates a reference of random bases, and reads that are pieces of it with one changed base. */
final class SequenceFiles {
  private static final String BASES = "ACGT";
  private static final int SEED = 20_161_128;
  private static final int READ_LENGTH = 100;
  private static final int LINES_PER_READ = 4;

  private SequenceFiles() {}

  /**
   * Writes both files.
   *
   * @param bases the length of the reference
   */
  static void write(Path directory, int bases) throws IOException {
    RandomGenerator random = new SplittableRandom(SEED);
    StringBuilder reference = new StringBuilder(bases);
    for (int i = 0; i < bases; i++) {
      reference.append(BASES.charAt(random.nextInt(BASES.length())));
    }
    Files.writeString(
        directory.resolve(ConfugaWorkflow.REFERENCE), ">reference\n" + reference + "\n");
    int reads = ConfugaWorkflow.PARTS * ConfugaWorkflow.LINES_PER_PART / LINES_PER_READ;
    try (BufferedWriter out = Files.newBufferedWriter(directory.resolve(ConfugaWorkflow.READS))) {
      for (int i = 0; i < reads; i++) {
        int start = random.nextInt(bases - READ_LENGTH);
        StringBuilder read = new StringBuilder(reference.substring(start, start + READ_LENGTH));
        read.setCharAt(random.nextInt(READ_LENGTH), BASES.charAt(random.nextInt(BASES.length())));
        out.write("@read" + i + "\n" + read + "\n+\n" + "I".repeat(READ_LENGTH) + "\n");
      }
    }
  }
}
