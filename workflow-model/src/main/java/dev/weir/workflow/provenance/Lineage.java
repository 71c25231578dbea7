package dev.weir.workflow.provenance;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a file came to be, down to what no known run has made: a graph of file versions and the
 * attempts that made them.
 *
 * @param path the file that was asked about
 * @param now what is in HDFS under that path
 * @param verdict whether that is what the first of the files describes
 * @param note the verdict in words
 * @param files versions of files; the first is the one that was asked about
 * @param attempts the attempts that made them
 * @param runs the runs of those attempts
 * @param truncated whether the chain goes on beyond what is told here
 */
public record Lineage(
    String path,
    FileNow now,
    Verdict verdict,
    String note,
    List<FileVersion> files,
    List<Making> attempts,
    List<RunName> runs,
    boolean truncated) {

  /** Copies. */
  public Lineage {
    files = ValueChecks.listOf(files);
    attempts = ValueChecks.listOf(attempts);
    runs = ValueChecks.listOf(runs);
  }

  /** Whether the file in HDFS is the one that is described. */
  public enum Verdict {
    /** Its checksum is the one that was recorded. */
    SAME,
    /** Its length and its time are as recorded; nobody has recorded a checksum. */
    LIKELY,
    /** It was written over, or changed, since. */
    CHANGED,
    /** It is not there any more. */
    GONE,
    /** No known run has written it. */
    UNKNOWN
  }

  /**
   * What is in HDFS.
   *
   * @param exists whether there is a file
   * @param bytes its length; 0 when there is none
   * @param modified when it was last written; null when there is none
   * @param crc32c its checksum; null when it was not asked for, or there is none
   */
  public record FileNow(
      boolean exists, long bytes, @Nullable Instant modified, @Nullable String crc32c) {

    /** No file. */
    public static final FileNow NONE = new FileNow(false, 0, null, null);
  }

  /**
   * A file with the content that it had at a time.
   *
   * @param key names it in this answer
   * @param path where it was
   * @param bytes its length; null when it is not known
   * @param crc32c its checksum; null when it is not known
   * @param madeBy the key of the attempt that wrote it; null when no known run has
   * @param note what is to be said of it; null for nothing
   */
  public record FileVersion(
      String key,
      String path,
      @Nullable Long bytes,
      @Nullable String crc32c,
      @Nullable String madeBy,
      @Nullable String note) {}

  /**
   * An attempt that made files.
   *
   * @param key names it in this answer
   * @param run id of its run
   * @param owner whose run it is; two users may have runs of one id
   * @param task id of its task
   * @param type type of its task
   * @param attempt its number
   * @param outcome how it ended
   * @param command the program and its arguments
   * @param worker id of the worker
   * @param node host of the worker
   * @param dispatched when it began
   * @param ended when it ended
   * @param runMillis how long the process ran, in milliseconds
   * @param effort what it took of the node; null when that is not known
   * @param used keys of the files that it read
   * @param untold how many more it read of which nothing is told: who asks may not read them, or
   *     they are gone
   * @param made keys of the files of this answer that it wrote
   */
  public record Making(
      String key,
      String run,
      String owner,
      String task,
      String type,
      int attempt,
      Outcome outcome,
      List<String> command,
      String worker,
      String node,
      Instant dispatched,
      Instant ended,
      long runMillis,
      @Nullable ResourceUse effort,
      List<String> used,
      int untold,
      List<String> made) {

    /** Copies. */
    public Making {
      command = ValueChecks.listOf(command);
      used = ValueChecks.listOf(used);
      made = ValueChecks.listOf(made);
    }
  }

  /**
   * A run that made files.
   *
   * @param id its id
   * @param owner whose it was
   * @param workflow name of its workflow
   * @param mode how it ran
   * @param state how far it is
   * @param standIn whether stand-ins took the commands' place
   * @param started when it began
   * @param ended when it ended; null when that is not known
   */
  public record RunName(
      String id,
      String owner,
      String workflow,
      String mode,
      RunPhase state,
      boolean standIn,
      Instant started,
      @Nullable Instant ended) {}
}
