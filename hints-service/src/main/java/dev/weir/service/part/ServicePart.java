package dev.weir.service.part;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of the service: REST resources, leader tasks, background work, or all of these. The server
 * starts its parts in order and closes them in the reverse order, also if one fails to start.
 */
public interface ServicePart extends AutoCloseable {
  /** Returns a word for logs. In {@code GET /v1/status} it names the result of {@link #status}. */
  String name();

  /**
   * Returns the Jersey resources below {@code /v1/}. They are created once and used by many
   * threads.
   */
  default Set<Object> resources() {
    return Set.of();
  }

  /** Returns the tasks that only one instance of the service does at a time. */
  default List<LeaderTask> leaderTasks() {
    return List.of();
  }

  /**
   * Returns the part's fields in {@code GET /v1/status}; empty for none. Never blocks.
   *
   * @param user the caller
   */
  default Map<String, Object> status(String user) {
    return Map.of();
  }

  /**
   * Starts the background work. Called once, before the first request is served.
   *
   * @throws IOException if the service cannot run without it
   */
  default void start() throws IOException {}

  /** Stops the background work within a bounded time. Idempotent. */
  @Override
  default void close() {}
}
