package dev.weir.service.reconcile;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of the namespace, in the order in which the NameNode made it. */
sealed interface Edit {

  /**
   * A file came to be, or took the place of an older one of its name.
   *
   * @param time by the NameNode's clock
   */
  record Created(String path, Instant time, int replication) implements Edit {}

  /** A file is complete. */
  record Closed(String path) implements Edit {}

  /** A file, or a directory with all that is below it, has another name. */
  record Renamed(String from, String to) implements Edit {}

  /**
   * A file, or a directory with all that was below it, is gone.
   *
   * @param time by the NameNode's clock
   */
  record Removed(String path, Instant time) implements Edit {}

  /**
   * The hint that a file or directory carries was set or taken away.
   *
   * @param text the hint; null when it was taken away
   */
  record Hinted(String path, @Nullable String text) implements Edit {}
}
