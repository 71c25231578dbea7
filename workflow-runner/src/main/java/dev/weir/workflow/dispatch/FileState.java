package dev.weir.workflow.dispatch;

import java.util.Map;
import java.util.Set;

/** A file: whether HDFS holds it, and where. */
final class FileState {

  final String id;
  private boolean available;
  private Map<String, Long> bytesByHost = Map.of();
  private int generation;
  private int losses;

  FileState(String id) {
    this.id = id;
  }

  boolean available() {
    return available;
  }

  /**
   * Counts how often the file was made, so that a late complaint about an old one is seen as such.
   */
  int generation() {
    return generation;
  }

  int losses() {
    return losses;
  }

  long bytesOn(String host) {
    return bytesByHost.getOrDefault(host, 0L);
  }

  Set<String> hosts() {
    return bytesByHost.keySet();
  }

  /** Whether it is held by some of these hosts and nobody else, as far as is known. */
  boolean onlyOn(Set<String> hosts) {
    return available && !bytesByHost.isEmpty() && hosts.containsAll(bytesByHost.keySet());
  }

  void stored(Map<String, Long> places) {
    available = true;
    generation++;
    bytesByHost = Map.copyOf(places);
  }

  void lost() {
    available = false;
    losses++;
    bytesByHost = Map.of();
  }
}
