package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

/**
 * The temporary name of an output before its commit. It is in the target's directory, so that the
 * commit is a rename within a directory. It starts with the target's name, so that the index of
 * hints applies the target's hint.
 */
public final class TemporaryName {

  /** The text between the target's name and the attempt's label. */
  public static final String INFIX = ".weir-";

  private TemporaryName() {}

  /**
   * Returns the temporary name of an output. Outputs that a pattern finds have theirs in a hidden
   * directory, which is the temporary name of the pattern.
   *
   * @param label the attempt's label
   * @return absolute path in HDFS
   */
  public static String of(FileSlot output, String label) {
    return switch (output.kind()) {
      case GLOB -> output.path() + "/" + INFIX + label;
      case FOUND ->
          // Short and without slashes, whatever the name is.
          output.path().substring(0, output.path().length() - output.name().length())
              + INFIX
              + label
              + "/"
              + UUID.nameUUIDFromBytes(output.name().getBytes(UTF_8));
      default -> output.path() + INFIX + label;
    };
  }

  /**
   * Returns the common prefix of the labels of a run's attempts.
   *
   * @return its prefix, before the parts that identify ApplicationMaster and attempt
   */
  public static String runOf(String label) {
    return label.substring(0, label.indexOf('-') + 1);
  }
}
