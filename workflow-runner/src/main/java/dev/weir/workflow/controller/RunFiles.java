package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.api.Effect.UnneededFile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Checks and deletes a run's files in HDFS. Calls block unless stated otherwise. */
public interface RunFiles {

  /**
   * Checks whether results still exist.
   *
   * @param results ids of files that were committed
   * @return ids of those that are lost
   */
  List<String> lost(List<String> results);

  /**
   * Removes the outputs of an interrupted attempt, also those that it had already renamed. Missing
   * files and failed removals are ignored.
   *
   * @param paths the temporary names of its outputs, as absolute paths, in their order
   */
  void remove(List<String> paths);

  /**
   * Deletes files that no task needs any more. Never blocks. By default nothing is deleted, and all
   * files are reported as handled at once.
   *
   * @param journalled returns a future that completes when the journal holds the decision to
   *     delete; called again when that fails
   * @param over receives the ids of handled files, deleted or not, until it has received all; on
   *     any thread
   */
  default void deleteUnneeded(
      List<UnneededFile> files,
      Supplier<CompletableFuture<Void>> journalled,
      Consumer<List<String>> over) {
    over.accept(files.stream().map(UnneededFile::file).toList());
  }
}
