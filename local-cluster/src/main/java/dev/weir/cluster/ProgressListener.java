package dev.weir.cluster;

/** Receives the progress of a start, on the thread that starts the cluster. */
@FunctionalInterface
public interface ProgressListener {
  /** Ignores the progress. */
  ProgressListener NONE = progress -> {};

  /**
   * Called whenever the step or the count changes.
   *
   * @param progress the current progress
   */
  void onProgress(StartupProgress progress);
}
