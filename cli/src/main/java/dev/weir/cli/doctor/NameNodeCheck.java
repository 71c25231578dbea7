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
import java.util.Map;
import java.util.stream.Stream;

/**
 * Checks that a NameNode runs the placement policy and that the policy receives hints.
 *
 * @param daemon the address of the NameNode's web server
 * @param version the version of this client
 */
record NameNodeCheck(URI daemon, DaemonPages pages, String version) implements Check {
  private static final String BEAN = "Hadoop:service=NameNode,name=" + PlacementMetrics.NAME;

  private static final long MEBIBYTE = 1 << 20;

  private static final String RESTART =
      "hdfs --daemon stop namenode; hdfs --daemon start namenode; its log says with 'weir' why"
          + " hints are off";

  @Override
  public String subject() {
    return "NameNode " + daemon.getHost();
  }

  @Override
  public void examine(Findings findings) throws IOException {
    Map<String, String> settings = pages.settings(daemon);
    JsonNode bean = pages.bean(daemon, BEAN);
    settings(settings, findings);
    boolean hasQuorum = !settings.getOrDefault(HintSettings.QUORUM_KEY, "").isBlank();
    boolean lacksWriters = bean.path("HintsRefused").asInt() == 0 && lacksWriters(settings);
    if (lacksWriters) {
      findings
          .wrong(
              StoreAccess.WRITERS_KEY + " is not set: the NameNode follows no hints of the service",
              "core-site.xml: "
                  + StoreAccess.WRITERS_KEY
                  + " = digest:USER, with the user of "
                  + StoreAccess.AUTH_KEY
                  + " of 'weir server'")
          .in(Step.SETTINGS);
    }
    audit(settings, findings);
    base(settings, pages.bean(daemon, "Hadoop:service=NameNode,name=NameNodeInfo"), findings);
    if (bean.isMissingNode()) {
      findings
          .wrong(
              "the policy is not loaded: there is no bean " + PlacementMetrics.NAME,
              "copy plugins/weir-hints-api-*.jar and plugins/weir-hdfs-placement-*.jar to"
                  + " share/hadoop/hdfs/lib of every NameNode")
          .in(Step.JARS);
      findings.note("runs without the plugin", RESTART).in(Step.RESTART);
    } else {
      DaemonRuntime.compare(bean, version, findings);
      if (hasQuorum) {
        hints(bean, findings);
      }
      if (!hasQuorum || lacksWriters) {
        findings.note("runs without these settings", RESTART).in(Step.RESTART);
      }
      lazyFiles(bean, findings);
    }
  }

  private void settings(Map<String, String> settings, Findings findings) {
    policy(settings, findings);
    if (settings.getOrDefault(HintSettings.QUORUM_KEY, "").isBlank()) {
      findings
          .wrong(
              HintSettings.QUORUM_KEY + " is not set: the NameNode finds no hints",
              "core-site.xml: "
                  + HintSettings.QUORUM_KEY
                  + " = HOST:2181,HOST:2181,HOST:2181 of your ZooKeeper")
          .in(Step.SETTINGS);
    }
    if ("false".equals(settings.get(Settings.XATTRS_KEY))) {
      findings.note(
          Settings.XATTRS_KEY
              + " is false: hints cannot be given with setfattr, and clients do not learn"
              + " replication and block size",
          "if setfattr should give hints, hdfs-site.xml: " + Settings.XATTRS_KEY + " = true");
    }
  }

  /** Without it the NameNode would follow no hints, which shows only once there are some. */
  private static boolean lacksWriters(Map<String, String> settings) {
    return !"true".equals(settings.get(StoreAccess.OPEN_KEY))
        && Stream.of(StoreAccess.WRITERS_KEY, StoreAccess.AUTH_KEY)
            .allMatch(key -> settings.getOrDefault(key, "").isBlank());
  }

  /** The audit logger that counts accesses is optional, but replaces the log if it stands alone. */
  private void audit(Map<String, String> settings, Findings findings) throws IOException {
    String counter = AccessAuditLogger.class.getName();
    if (!Settings.has(settings, Settings.AUDIT_KEY, counter)) {
      return;
    }
    if (!Settings.has(settings, Settings.AUDIT_KEY, "default")) {
      findings
          .wrong(Settings.AUDIT_KEY + " is without 'default': the NameNode writes no audit log", "")
          .setting("hdfs-site.xml", Settings.AUDIT_KEY, "default," + counter);
      return;
    }
    JsonNode bean = pages.bean(daemon, AccessCountsBean.OBJECT_NAME);
    if (bean.isMissingNode()) {
      findings.wrong(
          "does not count accesses, so auto gives no file more replicas",
          "see its log for 'Accesses to files are not counted'");
    } else {
      findings.fine("counts accesses to " + bean.path("Paths").asLong() + " files");
    }
  }

  /** Weir's policy must be set, and the policy that the cluster has now must become its base. */
  private void policy(Map<String, String> settings, Findings findings) {
    if (Settings.has(settings, Settings.POLICY_KEY, Settings.POLICY)) {
      String base = settings.getOrDefault(Settings.BASE_KEY, "").trim();
      findings.fine(
          Settings.POLICY_KEY + " is Weir's" + (base.isEmpty() ? "" : ", on top of " + base));
      return;
    }
    String present = settings.getOrDefault(Settings.POLICY_KEY, Settings.STOCK_POLICY).trim();
    if (!present.isEmpty()
        && !present.equals(Settings.STOCK_POLICY)
        && !Settings.has(settings, Settings.BASE_KEY, present)) {
      findings
          .wrong("without a base, Weir's policy would replace " + present, "")
          .setting("hdfs-site.xml", Settings.BASE_KEY, present);
    }
    findings
        .wrong(
            Settings.words(settings, Settings.POLICY_KEY) + ": HDFS places every file as stock", "")
        .setting("hdfs-site.xml", Settings.POLICY_KEY, Settings.POLICY);
  }

  /** Finds a base policy that other settings or the DataNodes imply. */
  private void base(Map<String, String> settings, JsonNode nameNode, Findings findings) {
    if (!Settings.has(settings, Settings.POLICY_KEY, Settings.POLICY)
        || !settings.getOrDefault(Settings.BASE_KEY, "").isBlank()) {
      return;
    }
    boolean hasGroups = Settings.has(settings, Settings.TOPOLOGY_KEY, Settings.NODE_GROUP_TOPOLOGY);
    if (!hasGroups && !nameNode.path("LiveNodes").asText().contains("\"upgradeDomain\"")) {
      return;
    }
    findings
        .wrong(
            (hasGroups ? "the topology has node groups" : "DataNodes have upgrade domains")
                + ", which the base policy ignores",
            "")
        .setting(
            "hdfs-site.xml",
            Settings.BASE_KEY,
            hasGroups ? Settings.NODE_GROUP_POLICY : Settings.UPGRADE_DOMAIN_POLICY);
  }

  /** Reports overdue copies of lazy files, and whether lazy writing is suspended. */
  private void lazyFiles(JsonNode bean, Findings findings) {
    long overdue = bean.path("LazyOverdueFiles").asLong();
    if (overdue > 0) {
      findings.wrong(
          overdue
              + " lazy files lack copies, the oldest for "
              + bean.path("LazyOverdueSeconds").asLong() / 60
              + " minutes",
          "hdfs fsck / lists them as under-replicated; see that enough DataNodes have room");
    }
    if (bean.path("LazySuspended").asInt() == 1) {
      findings.note(
          "writes lazy files eagerly, because HDFS has too many blocks with too few replicas",
          "it ends by itself when HDFS has made most of the copies");
    }
  }

  private void hints(JsonNode bean, Findings findings) {
    if (!bean.has("HintsConnected")) {
      findings.wrong(
          "the policy does not follow hints yet", "see its log for 'weir'; ZooKeeper may be away");
    } else if (bean.path("HintsConnected").asInt() == 1) {
      findings.fine(
          rules(bean.path("HintRules").asLong(), bean.path("HintSets").asLong())
              + (bean.path("HintRules").asLong() == 1 ? " is in force" : " are in force")
              + memory(bean));
    } else {
      findings.wrong(
          "has not heard of hints for "
              + bean.path("HintsAgeMs").asLong() / 1000
              + " s; it goes on with the last",
          "see that ZooKeeper runs and can be reached from there");
    }
    if (bean.path("HintsRefused").asInt() > 0) {
      findings
          .wrong(
              "does not follow hint sets that others than "
                  + StoreAccess.WRITERS_KEY
                  + " may change",
              "core-site.xml: "
                  + StoreAccess.WRITERS_KEY
                  + " = the id that the hints service logs at its start; the log of the"
                  + " NameNode names the id that it found")
          .in(Step.SETTINGS);
    }
    long leftOut = bean.path("HintSetsLeftOut").asLong();
    if (leftOut > 0) {
      findings.note(
          leftOut + " hint sets do not fit into " + bean.path("HintBytesLimit").asLong() + " bytes",
          "remove sets, use patterns with wildcards, or raise "
              + HintSettings.MEMORY_KEY
              + " in core-site.xml");
    }
    long failures = bean.path("Failures").asLong();
    if (failures > 0) {
      findings.note(
          "placed " + failures + " blocks as stock because following a hint failed",
          "look for 'weir' in its log, and report the fault");
    }
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
