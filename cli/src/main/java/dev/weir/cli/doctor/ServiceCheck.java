package dev.weir.cli.doctor;

import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceStatus;
import dev.weir.hints.client.WatcherList;
import dev.weir.hints.client.WatcherList.Watcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that the hints service answers and which versions the processes that follow hints have
 * applied.
 */
final class ServiceCheck implements Check {
  private static final String SUBJECT = "hints service";

  private final HintsClient client;

  ServiceCheck(HintsClient client) {
    this.client = client;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() throws IOException {
    ServiceStatus status = client.status();
    List<Finding> findings = new ArrayList<>(status(status));
    findings.addAll(watchers(client.watchers()));
    return findings;
  }

  static List<Finding> status(ServiceStatus status) {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        status.store().connected()
            ? Finding.fine(
                SUBJECT,
                NameNodeCheck.rules(status.store().rules(), status.store().sets())
                    + ", version "
                    + status.store().version())
            : Finding.wrong(
                SUBJECT,
                "ZooKeeper has been away for " + status.store().age().toSeconds() + " s",
                "see that ZooKeeper runs; what was written stays in force meanwhile"));
    if (status.leaderId() == null) {
      findings.add(
          Finding.wrong(
              SUBJECT,
              "no instance is the leader: attributes, expiry and replication are not followed",
              "see its log; a leader is elected within seconds when ZooKeeper answers"));
    }
    for (String problem : status.problems()) {
      findings.add(
          Finding.note(
              SUBJECT,
              problem,
              "docs/hints.md tells how rules reach NameNodes and clients, and what limits them"));
    }
    for (ServiceStatus.IgnoredHint ignored : status.ignored()) {
      findings.add(
          Finding.wrong(
              "attribute of " + ignored.path(),
              "it is not followed: " + ignored.reason(),
              "hdfs dfs -setfattr -n user.weir.hint -v HINT " + ignored.path()));
    }
    return findings;
  }

  static List<Finding> watchers(WatcherList list) {
    List<Finding> findings = new ArrayList<>();
    List<Watcher> nameNodes =
        list.watchers().stream()
            .filter(watcher -> watcher.role().equals("namenode"))
            .distinct()
            .toList();
    if (nameNodes.isEmpty()) {
      findings.add(
          Finding.wrong(
              SUBJECT,
              "no NameNode follows the hints",
              "see what is said of the NameNode; with weir.zookeeper.root set, it must be one"
                  + " for all"));
    }
    for (Watcher watcher : nameNodes) {
      String name = "NameNode " + watcher.host();
      findings.add(
          watcher.behind()
              ? Finding.note(
                  SUBJECT,
                  name + " has version " + watcher.version() + " of " + list.version(),
                  "ask again; one that stays behind does not reach ZooKeeper")
              : Finding.fine(SUBJECT, name + " has applied version " + watcher.version()));
    }
    return findings;
  }
}
