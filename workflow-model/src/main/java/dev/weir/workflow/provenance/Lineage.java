package dev.weir.workflow.provenance;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lineage of a file: a graph of file versions and of the attempts that wrote them. It ends at
 * files that no known run wrote.
 *
 * @param path the requested file
 * @param now the current state of that path in HDFS
 * @param verdict whether the file in HDFS is the first of the described files
 * @param note the verdict in words
 * @param files versions of files; the first is the requested one
 * @param truncated whether the lineage continues beyond this answer
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

  /** Copies the lists. */
  public Lineage {
    files = ValueChecks.listOf(files);
    attempts = ValueChecks.listOf(attempts);
    runs = ValueChecks.listOf(runs);
  }

  /** Whether the file in HDFS is the described version. */
  public enum Verdict {
    /** The checksum matches the recorded one. */
    SAME,
    /** Length and time match the record; no checksum was recorded. */
    LIKELY,
    /** The file was overwritten or changed since. */
    CHANGED,
    /** The file no longer exists. */
    GONE,
    /** HDFS does not have the file: its run kept it on the node that made it. */
    ON_NODE,
    /** No known run wrote the file. */
    UNKNOWN
  }

  /**
   * The state of a path in HDFS.
   *
   * @param bytes its length; 0 if there is no file
   * @param modified its modification time; null if there is no file
   * @param crc32c its checksum; null if not requested or if there is no file
   */
  public record FileNow(
      boolean exists, long bytes, @Nullable Instant modified, @Nullable String crc32c) {

    /** No file. */
    public static final FileNow NONE = new FileNow(false, 0, null, null);
  }

  /**
   * A file with one content.
   *
   * @param key names it in this answer
   * @param bytes its length; null if unknown
   * @param crc32c its checksum; null if unknown
   * @param madeBy key of the attempt that wrote it; null if no known run wrote it
   * @param note a remark for the user; null for none
   */
  public record FileVersion(
      String key,
      String path,
      @Nullable Long bytes,
      @Nullable String crc32c,
      @Nullable String madeBy,
      @Nullable String note) {}

  /**
   * An attempt that wrote files.
   *
   * @param key names it in this answer
   * @param owner owner of the run; run ids are unique per owner
   * @param type type of its task
   * @param outcome how it ended
   * @param node host of the worker
   * @param dispatched its start
   * @param runMillis duration of its process in milliseconds
   * @param effort processor time and memory that it used; null if unknown
   * @param used keys of the files that it read
   * @param untold number of further files that it read but that this answer omits, because they no
   *     longer exist or the caller may not read them
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

    /** Copies the lists. */
    public Making {
      command = ValueChecks.listOf(command);
      used = ValueChecks.listOf(used);
      made = ValueChecks.listOf(made);
    }
  }

  /**
   * A run that wrote files.
   *
   * @param standIn whether stand-ins replaced the commands
   * @param ended its end; null if unknown
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
