package dev.weir.workflow.yarn;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/**
 * The memory of an ApplicationMaster's container.
 *
 * @param megabytes in MiB, at least {@link #LEAST_MEGABYTES}
 */
public record MasterMemory(int megabytes) {

  /** With this all runs have been tried, and with less none. */
  public static final int LEAST_MEGABYTES = 512;

  /** Was enough for 100,000 tasks with 200,000 files. */
  public static final MasterMemory DEFAULT = new MasterMemory(LEAST_MEGABYTES);

  /** What says in a plan's settings how much it was, if that was not the default. */
  private static final String KEY = "weir.run.master.memory-mb";

  /** What an ApplicationMaster exits with that has no heap left, as Java itself would. */
  private static final int OUT_OF_HEAP = 3;

  private static final int FAILED = 1;

  /** As YARN tells how an ApplicationMaster's container ended that had too little memory. */
  private static final Pattern TOO_LITTLE =
      Pattern.compile(
          "exitCode: ("
              + OUT_OF_HEAP
              + "|"
              + ContainerExitStatus.KILLED_EXCEEDED_PMEM
              + "|"
              + ContainerExitStatus.KILLED_EXCEEDED_VMEM
              + ")\\b");

  private static final int HEAP_PARTS = 5;
  private static final int PARTS = 8;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when it is less than an ApplicationMaster has been tried with
   */
  public MasterMemory {
    if (megabytes < LEAST_MEGABYTES) {
      throw new IllegalArgumentException(
          "An ApplicationMaster of "
              + megabytes
              + " MiB is too small: give it "
              + LEAST_MEGABYTES
              + " or more with --master-memory");
    }
  }

  /**
   * The largest heap: five eighths, for the rest is Java's own and what its threads and buffers
   * take.
   *
   * @return in MiB
   */
  public int heapMegabytes() {
    return (int) ((long) megabytes * HEAP_PARTS / PARTS);
  }

  /** Settings of a plan with it, for whoever starts the same run again. */
  public Map<String, String> noted(Map<String, String> settings) {
    if (equals(DEFAULT)) {
      return settings;
    }
    Map<String, String> noted = new HashMap<>(settings);
    noted.put(KEY, Integer.toString(megabytes));
    return noted;
  }

  /** What the settings of a plan say. */
  public static MasterMemory of(Map<String, String> settings) {
    String noted = settings.get(KEY);
    return noted == null ? DEFAULT : new MasterMemory(Integer.parseInt(noted));
  }

  /**
   * What an ApplicationMaster exits with, so that whoever waits for its run hears why.
   *
   * @param failure what has ended it
   * @return 3 if that is for want of heap, else 1
   */
  public static int exitCode(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return OUT_OF_HEAP;
      }
    }
    return FAILED;
  }

  /**
   * What may help a run whose ApplicationMaster has died.
   *
   * @param diagnostics what YARN says of it
   * @return a sentence on a line of its own if it died for want of memory, else nothing
   */
  public static String remedy(String diagnostics) {
    return TOO_LITTLE.matcher(diagnostics).find()
        ? "\nIts ApplicationMaster needs more memory: give it some with --master-memory ("
            + LEAST_MEGABYTES
            + " MiB if not given)"
        : "";
  }
}
