package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.doctor.Finding.Step;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the ResourceManager accepts file names in asks, and how it resolves them.
 *
 * @param daemon the address of the ResourceManager's web server
 * @param version the version of this client
 */
record ResourceManagerCheck(String subject, URI daemon, DaemonPages pages, String version)
    implements Check {
  private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerCheck.class);
  private static final String BEAN = "Hadoop:service=ResourceManager,name=WeirAsks";

  private static final String JARS =
      "copy plugins/weir-hints-api-*.jar and plugins/weir-yarn-scheduler-*.jar to"
          + " share/hadoop/yarn/lib of every ResourceManager";

  private static final String RESTART =
      "yarn --daemon stop resourcemanager; yarn --daemon start resourcemanager";

  /** Creates a check of a single ResourceManager. */
  ResourceManagerCheck(URI daemon, DaemonPages pages, String version) {
    this("ResourceManager", daemon, pages, version);
  }

  /**
   * Creates a check of each ResourceManager. Standby ones have loaded the plugin but their counters
   * are 0.
   */
  static List<ResourceManagerCheck> ofEach(List<URI> daemons, DaemonPages pages, String version) {
    return daemons.stream()
        .map(
            daemon ->
                daemons.size() == 1
                    ? new ResourceManagerCheck(daemon, pages, version)
                    : new ResourceManagerCheck(
                        "ResourceManager " + daemon.getAuthority(), daemon, pages, version))
        .toList();
  }

  @Override
  public void examine(Findings findings) throws IOException {
    Map<String, String> settings = pages.settings(daemon);
    if (!Settings.has(settings, Settings.PROCESSORS_KEY, Settings.PROCESSOR)) {
      withoutProcessor(settings, findings);
      return;
    }
    JsonNode bean = pages.bean(daemon, BEAN);
    if (bean.isMissingNode()) {
      findings.wrong("the processor is not loaded: there is no bean WeirAsks", JARS).in(Step.JARS);
      findings.note("runs without the plugin", RESTART).in(Step.RESTART);
      return;
    }
    if ("true".equals(settings.getOrDefault(Settings.AUTOCORRECT_KEY, "").trim())) {
      findings.note(
          Settings.words(settings, Settings.AUTOCORRECT_KEY)
              + ": files that asks name are left out, or the scheduler would take containers"
              + " back",
          "if asks should name files, yarn-site.xml: "
              + Settings.AUTOCORRECT_KEY
              + " = false, then restart the ResourceManager");
    } else {
      findings.fine("asks may name files");
    }

    DaemonRuntime.compare(bean, version, findings);
    allocator(settings, bean, findings);
    findings.fine(wait(settings));
    figures(bean, findings);
  }

  /** Without the jars a ResourceManager with the setting does not start. */
  private void withoutProcessor(Map<String, String> settings, Findings findings) {
    String others = settings.getOrDefault(Settings.PROCESSORS_KEY, "").trim();
    findings.note("may lack the plugin's jars", JARS).in(Step.JARS);
    findings
        .note(Settings.words(settings, Settings.PROCESSORS_KEY) + ": asks cannot name files", "")
        .setting(
            "yarn-site.xml",
            Settings.PROCESSORS_KEY,
            others.isEmpty() ? Settings.PROCESSOR : Settings.PROCESSOR + "," + others);
    findings.note("runs without the plugin", RESTART).in(Step.RESTART);
  }

  /** Hadoop silently uses its own allocator if it cannot load the configured one. */
  private void allocator(Map<String, String> settings, JsonNode bean, Findings findings) {
    String set = settings.getOrDefault(Settings.ALLOCATOR_KEY, "").trim();
    if (bean.path("AllocatorLoaded").asInt() == 1) {
      findings.fine("the placement allocator is loaded");
      return;
    }
    String remedy =
        "yarn-site.xml: "
            + Settings.ALLOCATOR_KEY
            + " = "
            + Settings.ALLOCATOR
            + ", then restart the ResourceManager";
    if (set.equals(Settings.ALLOCATOR)) {
      String yarn = yarnVersion();
      if (yarn.matches("(2|3\\.[0-3])\\..*")) {
        findings.note(
            "YARN " + yarn + " ignores the placement allocator, which needs 3.4",
            "applications may choose it themselves");
        return;
      }
      findings.wrong(
          "the placement allocator is set but not loaded"
              + (yarn.isEmpty() ? "" : " into YARN " + yarn),
          "restart it; if that does not help, put the same weir-yarn-scheduler into"
              + " share/hadoop/yarn/lib of all ResourceManagers");
      return;
    }
    if (set.toLowerCase(Locale.ROOT).contains("weir")) {
      findings.wrong(
          Settings.words(settings, Settings.ALLOCATOR_KEY)
              + ": there is no such class, and YARN takes its own without a word",
          remedy);
      return;
    }
    findings.note(
        Settings.words(settings, Settings.ALLOCATOR_KEY)
            + ": ApplicationMasters are not placed by their inputs",
        "if ApplicationMasters should be placed by their inputs, " + remedy);
  }

  /** Returns YARN's version, because the plugin's interfaces depend on it; empty if unknown. */
  private String yarnVersion() {
    try {
      return pages
          .read(daemon, "/ws/v1/cluster/info")
          .path("clusterInfo")
          .path("resourceManagerVersion")
          .asText("");
    } catch (IOException e) {
      LOG.debug("The version of {} is not known", daemon, e);
      return "";
    }
  }

  private static String wait(Map<String, String> settings) {
    return "containers wait for their nodes at most "
        + settings.getOrDefault("weir.yarn.locality-wait.max-ms", "10000")
        + " ms, for less than "
        + settings.getOrDefault("weir.yarn.locality-wait.floor-ms", "5")
        + " ms of moving not at all, at "
        + settings.getOrDefault("weir.yarn.link.bytes-per-second", "125000000")
        + " bytes/s";
  }

  private void figures(JsonNode bean, Findings findings) {
    long asks =
        bean.path("AsksPlaced").asLong()
            + bean.path("AsksPartly").asLong()
            + bean.path("AsksAnywhere").asLong();
    if (asks > 0) {
      findings.fine(
          "of %d asks %d were given nodes, %d only for some of their names, %d none; %d late"
              .formatted(
                  asks,
                  bean.path("AsksPlaced").asLong(),
                  bean.path("AsksPartly").asLong(),
                  bean.path("AsksAnywhere").asLong(),
                  bean.path("AsksAddedLate").asLong()));
    }
    lookups(bean, findings);
    containers(bean, findings);
    masters(bean, findings);
    long failures = bean.path("Failures").asLong();
    if (failures > 0) {
      findings.note(
          failures + " times asks went on without files because of an error of the plugin",
          "look for 'weir' in its log, and report the fault");
    }
  }

  private void lookups(JsonNode bean, Findings findings) {
    long found = bean.path("LookupsDone").asLong();
    long failed = bean.path("LookupsFailed").asLong();
    long refused = bean.path("LookupsRefused").asLong();
    if (found + failed + refused == 0) {
      return;
    }
    String text =
        "of %d look-ups of files %d found them, %d did not, %d were not made"
            .formatted(found + failed + refused, found, failed, refused);
    // Only look-ups that were not made point to a problem: a NameNode that does not answer.
    if (refused == 0) {
      findings.fine(text);
    } else {
      findings.note(
          text,
          "see that the NameNode answers; which files it was is in the ResourceManager's log"
              + " at the level DEBUG of dev.weir.yarn");
    }
  }

  private void masters(JsonNode bean, Findings findings) {
    long there = bean.path("MastersOnNamedNodes").asLong();
    long elsewhere = bean.path("MastersElsewhere").asLong();
    if (there + elsewhere == 0) {
      return;
    }
    findings.fine(
        "of %d ApplicationMasters with inputs %d came to a node that holds them"
            .formatted(there + elsewhere, there));
  }

  private void containers(JsonNode bean, Findings findings) {
    long local = bean.path("ContainersOnNamedNodes").asLong();
    long rack = bean.path("ContainersInNamedRacks").asLong();
    long elsewhere = bean.path("ContainersElsewhere").asLong();
    long all = local + rack + elsewhere;
    if (all == 0) {
      return;
    }
    findings.fine(
        "of %d containers %d came to a node with their bytes, %d into its rack, %d elsewhere"
            .formatted(all, local, rack, elsewhere));
    findings.fine(
        "their bytes: %s on the node, %s in the rack, %s elsewhere; %s saved; waited %d ms each"
            .formatted(
                Sizes.of(bean.path("BytesOnNamedNodes").asLong()),
                Sizes.of(bean.path("BytesInNamedRacks").asLong()),
                Sizes.of(bean.path("BytesElsewhere").asLong()),
                Sizes.of(bean.path("BytesSaved").asLong()),
                bean.path("MillisWaited").asLong() / all));
  }
}
