package dev.weir.service.reconcile;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of the namespace. */
sealed interface Edit {

  /**
   * A file was created, or replaced an older one of its name.
   *
   * @param time by the NameNode's clock
   */
  record Created(String path, Instant time, int replication) implements Edit {}

  /** A file was completed. */
  record Closed(String path) implements Edit {}

  /** A file, or a directory with all that is below it, was renamed. */
  record Renamed(String from, String to) implements Edit {}

  /**
   * A file, or a directory with all that was below it, was removed.
   *
   * @param time by the NameNode's clock
   */
  record Removed(String path, Instant time) implements Edit {}

  /**
   * The hint that a file or directory carries was set or removed.
   *
   * @param text the hint; null if it was removed
   */
  record Hinted(String path, @Nullable String text) implements Edit {}
}
