package dev.weir.workflow.protocol;

/**
 * The name of an output until it is committed. It lies beside the target, so the commit is a rename
 * within a directory, and begins with the target's name, so the index of hints knows that the
 * target's hint counts for it.
 */
public final class TemporaryName {

  /** What comes between the target's name and the attempt's label. */
  public static final String INFIX = ".weir-";

  private TemporaryName() {}

  /**
   * The temporary name of an output.
   *
   * @param output the output
   * @param label the attempt's label
   * @return absolute path in HDFS
   */
  public static String of(FileSlot output, String label) {
    return output.path() + INFIX + label;
  }

  /**
   * What the labels of all attempts of a run begin with.
   *
   * @param label that of one of them
   * @return its beginning, up to what tells ApplicationMasters and attempts apart
   */
  public static String runOf(String label) {
    return label.substring(0, label.indexOf('-') + 1);
  }
}
