package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.doctor.Finding.Level;
import dev.weir.cli.doctor.Finding.Step;
import dev.weir.cli.doctor.RuntimeCheck.Kind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeCheckTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HADOOP =
      "/etc/hadoop:/h/share/hadoop/common/hadoop-common-3.4.3.jar:"
          + "/h/share/hadoop/common/hadoop-common-3.4.3-tests.jar";
  private static final String API = "/h/share/hadoop/common/lib/weir-hints-api-0.1.0.jar";
  private static final String PLACEMENT =
      "/h/share/hadoop/common/lib/weir-hdfs-placement-0.1.0.jar";
  private static final PluginJars OWN =
      new PluginJars(Map.of("weir-hints-api-0.1.0.jar", 52, "weir-hdfs-placement-0.1.0.jar", 52));

  /** The daemons that answer. */
  private final Map<URI, JsonNode> beans = new LinkedHashMap<>();

  private void daemon(String name, String java, String... jars) {
    ObjectNode answer = MAPPER.createObjectNode();
    answer
        .putArray("beans")
        .addObject()
        .put("SpecVersion", java)
        .put("ClassPath", HADOOP + (jars.length == 0 ? "" : ":" + String.join(":", jars)));
    beans.put(URI.create("http://" + name + "/"), answer);
  }

  private JsonNode page(URI daemon, String page) throws IOException {
    assertThat(page).isEqualTo("/jmx?qry=java.lang:type=Runtime");
    JsonNode answer = beans.get(daemon);
    if (answer == null) {
      throw new IOException("no answer");
    }
    return answer;
  }

  private List<Finding> of(Kind kind, PluginJars own) throws IOException {
    return Findings.of(new RuntimeCheck(kind, () -> List.copyOf(beans.keySet()), this::page, own));
  }

  @Test
  void daemonsWithTheSameJavaHadoopAndJarsAreCounted() throws Exception {
    daemon("a", "11", API, PLACEMENT);
    daemon("b", "11", PLACEMENT.replace("/h/", "/elsewhere/"), API);
    daemon("c", "1.8", API, PLACEMENT);

    assertThat(of(Kind.DATA_NODES, OWN)).extracting(Finding::level).containsOnly(Level.FINE);
    assertThat(of(Kind.DATA_NODES, OWN))
        .extracting(Finding::text)
        .containsExactly(
            "2 on Java 11, Hadoop 3.4.3, weir-hdfs-placement-0.1.0.jar, weir-hints-api-0.1.0.jar",
            "1 on Java 8, Hadoop 3.4.3, weir-hdfs-placement-0.1.0.jar, weir-hints-api-0.1.0.jar");
  }

  @Test
  void jarsThatTheJavaOfADaemonCannotLoadAreAFault() throws Exception {
    daemon("nn", "11");
    PluginJars java17 = new PluginJars(Map.of("weir-hints-api-0.1.0.jar", 61));

    assertThat(of(Kind.NAME_NODES, java17))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::subject, Finding::text, Finding::step)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "NameNodes",
                "Java 11 cannot load the class files of plugins/weir-hints-api-0.1.0.jar"
                    + " (version 61)",
                Step.JARS));
    daemon("nn", "17");
    assertThat(of(Kind.NAME_NODES, java17)).extracting(Finding::level).containsOnly(Level.FINE);
    daemon("nn", "1.7");
    assertThat(of(Kind.NAME_NODES, OWN)).extracting(Finding::level).contains(Level.WRONG);
  }

  @Test
  void twoVersionsInOneClassPathAreAFault() throws Exception {
    String other = "/h/share/hadoop/hdfs/lib/weir-hints-api-0.2.0.jar";
    daemon("twice", "17", API, PLACEMENT, other);
    assertThat(of(Kind.NAME_NODES, OWN))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::text)
        .containsExactly("have a jar more than once: " + API + ", " + other);

    beans.clear();
    daemon("mixed", "17", other, PLACEMENT);
    assertThat(of(Kind.NAME_NODES, OWN))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::text)
        .containsExactly("have jars of different versions: 0.1.0, 0.2.0");
  }

  @Test
  void nodesOfClientsNeedTheClientsJars() throws Exception {
    daemon("n1", "17");
    assertThat(of(Kind.NAME_NODES, OWN)).extracting(Finding::level).containsOnly(Level.FINE);
    for (Kind kind : List.of(Kind.DATA_NODES, Kind.NODE_MANAGERS)) {
      assertThat(of(kind, OWN))
          .filteredOn(finding -> finding.level() == Level.NOTE)
          .singleElement()
          .extracting(Finding::remedy)
          .asString()
          .contains("share/hadoop/common/lib of all hosts");
    }
  }

  @Test
  void daemonsThatDoNotAnswerAreNamedAndNoFurtherOnesAsked() throws Exception {
    List<URI> asked = new ArrayList<>();
    daemon("n1", "17", API, PLACEMENT);
    List<URI> all = new ArrayList<>(beans.keySet());
    for (int i = 2; i < 9; i++) {
      all.add(URI.create("http://n" + i + "/"));
    }
    DaemonPages pages =
        (daemon, page) -> {
          asked.add(daemon);
          return page(daemon, page);
        };

    List<Finding> findings =
        Findings.of(new RuntimeCheck(Kind.NODE_MANAGERS, () -> all, pages, OWN));

    assertThat(asked).hasSize(4);
    assertThat(findings).extracting(Finding::level).containsExactly(Level.FINE, Level.UNKNOWN);
    assertThat(findings.get(1).text())
        .isEqualTo("Java and jars are not known of [http://n2/, http://n3/, http://n4/]");
    assertThat(findings.get(1).remedy()).contains("curl 'http://n2/jmx'");
  }

  @Test
  void nodesAreFoundThroughTheirMasters() throws Exception {
    URI standby = URI.create("http://nn1:9870/");
    URI active = URI.create("http://nn2:9870/");
    DaemonPages pages =
        (daemon, page) -> {
          if (daemon.equals(standby)) {
            throw new IOException("refused");
          }
          return MAPPER.readTree(
              page.startsWith("/jmx")
                  ? "{\"beans\":[{\"LiveNodes\":\"{\\\"n1:9866\\\":"
                      + "{\\\"infoAddr\\\":\\\"10.0.0.1:9864\\\"}}\"}]}"
                  : "{\"nodes\":{\"node\":[{\"nodeHTTPAddress\":\"n1:8042\"},"
                      + "{\"nodeHTTPAddress\":\"n2:8042\"}]}}");
        };

    assertThat(Daemons.dataNodes(List.of(standby, active), pages))
        .containsExactly(URI.create("http://10.0.0.1:9864/"));
    assertThat(Daemons.nodeManagers(List.of(active), List.of(standby, active), pages))
        .containsExactly(URI.create("http://10.0.0.1:8042/"), URI.create("http://n2:8042/"));
  }

  @Test
  void versionsOfClassFilesAreReadFromTheJars(@TempDir Path home) throws Exception {
    Path plugins = Files.createDirectories(home.resolve("plugins"));
    jar(plugins.resolve("weir-hints-api-1.jar"), 52, 52);
    jar(plugins.resolve("weir-hdfs-placement-1.jar"), 52, 61);

    assertThat(PluginJars.of(home).classVersions())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("weir-hints-api-1.jar", 52, "weir-hdfs-placement-1.jar", 61));
    assertThat(PluginJars.of(null).classVersions()).isEmpty();
    assertThat(PluginJars.of(plugins).classVersions()).isEmpty();
  }

  private static void jar(Path file, int... versions) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < versions.length; i++) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(header);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(versions[i]);
        jar.putNextEntry(new JarEntry("C" + i + ".class"));
        jar.write(header.toByteArray());
      }
      jar.putNextEntry(new JarEntry("META-INF/versions/21/C.class"));
    }
  }
}
