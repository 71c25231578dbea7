package dev.weir.cli.doctor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.doctor.Finding.Setting;
import dev.weir.cli.doctor.Finding.Step;
import dev.weir.cli.doctor.RuntimeCheck.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The advice of {@code weir doctor} for a stock cluster, followed from top to bottom. */
class AdviceTest {
  private static final URI NAME_NODE = URI.create("http://nn:9870/");
  private static final URI DATA_NODE = URI.create("http://dn:9864/");
  private static final URI RESOURCE_MANAGER = URI.create("http://rm:8088/");
  private static final String OWN_POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant";
  private static final String OWN_PROCESSOR = "org.example.OwnProcessor";
  private static final int PASSES = 3;

  private static final Pattern COPY =
      Pattern.compile(
          "copy plugins/(\\S+)-\\*.jar and plugins/(\\S+)-\\*.jar to share/hadoop/(\\w+)/lib");
  private static final Pattern SET =
      Pattern.compile("(\\w+-site\\.xml): (\\S+) = ([^\\s,]\\S*[^\\s,])");
  private static final Pattern START = Pattern.compile("--daemon start (\\w+)");

  @TempDir private Path conf;
  private final Set<String> jars = new HashSet<>();
  private Map<String, String> nameNode = Map.of();
  private Map<String, String> resourceManager = Map.of();

  @BeforeEach
  void makeStockCluster() throws IOException {
    write("hdfs-site.xml", Settings.POLICY_KEY, OWN_POLICY);
    write("yarn-site.xml", Settings.PROCESSORS_KEY, OWN_PROCESSOR);
    nameNode = settings("core-site.xml", "hdfs-site.xml");
    resourceManager = settings("core-site.xml", "yarn-site.xml");
  }

  private void write(String file, String key, String value) throws IOException {
    var unused = ConfigurationPatch.write(conf, conf, List.of(new Setting(file, key, value)));
  }

  private Map<String, String> settings(String... files) {
    Configuration read = new Configuration(false);
    for (String file : files) {
      if (Files.exists(conf.resolve(file))) {
        read.addResource(new org.apache.hadoop.fs.Path(conf.resolve(file).toUri()));
      }
    }
    Map<String, String> settings = new HashMap<>();
    read.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
    return settings;
  }

  private Examination examine() {
    Configuration client = new Configuration(false);
    settings("core-site.xml", "weir-site.xml").forEach(client::set);
    return Examination.of(
        List.of(
            new ClientCheck(client),
            new NameNodeCheck(NAME_NODE, this::page, "1"),
            new RuntimeCheck(
                Kind.DATA_NODES, () -> List.of(DATA_NODE), this::page, new PluginJars(Map.of())),
            new ResourceManagerCheck(RESOURCE_MANAGER, this::page, "1")));
  }

  /** Returns a page of a running daemon, which has the settings and jars of its last start. */
  private JsonNode page(URI daemon, String page) {
    if (daemon.equals(DATA_NODE)) {
      return javaOfDataNode();
    }
    Map<String, String> running = daemon.equals(NAME_NODE) ? nameNode : resourceManager;
    ObjectNode answer = new ObjectMapper().createObjectNode();
    if (page.equals("/conf")) {
      var properties = answer.putArray("properties");
      running.forEach((key, value) -> properties.addObject().put("key", key).put("value", value));
    } else if (page.endsWith("WeirPlacement") && running.containsValue(Settings.POLICY)) {
      answer.putArray("beans").addObject().put("tag.Version", "1").put("HintsConnected", 1);
    } else if (page.endsWith("WeirAsks")
        && Settings.has(running, Settings.PROCESSORS_KEY, Settings.PROCESSOR)) {
      int loaded = running.containsKey(Settings.ALLOCATOR_KEY) ? 1 : 0;
      answer.putArray("beans").addObject().put("tag.Version", "1").put("AllocatorLoaded", loaded);
    }
    return answer;
  }

  private JsonNode javaOfDataNode() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    String jar = "/lib/weir-hdfs-placement-1.jar";
    answer
        .putArray("beans")
        .addObject()
        .put("SpecVersion", "11")
        .put("ClassPath", jars.contains("common/weir-hdfs-placement") ? jar : "");
    return answer;
  }

  private void follow(String remedy) {
    Matcher copy = COPY.matcher(remedy);
    Matcher set = SET.matcher(remedy);
    Matcher start = START.matcher(remedy);
    if (copy.find()) {
      jars.add(copy.group(3) + "/" + copy.group(1));
      jars.add(copy.group(3) + "/" + copy.group(2));
    } else if (set.find()) {
      try {
        write(set.group(1), set.group(2), set.group(3));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (remedy.contains("restart the ResourceManager")) {
        start("resourcemanager");
      }
    } else if (start.find()) {
      start(start.group(1));
    } else {
      fail("No step to follow: " + remedy);
    }
  }

  private void start(String daemon) {
    if (daemon.equals("namenode")) {
      nameNode = settings("core-site.xml", "hdfs-site.xml");
    } else {
      resourceManager = settings("core-site.xml", "yarn-site.xml");
    }
  }

  /** Checks that each daemon and client that starts now works and keeps the cluster's own ways. */
  private void assertSound(String after) {
    Map<String, String> hdfs = settings("core-site.xml", "hdfs-site.xml");
    String policy = requireNonNull(hdfs.get(Settings.POLICY_KEY), after);
    assertLoads(policy, "hdfs", after);
    assertThat(policy.equals(Settings.POLICY) ? hdfs.get(Settings.BASE_KEY) : policy)
        .as(after)
        .isEqualTo(OWN_POLICY);
    Map<String, String> yarn = settings("core-site.xml", "yarn-site.xml");
    String processors = requireNonNull(yarn.get(Settings.PROCESSORS_KEY), after);
    for (String processor : processors.split(",", -1)) {
      assertLoads(processor, "yarn", after);
    }
    assertThat(Settings.has(yarn, Settings.PROCESSORS_KEY, OWN_PROCESSOR)).as(after).isTrue();
    Optional.ofNullable(yarn.get(Settings.ALLOCATOR_KEY))
        .ifPresent(allocator -> assertLoads(allocator, "yarn", after));
    Optional.ofNullable(hdfs.get(Settings.CLIENT_KEY))
        .ifPresent(client -> assertLoads(client, "common", after));
  }

  private void assertLoads(String name, String library, String after) {
    if (name.equals(OWN_POLICY) || name.equals(OWN_PROCESSOR)) {
      return;
    }
    String jar = name.startsWith("dev.weir.yarn") ? "weir-yarn-scheduler" : "weir-hdfs-placement";
    for (String needed : List.of(jar, "weir-hints-api")) {
      assertThat(jars)
          .as("a daemon that needs %s, after: %s", name, after)
          .containsAnyOf(library + "/" + needed, "common/" + needed);
    }
    assertThat(AdviceTest.class.getClassLoader().getResource(name.replace('.', '/') + ".class"))
        .as(name)
        .isNotNull();
  }

  @Test
  void eachStepLeavesAClusterThatStarts() {
    for (int pass = 1; pass <= PASSES && !examine().remedies().isEmpty(); pass++) {
      for (Finding finding : examine().remedies()) {
        follow(finding.remedy());
        assertSound(finding.subject() + ": " + finding.remedy());
      }
    }

    assertThat(examine().remedies()).isEmpty();
    assertThat(examine().isAnythingWrong()).isFalse();
  }

  @Test
  void clientsAreWarnedBeforeTheirSettingChanges() {
    List<String> remedies = examine().remedies().stream().map(Finding::remedy).toList();

    assertThat(remedies.get(remedies.size() - 1))
        .matches(
            "clients without the jars.*Java before 8.*fail.*: " + Settings.CLIENT_KEY + " = .*");
    assertThat(remedies.stream().filter(remedy -> remedy.contains(Settings.CLIENT_KEY))).hasSize(1);
    assertThat(remedies.get(0) + remedies.get(1) + remedies.get(2))
        .contains("common/lib of all hosts", "clients, whose Java must be 8 or later");
  }

  @Test
  void patchedCopyIsTheSameAsTheSettingsByHand(@TempDir Path fixed) throws IOException {
    List<Finding> remedies = examine().remedies();
    var unused =
        ConfigurationPatch.write(
            conf,
            fixed,
            remedies.stream().map(Finding::setting).flatMap(Stream::ofNullable).toList());
    remedies.stream().filter(one -> one.step() == Step.JARS).forEach(one -> follow(one.remedy()));

    for (String file : List.of("hdfs-site.xml", "yarn-site.xml")) {
      Files.copy(
          fixed.resolve(file),
          conf.resolve(file),
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      assertSound("installing " + file);
    }
    assertThat(fixed.resolve("core-site.xml")).doesNotExist();
    Map<String, String> patched = settings("hdfs-site.xml", "yarn-site.xml");
    remedies.stream().filter(one -> one.setting() != null).forEach(one -> follow(one.remedy()));
    assertThat(settings("hdfs-site.xml", "yarn-site.xml")).isEqualTo(patched);
  }
}
