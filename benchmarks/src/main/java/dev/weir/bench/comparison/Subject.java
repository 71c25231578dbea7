package dev.weir.bench.comparison;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is run in several setups.
 *
 * @param name short, for tables and file names
 * @param about what it is and what was scaled, a clause for people
 * @param workflow what is run
 * @param programs what its commands need
 * @param inputs the files that it starts from
 * @param results what is looked at after each run
 */
public record Subject(
    String name,
    String about,
    Workflow workflow,
    Programs programs,
    Inputs inputs,
    Results results) {

  /**
   * The files that a workflow starts from.
   *
   * @param directory local, holds them
   * @param blockBytes size of their blocks in HDFS
   */
  public record Inputs(Path directory, long blockBytes) {}

  /**
   * What the commands of a workflow need.
   *
   * @param standIn whether stand-ins take their place
   * @param environment variables that each command gets
   * @param alone runs all of them without Hadoop; null where that is not asked for
   */
  public record Programs(boolean standIn, Map<String, String> environment, @Nullable Alone alone) {
    /** Stand-ins need nothing. */
    public static final Programs STAND_INS = new Programs(true, Map.of(), null);

    /** Copies. */
    public Programs {
      environment = Map.copyOf(environment);
    }

    /**
     * Real ones, found by a path like this.
     *
     * @param alone runs all of them without Hadoop; null where that is not asked for
     */
    public static Programs on(String path, @Nullable Alone alone) {
      return new Programs(false, Map.of("PATH", path), alone);
    }
  }

  /** Runs a workflow's commands without Hadoop, one after another. */
  @FunctionalInterface
  public interface Alone {
    /**
     * Runs them.
     *
     * @throws IOException when one fails
     */
    void run() throws IOException, InterruptedException;
  }

  /**
   * What is fetched after each run and compared with what the first one left.
   *
   * @param ids of files
   * @param check how two of them are compared
   */
  public record Results(List<String> ids, Check check) {
    /** They say nothing. */
    public static final Results NONE = new Results(List.of(), Check.BYTES);

    /** Copies. */
    public Results {
      ids = List.copyOf(ids);
    }
  }

  /** How two files are compared. */
  @FunctionalInterface
  public interface Check {
    /** Byte by byte. */
    Check BYTES =
        (expected, actual) -> {
          long place = Files.mismatch(expected, actual);
          return place < 0 ? Optional.empty() : Optional.of("from byte " + place + " on");
        };

    /**
     * Compares.
     *
     * @return how they differ, a clause for people; empty when they do not
     * @throws IOException when one of them cannot be read
     */
    Optional<String> difference(Path expected, Path actual) throws IOException;
  }

  /**
   * Makes the files that a workflow starts from, of the declared sizes, with zeros that take no
   * space.
   *
   * @throws IOException when one cannot be made
   */
  public static void makeInputs(Workflow workflow, Path directory) throws IOException {
    for (DataFile input : workflow.graph().workflowInputs()) {
      Path file = directory.resolve(input.id());
      Files.createDirectories(file.getParent());
      try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
        made.setLength(input.sizeBytes());
      }
    }
  }
}
