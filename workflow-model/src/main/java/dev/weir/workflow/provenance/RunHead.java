package dev.weir.workflow.provenance;

import dev.weir.workflow.model.FileIds;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a run, as reported to the hints service.
 *
 * @param mode {@code stock}, {@code locality}, {@code weir} or a word of another engine
 * @param dataDir absolute path of the HDFS directory of its files
 * @param standIn whether stand-ins replaced the commands
 * @param ended its end; null while it runs
 * @param failure why it failed; null if it did not, or if the reason is unknown
 * @param owner its owner; null for the caller
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
   * Validates the components.
   *
   * @throws IllegalArgumentException if a component is missing or invalid; the message says what to
   *     write
   */
  public RunHead {
    ValueChecks.require("workflow", workflow, ValueChecks.NAME);
    ValueChecks.require("mode", mode, ValueChecks.WORD);
    ValueChecks.requirePresent("state", state);
    ValueChecks.require("data-dir", dataDir, ValueChecks.PATH);
    if (!dataDir.startsWith("/") || (dataDir.length() > 1 && dataDir.endsWith("/"))) {
      throw new IllegalArgumentException(
          "data-dir is '" + dataDir + "'; write an absolute path without a slash at its end");
    }
    ValueChecks.requirePresent("started", started);
    if (ended != null && ended.isBefore(started)) {
      throw new IllegalArgumentException(
          "the run ends (" + ended + ") before it starts (" + started + ")");
    }
    failure = failure == null ? null : ValueChecks.cut(failure, ValueChecks.TEXT);
  }

  /** Returns the absolute path of one of its files in HDFS. */
  public String path(String file) {
    return FileIds.pathIn(dataDir, file);
  }
}
