package dev.weir.cli.doctor;

import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceStatus;
import dev.weir.hints.client.WatcherList;
import dev.weir.hints.client.WatcherList.Watcher;
import java.io.IOException;
import java.util.List;

/**
 * Checks that the hints service answers and which versions the processes that follow hints have
 * applied.
 */
record ServiceCheck(HintsClient client) implements Check {
  private static final String SUBJECT = "hints service";

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    ServiceStatus status = client.status();
    status(status, findings);
    watchers(client.watchers(), findings);
  }

  static void status(ServiceStatus status, Findings findings) {
    if (status.store().connected()) {
      findings.fine(
          NameNodeCheck.rules(status.store().rules(), status.store().sets())
              + ", version "
              + status.store().version());
    } else {
      findings.wrong(
          "ZooKeeper has been away for " + status.store().age().toSeconds() + " s",
          "see that ZooKeeper runs; what was written stays in force meanwhile");
    }

    if (status.leaderId() == null) {
      findings.wrong(
          "no instance is the leader: attributes, expiry and replication are not followed",
          "see its log; a leader is elected within seconds when ZooKeeper answers");
    }
    for (String problem : status.problems()) {
      findings.note(
          problem,
          "docs/hints.md tells how rules reach NameNodes and clients, and what limits them");
    }
    for (ServiceStatus.IgnoredHint ignored : status.ignored()) {
      findings
          .about("attribute of " + ignored.path())
          .wrong(
              "it is not followed: " + ignored.reason(),
              "hdfs dfs -setfattr -n user.weir.hint -v HINT " + ignored.path());
    }
  }

  static void watchers(WatcherList list, Findings findings) {
    List<Watcher> nameNodes =
        list.watchers().stream()
            .filter(watcher -> watcher.role().equals("namenode"))
            .distinct()
            .toList();
    if (nameNodes.isEmpty()) {
      findings.wrong(
          "no NameNode follows the hints",
          "see what is said of the NameNode; with weir.zookeeper.root set, it must be one"
              + " for all");
    }
    for (Watcher watcher : nameNodes) {
      String name = "NameNode " + watcher.host();
      if (watcher.behind()) {
        findings.note(
            name + " has version " + watcher.version() + " of " + list.version(),
            "ask again; one that stays behind does not reach ZooKeeper");
      } else {
        findings.fine(name + " has applied version " + watcher.version());
      }
    }
  }
}
