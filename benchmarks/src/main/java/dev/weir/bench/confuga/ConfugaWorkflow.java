package dev.weir.bench.confuga;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A workflow of Confuga's evaluation, as the Makeflow file that both systems run. The commands of
 * {@link #BWA} are the real ones; those of the others only write and read files.
 */
enum ConfugaWorkflow {
  /** A file, which {@value #CONSUMERS} tasks read. */
  A {
    @Override
    void build(Makeflow makeflow, long bytes) {
      makeflow.produce("data", bytes);
      makeflow.consume(List.of("data"));
    }
  },
  /** As many files of the same total size, each made by a task. All tasks read all of them. */
  B {
    @Override
    void build(Makeflow makeflow, long bytes) {
      List<String> files = names("data.", CONSUMERS);
      files.forEach(file -> makeflow.produce(file, bytes / CONSUMERS));
      makeflow.consume(files);
    }
  },
  /** 64 files of one unit, 32 of two, and so on up to one of 64, each group made by a task. */
  C {
    @Override
    void build(Makeflow makeflow, long bytes) {
      List<String> all = new ArrayList<>();
      for (int units = 1; units <= LARGEST; units *= 2) {
        List<String> group = names("data-" + units + ".", LARGEST / units);
        makeflow.produce(group, units * unit(bytes));
        all.addAll(group);
      }
      makeflow.consume(all);
    }
  },
  /** 26 tasks, of which 24 read one large input and their part of a small one. */
  IALR {
    @Override
    void makeInputs(Path directory, long bytes) throws IOException {
      fill(directory.resolve(LARGE), bytes);
      fill(directory.resolve(READS), bytes / LARGE_PER_READS);
    }

    @Override
    void build(Makeflow makeflow, long bytes) {
      List<String> parts = names("part.", ALIGNMENTS);
      makeflow.rule(
          "split",
          parts,
          List.of(READS),
          "split -n l/" + ALIGNMENTS + " -d -a 3 " + READS + " part.");
      List<String> results = names("aligned.", ALIGNMENTS);
      for (int i = 0; i < ALIGNMENTS; i++) {
        makeflow.rule(
            "align",
            List.of(results.get(i)),
            List.of(LARGE, parts.get(i)),
            "sleep 2; cksum " + LARGE + " " + parts.get(i) + " > " + results.get(i));
      }
      makeflow.join(results, SUMMARY);
    }
  },
  /** 826 tasks of BWA's programs: the index of a reference, and reads in {@value #PARTS} parts. */
  BWA {
    @Override
    void makeInputs(Path directory, long bytes) throws IOException {
      SequenceFiles.write(directory, (int) (bytes / BYTES_PER_BASE));
    }

    @Override
    void build(Makeflow makeflow, long bytes) {
      List<String> index = INDEX_ENDINGS.stream().map(ending -> REFERENCE + "." + ending).toList();
      List<String> parts = names("part.", PARTS);
      makeflow.rule("index", index, List.of(REFERENCE), "bwa index " + REFERENCE);
      makeflow.rule(
          "split",
          parts,
          List.of(READS),
          "split -l " + LINES_PER_PART + " -d -a 3 " + READS + " part.");
      for (int i = 0; i < PARTS; i++) {
        align(makeflow, index, String.format(Locale.ROOT, "%03d", i));
      }
      makeflow.join(names("hits.", PARTS), "all");
      makeflow.rule(
          "summary", List.of(SUMMARY), List.of("all"), "cut -f 3 all | sort | uniq -c > summary");
    }
  };

  /** The ending of the Makeflow file after the label, in the directory of the inputs. */
  static final String ENDING = ".makeflow";

  static final int CONSUMERS = 25;

  /** The number of parts of BWA's reads. */
  static final int PARTS = 274;

  static final int LINES_PER_PART = 160;

  /** The large input of {@link #IALR}. */
  static final String LARGE = "genome";

  /** The inputs of {@link #BWA}; {@link #IALR} has reads, too. */
  static final String REFERENCE = "ref.fa";

  static final String READS = "reads";

  /** The size of the large input of {@link #IALR} divided by that of its reads. */
  private static final int LARGE_PER_READS = 50;

  /** The index has 1.7 bytes per base of the reference, and a quarter of the bytes. */
  private static final int BYTES_PER_BASE = 7;

  private static final int LINE_BYTES = 80;
  private static final String SUMMARY = "summary";
  private static final List<String> INDEX_ENDINGS = List.of("amb", "ann", "bwt", "pac", "sa");
  private static final int ALIGNMENTS = 24;

  /** Units of the largest file of {@link #C}. */
  private static final int LARGEST = 64;

  /** Groups of {@link #C}, which have the same total size. */
  private static final int GROUPS = 7;

  /** In {@code confuga-threshold} jobs pull files of fewer units of {@link #C}. */
  private static final int PULLED_UNITS = 8;

  abstract void build(Makeflow makeflow, long bytes);

  /**
   * Writes its input files, if it has any.
   *
   * @param bytes as in {@link #makeflow}
   */
  void makeInputs(Path directory, long bytes) throws IOException {}

  /**
   * Returns the workflow with a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ConfugaWorkflow of(String label) {
    return Arrays.stream(values())
        .filter(one -> one.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no workflow '" + label + "': write some of a,b,c,ialr,bwa"));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the Makeflow file.
   *
   * @param bytes total size of the shared files, of which {@link #BWA} has a quarter
   */
  String makeflow(long bytes) {
    Makeflow makeflow = new Makeflow();
    build(makeflow, bytes);
    return makeflow.text.toString();
  }

  /** Returns the least size of a file that {@code confuga-threshold} pushes. */
  static long threshold(long bytes) {
    return PULLED_UNITS * unit(bytes);
  }

  private static long unit(long bytes) {
    return bytes / (GROUPS * LARGEST);
  }

  /** Returns names with three digits, as {@code split} writes them. */
  private static List<String> names(String prefix, int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> String.format(Locale.ROOT, "%s%03d", prefix, i))
        .toList();
  }

  /** Writes a file of numbered lines. */
  private static void fill(Path file, long bytes) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (long line = 0; line < bytes / LINE_BYTES; line++) {
        out.write(String.format(Locale.ROOT, "%0" + (LINE_BYTES - 1) + "d\n", line));
      }
    }
  }

  private static void align(Makeflow makeflow, List<String> index, String part) {
    List<String> inputs = new ArrayList<>(index);
    inputs.add("part." + part);
    makeflow.rule(
        "aln",
        List.of("sai." + part),
        inputs,
        "bwa aln " + REFERENCE + " part." + part + " > sai." + part);
    inputs.add("sai." + part);
    makeflow.rule(
        "samse",
        List.of("sam." + part),
        inputs,
        "bwa samse " + REFERENCE + " sai." + part + " part." + part + " > sam." + part);
    makeflow.rule(
        "filter",
        List.of("hits." + part),
        List.of("sam." + part),
        "tail -n +3 sam." + part + " | cut -f 1-6 > hits." + part);
  }

  /** Builds the text of a Makeflow file. */
  static final class Makeflow {
    private final StringBuilder text = new StringBuilder();

    private Makeflow() {}

    void rule(String category, List<String> outputs, List<String> inputs, String command) {
      text.append("CATEGORY=\"")
          .append(category)
          .append("\"\n")
          .append(String.join(" ", outputs))
          .append(": ")
          .append(String.join(" ", inputs))
          .append("\n\t")
          .append(command)
          .append("\n\n");
    }

    void produce(String file, long bytes) {
      produce(List.of(file), bytes);
    }

    /** Adds a task that makes files with different contents. */
    void produce(List<String> files, long bytes) {
      List<String> commands =
          files.stream().map(file -> "yes " + file + " | head -c " + bytes + " > " + file).toList();
      rule("produce", files, List.of(), String.join("; ", commands));
    }

    /** Adds the tasks that each read all of the files. */
    void consume(List<String> files) {
      List<String> sums = names("sum.", CONSUMERS);
      for (String sum : sums) {
        rule("consume", List.of(sum), files, "cksum " + String.join(" ", files) + " > " + sum);
      }
    }

    void join(List<String> files, String joined) {
      rule("join", List.of(joined), files, "cat " + String.join(" ", files) + " > " + joined);
    }
  }
}
