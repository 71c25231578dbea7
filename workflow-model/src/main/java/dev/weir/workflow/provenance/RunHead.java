package dev.weir.workflow.provenance;

import dev.weir.workflow.model.FileIds;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run as a whole, as it is told to the hints service.
 *
 * @param workflow name of the workflow
 * @param mode how it runs: {@code stock}, {@code locality}, {@code weir} or another engine's word
 * @param state how far it is
 * @param dataDir absolute path of the directory in HDFS that its files are below
 * @param standIn whether stand-ins took the commands' place
 * @param started when it began
 * @param ended when it ended; null while it goes on
 * @param failure why it failed; null when it did not, or nobody knows
 * @param owner whose run it is; null for the caller's, who need not say it
 */
public record RunHead(
    String workflow,
    String mode,
    RunPhase state,
    String dataDir,
    boolean standIn,
    Instant started,
    @Nullable Instant ended,
    @Nullable String failure,
    @Nullable String owner) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when something is missing or cannot be; the message says what
   *     to write
   */
  public RunHead {
    ValueChecks.require("workflow", workflow, ValueChecks.NAME);
    ValueChecks.require("mode", mode, ValueChecks.WORD);
    ValueChecks.requireThere("state", state);
    ValueChecks.require("data-dir", dataDir, ValueChecks.PATH);
    if (!dataDir.startsWith("/") || (dataDir.length() > 1 && dataDir.endsWith("/"))) {
      throw new IllegalArgumentException(
          "data-dir is '" + dataDir + "'; write an absolute path without a slash at its end");
    }
    ValueChecks.requireThere("started", started);
    if (ended != null && ended.isBefore(started)) {
      throw new IllegalArgumentException(
          "the run ends (" + ended + ") before it starts (" + started + ")");
    }
    failure = failure == null ? null : ValueChecks.cut(failure, ValueChecks.TEXT);
  }

  /**
   * The path of one of its files.
   *
   * @param file its id
   * @return absolute path in HDFS
   */
  public String path(String file) {
    return FileIds.pathIn(dataDir, file);
  }
}
