package dev.weir.cluster.plan;

import java.nio.file.Path;
import java.util.List;

/**
 * The paths of a cluster's files in its directory.
 *
 * @param dir the cluster's directory, absolute
 */
public record ClusterFiles(Path dir) {
  /**
   * All entries that a cluster creates in its directory. The state file is last, because it marks
   * the directory as a cluster's.
   */
  public static final List<String> CHILDREN =
      List.of("nodes", "conf", "web", "logs", "security", "cluster.json");

  /**
   * The plan of the cluster. It exists before the first process starts and until the last one ends.
   */
  public Path state() {
    return dir.resolve("cluster.json");
  }

  /** The configuration of clients that run on this machine. */
  public Path clientConf() {
    return dir.resolve("conf");
  }

  public Path topology() {
    return clientConf().resolve("topology.table");
  }

  /** A class path entry with the folders that HDFS web servers require. */
  public Path web() {
    return dir.resolve("web");
  }

  /** Keys, tickets and certificates of a secure cluster. */
  public Path security() {
    return dir.resolve("security");
  }

  public Path logs() {
    return dir.resolve("logs");
  }

  public Path log(String daemon) {
    return logs().resolve(daemon + ".log");
  }

  /** The edits directory that two NameNodes share. */
  public Path sharedEdits() {
    return dir.resolve("nodes").resolve("shared-edits");
  }

  public Path node(String name) {
    return dir.resolve("nodes").resolve(name);
  }

  public Path nodeConf(String name) {
    return node(name).resolve("conf");
  }

  /** The {@code /etc/hosts} that the node's processes see. */
  public Path nodeHosts(String name) {
    return node(name).resolve("hosts");
  }

  public Path containerLogs(String name) {
    return node(name).resolve("userlogs");
  }

  public Path nodeTmp(String name) {
    return node(name).resolve("tmp");
  }
}
