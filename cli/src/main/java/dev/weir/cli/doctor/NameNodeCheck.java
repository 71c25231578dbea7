package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.doctor.Finding.Step;
import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.hdfs.audit.AccessCountsBean;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Checks that a NameNode runs the placement policy and that the policy receives hints. */
final class NameNodeCheck implements Check {
  private static final String BEAN = "Hadoop:service=NameNode,name=" + PlacementMetrics.NAME;

  private static final long MEBIBYTE = 1 << 20;

  private static final String RESTART =
      "hdfs --daemon stop namenode; hdfs --daemon start namenode; its log says with 'weir' why"
          + " hints are off";

  private final URI daemon;
  private final DaemonPages pages;
  private final String version;

  /**
   * Creates a check.
   *
   * @param daemon the address of the NameNode's web server
   * @param version the version of this client
   */
  NameNodeCheck(URI daemon, DaemonPages pages, String version) {
    this.daemon = daemon;
    this.pages = pages;
    this.version = version;
  }

  @Override
  public String subject() {
    return "NameNode " + daemon.getHost();
  }

  @Override
  public List<Finding> examine() throws IOException {
    Map<String, String> settings = pages.settings(daemon);
    JsonNode bean = pages.bean(daemon, BEAN);
    List<Finding> findings = new ArrayList<>(settings(settings));
    boolean hasQuorum = !settings.getOrDefault(HintSettings.QUORUM_KEY, "").isBlank();
    List<Finding> writers =
        bean.path("HintsRefused").asInt() == 0 ? writers(settings) : List.<Finding>of();
    findings.addAll(writers);
    findings.addAll(audit(settings));
    findings.addAll(
        base(settings, pages.bean(daemon, "Hadoop:service=NameNode,name=NameNodeInfo")));
    if (bean.isMissingNode()) {
      findings.add(
          Finding.wrong(
                  subject(),
                  "the policy is not loaded: there is no bean " + PlacementMetrics.NAME,
                  "copy plugins/weir-hints-api-*.jar and plugins/weir-hdfs-placement-*.jar to"
                      + " share/hadoop/hdfs/lib of every NameNode")
              .in(Step.JARS));
      findings.add(Finding.note(subject(), "runs without the plugin", RESTART).in(Step.RESTART));
    } else {
      findings.add(Versions.finding(subject(), bean, version));
      if (hasQuorum) {
        findings.addAll(hints(bean));
      }
      if (!hasQuorum || !writers.isEmpty()) {
        findings.add(
            Finding.note(subject(), "runs without these settings", RESTART).in(Step.RESTART));
      }
      findings.addAll(lazyFiles(bean));
    }
    return findings;
  }

  private List<Finding> settings(Map<String, String> settings) {
    List<Finding> findings = new ArrayList<>(policy(settings));
    if (settings.getOrDefault(HintSettings.QUORUM_KEY, "").isBlank()) {
      findings.add(
          Finding.wrong(
                  subject(),
                  HintSettings.QUORUM_KEY + " is not set: the NameNode finds no hints",
                  "core-site.xml: "
                      + HintSettings.QUORUM_KEY
                      + " = HOST:2181,HOST:2181,HOST:2181 of your ZooKeeper")
              .in(Step.SETTINGS));
    }
    if ("false".equals(settings.get(Settings.XATTRS_KEY))) {
      findings.add(
          Finding.note(
              subject(),
              Settings.XATTRS_KEY
                  + " is false: hints cannot be given with setfattr, and clients do not learn"
                  + " replication and block size",
              "if setfattr should give hints, hdfs-site.xml: " + Settings.XATTRS_KEY + " = true"));
    }
    return findings;
  }

  /** Without it the NameNode would follow no hints, which shows only once there are some. */
  private List<Finding> writers(Map<String, String> settings) {
    boolean hasWriters =
        "true".equals(settings.get(StoreAccess.OPEN_KEY))
            || Stream.of(StoreAccess.WRITERS_KEY, StoreAccess.AUTH_KEY)
                .anyMatch(key -> !settings.getOrDefault(key, "").isBlank());
    return hasWriters
        ? List.of()
        : List.of(
            Finding.wrong(
                    subject(),
                    StoreAccess.WRITERS_KEY
                        + " is not set: the NameNode follows no hints of the service",
                    "core-site.xml: "
                        + StoreAccess.WRITERS_KEY
                        + " = digest:USER, with the user of "
                        + StoreAccess.AUTH_KEY
                        + " of 'weir server'")
                .in(Step.SETTINGS));
  }

  /** The audit logger that counts accesses is optional, but replaces the log if it stands alone. */
  private List<Finding> audit(Map<String, String> settings) throws IOException {
    String counter = AccessAuditLogger.class.getName();
    if (!Settings.has(settings, Settings.AUDIT_KEY, counter)) {
      return List.of();
    }
    if (!Settings.has(settings, Settings.AUDIT_KEY, "default")) {
      return List.of(
          Finding.wrong(
                  subject(),
                  Settings.AUDIT_KEY + " is without 'default': the NameNode writes no audit log",
                  "")
              .setting("hdfs-site.xml", Settings.AUDIT_KEY, "default," + counter));
    }
    JsonNode bean = pages.bean(daemon, AccessCountsBean.OBJECT_NAME);
    return List.of(
        bean.isMissingNode()
            ? Finding.wrong(
                subject(),
                "does not count accesses, so auto gives no file more replicas",
                "see its log for 'Accesses to files are not counted'")
            : Finding.fine(
                subject(), "counts accesses to " + bean.path("Paths").asLong() + " files"));
  }

  /** Weir's policy must be set, and the policy that the cluster has now must become its base. */
  private List<Finding> policy(Map<String, String> settings) {
    if (Settings.has(settings, Settings.POLICY_KEY, Settings.POLICY)) {
      String base = settings.getOrDefault(Settings.BASE_KEY, "").trim();
      return List.of(
          Finding.fine(
              subject(),
              Settings.POLICY_KEY + " is Weir's" + (base.isEmpty() ? "" : ", on top of " + base)));
    }
    List<Finding> findings = new ArrayList<>();
    String present = settings.getOrDefault(Settings.POLICY_KEY, Settings.STOCK_POLICY).trim();
    if (!present.isEmpty()
        && !present.equals(Settings.STOCK_POLICY)
        && !Settings.has(settings, Settings.BASE_KEY, present)) {
      findings.add(
          Finding.wrong(subject(), "without a base, Weir's policy would replace " + present, "")
              .setting("hdfs-site.xml", Settings.BASE_KEY, present));
    }
    findings.add(
        Finding.wrong(
                subject(),
                Settings.words(settings, Settings.POLICY_KEY) + ": HDFS places every file as stock",
                "")
            .setting("hdfs-site.xml", Settings.POLICY_KEY, Settings.POLICY));
    return findings;
  }

  /** Finds a base policy that other settings or the DataNodes imply. */
  private List<Finding> base(Map<String, String> settings, JsonNode nameNode) {
    if (!Settings.has(settings, Settings.POLICY_KEY, Settings.POLICY)
        || !settings.getOrDefault(Settings.BASE_KEY, "").isBlank()) {
      return List.of();
    }
    boolean hasGroups = Settings.has(settings, Settings.TOPOLOGY_KEY, Settings.NODE_GROUP_TOPOLOGY);
    if (!hasGroups && !nameNode.path("LiveNodes").asText().contains("\"upgradeDomain\"")) {
      return List.of();
    }
    return List.of(
        Finding.wrong(
                subject(),
                (hasGroups ? "the topology has node groups" : "DataNodes have upgrade domains")
                    + ", which the base policy ignores",
                "")
            .setting(
                "hdfs-site.xml",
                Settings.BASE_KEY,
                hasGroups ? Settings.NODE_GROUP_POLICY : Settings.UPGRADE_DOMAIN_POLICY));
  }

  /** Reports overdue copies of lazy files, and whether lazy writing is suspended. */
  private List<Finding> lazyFiles(JsonNode bean) {
    List<Finding> findings = new ArrayList<>();
    long overdue = bean.path("LazyOverdueFiles").asLong();
    if (overdue > 0) {
      findings.add(
          Finding.wrong(
              subject(),
              overdue
                  + " lazy files lack copies, the oldest for "
                  + bean.path("LazyOverdueSeconds").asLong() / 60
                  + " minutes",
              "hdfs fsck / lists them as under-replicated; see that enough DataNodes have room"));
    }
    if (bean.path("LazySuspended").asInt() == 1) {
      findings.add(
          Finding.note(
              subject(),
              "writes lazy files eagerly, because HDFS has too many blocks with too few replicas",
              "it ends by itself when HDFS has made most of the copies"));
    }
    return findings;
  }

  private List<Finding> hints(JsonNode bean) {
    List<Finding> findings = new ArrayList<>();
    if (!bean.has("HintsConnected")) {
      findings.add(
          Finding.wrong(
              subject(),
              "the policy does not follow hints yet",
              "see its log for 'weir'; ZooKeeper may be away"));
    } else if (bean.path("HintsConnected").asInt() == 1) {
      findings.add(
          Finding.fine(
              subject(),
              rules(bean.path("HintRules").asLong(), bean.path("HintSets").asLong())
                  + (bean.path("HintRules").asLong() == 1 ? " is in force" : " are in force")
                  + memory(bean)));
    } else {
      findings.add(
          Finding.wrong(
              subject(),
              "has not heard of hints for "
                  + bean.path("HintsAgeMs").asLong() / 1000
                  + " s; it goes on with the last",
              "see that ZooKeeper runs and can be reached from there"));
    }
    if (bean.path("HintsRefused").asInt() > 0) {
      findings.add(
          Finding.wrong(
                  subject(),
                  "does not follow hint sets that others than "
                      + StoreAccess.WRITERS_KEY
                      + " may change",
                  "core-site.xml: "
                      + StoreAccess.WRITERS_KEY
                      + " = the id that the hints service logs at its start; the log of the"
                      + " NameNode names the id that it found")
              .in(Step.SETTINGS));
    }
    long leftOut = bean.path("HintSetsLeftOut").asLong();
    if (leftOut > 0) {
      findings.add(
          Finding.note(
              subject(),
              leftOut
                  + " hint sets do not fit into "
                  + bean.path("HintBytesLimit").asLong()
                  + " bytes",
              "remove sets, use patterns with wildcards, or raise "
                  + HintSettings.MEMORY_KEY
                  + " in core-site.xml"));
    }
    long failures = bean.path("Failures").asLong();
    if (failures > 0) {
      findings.add(
          Finding.note(
              subject(),
              "placed " + failures + " blocks as stock because following a hint failed",
              "look for 'weir' in its log, and report the fault"));
    }
    return findings;
  }

  /** Returns the numbers of rules and hint sets in words. */
  static String rules(long rules, long sets) {
    return rules
        + (rules == 1 ? " rule in " : " rules in ")
        + sets
        + (sets == 1 ? " set" : " sets");
  }

  private static String memory(JsonNode bean) {
    long limit = bean.path("HintBytesLimit").asLong();
    return limit == 0
        ? ""
        : ", with "
            + bean.path("HintBytes").asLong() / MEBIBYTE
            + " of at most "
            + limit / MEBIBYTE
            + " MiB of memory";
  }
}
