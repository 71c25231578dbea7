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

  /** The smallest size that was tested. */
  public static final int LEAST_MEGABYTES = 512;

  /** Sufficient for 100,000 tasks with 200,000 files. */
  public static final MasterMemory DEFAULT = new MasterMemory(LEAST_MEGABYTES);

  /** Key of a plan's settings with a size that differs from the default. */
  private static final String KEY = "weir.run.master.memory-mb";

  /** Exit code of an ApplicationMaster whose heap is exhausted, the same as Java's own. */
  private static final int OUT_OF_HEAP = 3;

  private static final int FAILED = 1;

  /** YARN's diagnostics of an ApplicationMaster whose container had too little memory. */
  private static final Pattern MEMORY_EXIT =
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
   * Validates.
   *
   * @throws IllegalArgumentException when it is less than the tested minimum
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
   * Returns the maximum heap size: five eighths, because Java itself, threads and buffers need the
   * rest.
   *
   * @return in MiB
   */
  public int heapMegabytes() {
    return (int) ((long) megabytes * HEAP_PARTS / PARTS);
  }

  /** Adds the size to the settings of a plan, for a retry of the same run. */
  public Map<String, String> addTo(Map<String, String> settings) {
    if (equals(DEFAULT)) {
      return settings;
    }
    Map<String, String> copy = new HashMap<>(settings);
    copy.put(KEY, Integer.toString(megabytes));
    return copy;
  }

  /** Returns the size in the settings of a plan. */
  public static MasterMemory of(Map<String, String> settings) {
    String noted = settings.get(KEY);
    return noted == null ? DEFAULT : new MasterMemory(Integer.parseInt(noted));
  }

  /**
   * Returns the exit code of a failed ApplicationMaster, by which clients learn the cause.
   *
   * @return 3 when the heap was exhausted, else 1
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
   * Returns advice for a run whose ApplicationMaster has died.
   *
   * @param diagnostics YARN's diagnostics of it
   * @return a sentence on a line of its own if it lacked memory, else nothing
   */
  public static String remedy(String diagnostics) {
    return MEMORY_EXIT.matcher(diagnostics).find()
        ? "\nIts ApplicationMaster needs more memory: give it some with --master-memory ("
            + LEAST_MEGABYTES
            + " MiB if not given)"
        : "";
  }
}
