package dev.weir.service.part;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of the service: REST resources, tasks of the leader, something in the background, or all
 * of these. The server starts its parts in order and closes them in the reverse order, also when
 * one did not start.
 */
public interface ServicePart extends AutoCloseable {
  /** A word for logs and for {@code GET /v1/status}, where it is the name of {@link #status}. */
  String name();

  /** Jersey resources below {@code /v1/}; made once, used by many threads. */
  default Set<Object> resources() {
    return Set.of();
  }

  /** What only one of several instances of the service does at a time. */
  default List<LeaderTask> leaderTasks() {
    return List.of();
  }

  /** What {@code GET /v1/status} says of this part; empty to say nothing. Never waits. */
  default Map<String, Object> status() {
    return Map.of();
  }

  /**
   * Begins what it does in the background; called once, before the first request is answered.
   *
   * @throws IOException when the service cannot run so
   */
  default void start() throws IOException {}

  /** Ends what it does in the background, within a bound; a second call does nothing. */
  @Override
  default void close() {}
}
