package dev.weir.bench.comparison;

import dev.weir.bench.workload.WithheldSizes;
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
 * A workflow that is run in several setups.
 *
 * @param name short, for tables and file names
 * @param about its description with the scale, as a clause
 * @param programs the requirements of its commands
 * @param inputs its input files
 * @param results the files that are checked after each run
 * @param withoutData seconds that its tasks take without data; null if unknown
 */
public record Subject(
    String name,
    String about,
    Workflow workflow,
    Programs programs,
    Inputs inputs,
    Results results,
    @Nullable Double withoutData) {

  /** Creates a subject of which the time without data is unknown. */
  public Subject(
      String name,
      String about,
      Workflow workflow,
      Programs programs,
      Inputs inputs,
      Results results) {
    this(name, about, workflow, programs, inputs, results, null);
  }

  /** Returns the same with withheld sizes of files. */
  Subject withheld() {
    Workflow unsized =
        programs.standIn() ? WithheldSizes.ofStandIns(workflow) : WithheldSizes.of(workflow);
    return new Subject(
        name,
        about,
        unsized,
        new Programs(false, programs.environment()),
        inputs,
        results,
        withoutData);
  }

  /**
   * The input files of a workflow.
   *
   * @param directory the local directory with the files
   * @param blockBytes their block size in HDFS
   */
  public record Inputs(Path directory, long blockBytes) {}

  /**
   * The requirements of a workflow's commands.
   *
   * @param standIn whether stand-ins replace the commands
   * @param environment variables for each command
   */
  public record Programs(boolean standIn, Map<String, String> environment) {
    /** Stand-ins have no requirements. */
    public static final Programs STAND_INS = new Programs(true, Map.of());

    public Programs {
      environment = Map.copyOf(environment);
    }

    /** Creates the requirements of real programs with a {@code PATH}. */
    public static Programs on(String path) {
      return new Programs(false, Map.of("PATH", path));
    }
  }

  /**
   * The files that are downloaded after each run and compared with those of the first run.
   *
   * @param ids of files
   * @param check compares two files
   */
  public record Results(List<String> ids, Check check) {
    /** Nothing is compared. */
    public static final Results NONE = new Results(List.of(), Check.BYTES);

    public Results {
      ids = List.copyOf(ids);
    }
  }

  /** Compares two files. */
  @FunctionalInterface
  public interface Check {
    /** Compares byte by byte. */
    Check BYTES =
        (expected, actual) -> {
          long position = Files.mismatch(expected, actual);
          return position < 0 ? Optional.empty() : Optional.of("from byte " + position + " on");
        };

    /**
     * Compares two files.
     *
     * @return how they differ, as a clause; empty if they do not
     * @throws IOException if one of them cannot be read
     */
    Optional<String> difference(Path expected, Path actual) throws IOException;
  }

  /**
   * Creates the inputs of a workflow with the declared sizes, as sparse files of zeros.
   *
   * @throws IOException if one cannot be created
   */
  public static void makeInputs(Workflow workflow, Path directory) throws IOException {
    for (DataFile input : workflow.graph().workflowInputs()) {
      Path file = directory.resolve(input.id());
      Files.createDirectories(file.getParent());
      try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
        out.setLength(input.sizeBytes());
      }
    }
  }
}
