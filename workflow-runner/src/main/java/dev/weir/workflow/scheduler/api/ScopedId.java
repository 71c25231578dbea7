package dev.weir.workflow.scheduler.api;

/**
 * Ids of tasks and files that are unique in a session: the id of the graph, a colon, and the id in
 * the graph. Ids in the graph with the empty id have no prefix. Ids of graphs have no colon.
 */
public final class ScopedId {

  private static final char SEPARATOR = ':';

  private ScopedId() {}

  /**
   * The id in the session.
   *
   * @param id id of a task or file in the graph
   * @return the same id for the empty graph
   */
  public static String of(String graph, String id) {
    return graph.isEmpty() ? id : graph + SEPARATOR + id;
  }

  /**
   * The graph of a task or file.
   *
   * @param scoped id in the session
   * @return id of the graph; empty when the id has no prefix
   */
  public static String graph(String scoped) {
    int end = scoped.indexOf(SEPARATOR);
    return end < 0 ? "" : scoped.substring(0, end);
  }

  /**
   * The id of a task or file in its graph.
   *
   * @param scoped id in the session
   * @return the id without the prefix
   */
  public static String id(String scoped) {
    return scoped.substring(scoped.indexOf(SEPARATOR) + 1);
  }
}
