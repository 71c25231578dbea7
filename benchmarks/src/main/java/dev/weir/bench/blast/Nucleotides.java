package dev.weir.bench.blast;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Generates a nucleotide database and queries that match parts of it. Sequences are random bases,
 * of 500 to 20,000 each; one in {@value #RELATED} contains a relative of one of {@value #FAMILIES}
 * ancestors, with a few changed bases. A query is a piece of an ancestor, changed in the same way,
 * so each finds the relatives of one family, and longer queries find more.
 */
final class Nucleotides {
  private static final byte[] BASES = {'A', 'C', 'G', 'T'};
  private static final int BITS_PER_BASE = 2;
  private static final int LINE = 80;

  static final int FAMILIES = 200;
  static final int RELATED = 10;
  private static final int ANCESTOR = 2_000;
  private static final int SHORTEST = 500;
  private static final int LONGEST = 20_000;
  private static final int SHORTEST_QUERY = 200;
  private static final double CHANGED_SHARE = 0.05;

  private final NucleotideSpec spec;
  private final List<byte[]> ancestors = new ArrayList<>();

  Nucleotides(NucleotideSpec spec) {
    this.spec = spec;
    RandomGenerator random = new SplittableRandom(spec.seed());
    for (int i = 0; i < FAMILIES; i++) {
      byte[] ancestor = new byte[ANCESTOR];
      fill(ancestor, ANCESTOR, random);
      ancestors.add(ancestor);
    }
  }

  /**
   * Writes the database as FASTA.
   *
   * @throws IOException if it cannot be written
   */
  void writeDatabase(Path fasta) throws IOException {
    RandomGenerator random = new SplittableRandom(spec.seed() + 1);
    byte[] sequence = new byte[LONGEST];
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(fasta), 1 << 20)) {
      long left = spec.bases();
      for (int number = 1; left > 0; number++) {
        int length = (int) Math.min(left, random.nextInt(SHORTEST, LONGEST + 1));
        fill(sequence, length, random);
        if (number % RELATED == 0 && length >= ANCESTOR) {
          byte[] relative = changed(ancestors.get(random.nextInt(FAMILIES)), random);
          System.arraycopy(relative, 0, sequence, random.nextInt(length - ANCESTOR + 1), ANCESTOR);
        }
        write(out, "s" + number, sequence, length);
        left -= length;
      }
    }
  }

  /**
   * Writes the queries as FASTA, distributed evenly over the files.
   *
   * @throws IOException if one cannot be written
   */
  void writeQueries(List<Path> files) throws IOException {
    RandomGenerator random = new SplittableRandom(spec.seed() + 2);
    List<List<byte[]>> queries = new ArrayList<>();
    files.forEach(file -> queries.add(new ArrayList<>()));
    for (int i = 0; i < spec.queries(); i++) {
      byte[] ancestor = ancestors.get(random.nextInt(FAMILIES));
      int length = random.nextInt(SHORTEST_QUERY, ANCESTOR + 1);
      int begin = random.nextInt(ANCESTOR - length + 1);
      byte[] piece = new byte[length];
      System.arraycopy(ancestor, begin, piece, 0, length);
      queries.get(i % files.size()).add(changed(piece, random));
    }
    for (int i = 0; i < files.size(); i++) {
      try (OutputStream out = Files.newOutputStream(files.get(i))) {
        for (int k = 0; k < queries.get(i).size(); k++) {
          byte[] query = queries.get(i).get(k);
          write(out, "q" + (k * files.size() + i + 1), query, query.length);
        }
      }
    }
  }

  private static void fill(byte[] sequence, int length, RandomGenerator random) {
    long bits = 0;
    int left = 0;
    for (int i = 0; i < length; i++) {
      if (left == 0) {
        bits = random.nextLong();
        left = Long.SIZE;
      }
      sequence[i] = BASES[(int) (bits & (BASES.length - 1))];
      bits >>>= BITS_PER_BASE;
      left -= BITS_PER_BASE;
    }
  }

  private static byte[] changed(byte[] sequence, RandomGenerator random) {
    byte[] copy = sequence.clone();
    for (int i = 0; i < copy.length; i++) {
      if (random.nextDouble() < CHANGED_SHARE) {
        copy[i] = BASES[random.nextInt(BASES.length)];
      }
    }
    return copy;
  }

  private static void write(OutputStream out, String name, byte[] sequence, int length)
      throws IOException {
    out.write((">" + name + "\n").getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < length; i += LINE) {
      out.write(sequence, i, Math.min(LINE, length - i));
      out.write('\n');
    }
  }
}
