package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.Effect.UnneededFile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks after the run's files in HDFS. Calls block unless they say otherwise. */
public interface RunFiles {

  /**
   * Looks whether results are there.
   *
   * @param results ids of files that were committed
   * @return ids of those that are lost
   */
  List<String> lost(List<String> results);

  /**
   * Removes what an attempt that was cut off may have left, also what it has given its name before
   * the others; what does not exist, or cannot be removed now, is no error.
   *
   * @param paths the temporary names of its outputs, as absolute paths, in their order
   */
  void remove(List<String> paths);

  /**
   * Deletes files that nobody needs any more. Never blocks; one that does not delete anything says
   * at once that it is over.
   *
   * @param files the files
   * @param journalled asked for what completes when the journal says that they are let go; asked
   *     again when it fails
   * @param over hears ids of files with which it is over, whatever came of it, until it has heard
   *     all; on any thread
   */
  default void letGo(
      List<UnneededFile> files,
      Supplier<CompletableFuture<Void>> journalled,
      Consumer<List<String>> over) {
    over.accept(files.stream().map(UnneededFile::file).toList());
  }
}
