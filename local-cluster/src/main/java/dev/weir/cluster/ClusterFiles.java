package dev.weir.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the files of a cluster are in its directory.
 *
 * @param dir the cluster's directory, absolute
 */
record ClusterFiles(Path dir) {
  /** Everything a cluster puts into its directory; the state comes last, for it marks the rest. */
  static final List<String> CHILDREN = List.of("nodes", "conf", "web", "logs", "cluster.json");

  /** What the cluster is; there from before the first process until after the last. */
  Path state() {
    return dir.resolve("cluster.json");
  }

  /** The configuration of clients that run on this machine. */
  Path clientConf() {
    return dir.resolve("conf");
  }

  Path topology() {
    return clientConf().resolve("topology.table");
  }

  /** A class path entry with the folders that the web servers of HDFS insist on. */
  Path web() {
    return dir.resolve("web");
  }

  Path logs() {
    return dir.resolve("logs");
  }

  Path log(String daemon) {
    return logs().resolve(daemon + ".log");
  }

  /** What two NameNodes share. */
  Path sharedEdits() {
    return dir.resolve("nodes").resolve("shared-edits");
  }

  Path node(String name) {
    return dir.resolve("nodes").resolve(name);
  }

  Path nodeConf(String name) {
    return node(name).resolve("conf");
  }

  /** What {@code /etc/hosts} is to the processes of the node. */
  Path nodeHosts(String name) {
    return node(name).resolve("hosts");
  }

  Path containerLogs(String name) {
    return node(name).resolve("userlogs");
  }

  Path nodeTmp(String name) {
    return node(name).resolve("tmp");
  }
}
