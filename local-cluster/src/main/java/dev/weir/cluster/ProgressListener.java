package dev.weir.cluster;

/** Is told how far a start is; called from the thread that starts. */
@FunctionalInterface
public interface ProgressListener {
  /** Tells nobody. */
  ProgressListener NONE = progress -> {};

  /**
   * Called whenever a step or a count changes.
   *
   * @param progress where the start is now
   */
  void onProgress(StartupProgress progress);
}
