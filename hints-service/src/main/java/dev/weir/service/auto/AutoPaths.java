package dev.weir.service.auto;

import java.io.IOException;
import java.util.Set;

/**
 * Stores the directories in which files may have replicas that their use has earned, also after
 * their hints are gone.
 */
public interface AutoPaths extends AutoCloseable {
  /** Returns the saved paths; empty if none were saved. */
  Set<String> loadPaths() throws IOException;

  /**
   * Saves the paths.
   *
   * @throws IOException also if another instance has saved paths meanwhile
   */
  void savePaths(Set<String> paths) throws IOException;

  @Override
  void close();
}
