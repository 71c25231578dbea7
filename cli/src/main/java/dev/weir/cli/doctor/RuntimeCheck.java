package dev.weir.cli.doctor;

import dev.weir.cli.doctor.Finding.Step;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the jars of daemons fit their Java and each other.
 *
 * @param addresses returns the addresses of the daemons' web servers
 * @param own the jars that this command advises to copy
 */
record RuntimeCheck(
    Kind kind, CallableRaisingIOE<List<URI>> addresses, DaemonPages pages, PluginJars own)
    implements Check {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeCheck.class);

  /** The number of daemons of a kind that are asked. */
  private static final int MOST = 1000;

  /** Each one that does not answer takes ten seconds. */
  private static final int UNANSWERED = 3;

  private static final String CLIENT_JAR = "weir-hdfs-placement";

  /** The kinds of daemons. */
  enum Kind {
    /** They have the jars of the placement policy. */
    NAME_NODES("NameNodes", false),
    /** HDFS clients on their hosts need jars, too. */
    DATA_NODES("DataNodes", true),
    /** They have the jars of the ask processor. */
    RESOURCE_MANAGERS("ResourceManagers", false),
    /** They are HDFS clients themselves. */
    NODE_MANAGERS("NodeManagers", true);

    private final String subject;
    private final boolean isClient;

    Kind(String subject, boolean isClient) {
      this.subject = subject;
      this.isClient = isClient;
    }
  }

  @Override
  public String subject() {
    return kind.subject;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    List<URI> all = addresses.apply();
    // The same jars may be in different directories of different hosts.
    Map<String, List<DaemonRuntime>> runtimes = new LinkedHashMap<>();
    List<URI> unanswered = new ArrayList<>();
    for (URI daemon : all.subList(0, Math.min(MOST, all.size()))) {
      if (unanswered.size() == UNANSWERED) {
        break;
      }
      try {
        DaemonRuntime runtime = DaemonRuntime.of(pages.bean(daemon, DaemonRuntime.BEAN));
        runtimes.computeIfAbsent(runtime.toString(), key -> new ArrayList<>()).add(runtime);
      } catch (IOException e) {
        LOG.debug("The runtime of {} is not known", daemon, e);
        unanswered.add(daemon);
      }
    }
    runtimes.values().forEach(same -> add(same.get(0), same.size(), findings));
    if (!unanswered.isEmpty()) {
      findings.unknown(
          "Java and jars are not known of " + unanswered,
          "see that curl '" + unanswered.get(0).resolve("/jmx") + "' answers from here");
    }
  }

  private void add(DaemonRuntime runtime, int count, Findings findings) {
    findings.fine(count + " on " + runtime);
    tooNew(runtime, findings);
    jars(runtime, findings);
  }

  /** A daemon whose Java is older than the class files ends with UnsupportedClassVersionError. */
  private void tooNew(DaemonRuntime runtime, Findings findings) {
    List<String> jars =
        own.classVersions().entrySet().stream()
            .filter(jar -> DaemonRuntime.javaOf(jar.getValue()) > runtime.java())
            .map(jar -> "plugins/" + jar.getKey() + " (version " + jar.getValue() + ")")
            .sorted()
            .toList();
    if (runtime.java() == 0 || jars.isEmpty()) {
      return;
    }
    findings
        .wrong(
            "Java " + runtime.java() + " cannot load the class files of " + String.join(", ", jars),
            "do not copy these jars there; those that mvn -Pdist -DskipTests package makes have"
                + " version 52 and need Java 8")
        .in(Step.JARS);
  }

  private void jars(DaemonRuntime runtime, Findings findings) {
    if (kind.isClient && !runtime.has(CLIENT_JAR)) {
      findings
          .note(
              "run without the jars of HDFS clients",
              "copy plugins/weir-hints-api-*.jar and plugins/weir-hdfs-placement-*.jar to"
                  + " share/hadoop/common/lib of all hosts that read this core-site.xml:"
                  + " DataNodes, NodeManagers and clients, whose Java must be 8 or later;"
                  + " daemons show them after their next restart")
          .in(Step.JARS);
      return;
    }
    if (!runtime.repeated().isEmpty()) {
      // Of two jars with the same classes a daemon loads either.
      findings
          .wrong(
              "have a jar more than once: " + String.join(", ", runtime.repeated()),
              "rm all but the newest of each, and restart the daemon; jars in"
                  + " share/hadoop/common/lib are not needed in hdfs/lib and yarn/lib")
          .in(Step.JARS);
      return;
    }
    if (runtime.versions().size() > 1) {
      findings
          .wrong(
              "have jars of different versions: " + String.join(", ", runtime.versions()),
              "copy plugins/weir-*.jar of one version, and restart the daemon")
          .in(Step.JARS);
    }
  }
}
