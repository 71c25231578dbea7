package dev.weir.workflow.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of Java in a container. */
class JavaContainerTest {

  @Test
  void archiveWithJavaIsUnpackedAndChecked(@TempDir Path folder) throws Exception {
    Path archive = Files.write(folder.resolve("java17.tar.gz"), new byte[5]);
    Configuration conf = new Configuration(false);
    conf.set(JavaContainer.ARCHIVE_KEY, archive.toUri().toString());

    ContainerLaunchContext context =
        new JavaContainer("dev.weir.Any", 64, Map.of())
            .launchContext(conf, List.of(), new Credentials());

    assertThat(context.getLocalResources())
        .hasEntrySatisfying(
            "java-runtime",
            runtime -> {
              assertThat(runtime.getType()).isEqualTo(LocalResourceType.ARCHIVE);
              assertThat(runtime.getSize()).isEqualTo(5);
            });
    assertThat(context.getCommands().get(0))
        .startsWith("{{PWD}}/java-runtime/bin/java -version")
        .contains("exec {{PWD}}/java-runtime/bin/java -Xmx64m")
        .doesNotContain("JAVA_HOME");
  }

  @Test
  void nodesWithAnOldJavaAreRefused(@TempDir Path folder) throws Exception {
    for (String version : List.of("1.8.0_392", "11.0.13", "16")) {
      assertThat(startedOn(folder, version, "")).as(version).isFalse();
      assertThat(Files.readString(folder.resolve("stderr")))
          .contains("The Java of this node (" + folder + ") is " + version + ", and Weir needs 17")
          .contains("weir.java.archive", System.getProperty("os.arch").replace("amd64", "x86_64"));
      assertThat(startedOn(folder, version, JavaContainer.NODES_RUNTIME)).as(version).isTrue();
    }
    for (String version : List.of("17.0.9", "21", "25.0.1", "")) {
      assertThat(startedOn(folder, version, "")).as(version).isTrue();
    }
    Files.delete(folder.resolve("release"));
    assertThat(startedOn(folder, null, "")).as("unknown").isTrue();
  }

  /** Runs the command as YARN's launch script does, on a node whose Java only ends. */
  private static boolean startedOn(Path home, @Nullable String version, String archive)
      throws Exception {
    if (version != null) {
      Files.writeString(
          home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    }
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 0\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Configuration conf = new Configuration(false);
    conf.set(JavaContainer.ARCHIVE_KEY, archive);
    String command =
        new JavaContainer("dev.weir.Any", 64, Map.of())
            .launchContext(conf, List.of(), new Credentials())
            .getCommands()
            .get(0)
            .replace("{{JAVA_HOME}}", "$JAVA_HOME")
            .replace("<LOG_DIR>", home.toString());
    ProcessBuilder shell =
        new ProcessBuilder("/bin/bash", "-c", "exec /bin/bash -c \"" + command + "\"");
    shell.environment().put("JAVA_HOME", home.toString());
    return shell.inheritIO().start().waitFor() == 0;
  }

  @Test
  void javaAcceptsTheOptions() throws Exception {
    String command =
        new JavaContainer("dev.weir.Any", 64, Map.of())
            .launchContext(new Configuration(false), List.of(), new Credentials())
            .getCommands()
            .get(0);
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream.of(command.split(" ")).filter(word -> word.startsWith("-X")).forEach(java::add);
    java.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));

    Process process = new ProcessBuilder(java).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output)
        .containsPattern("MaxHeapSize += 67108864 ")
        .containsPattern("UseSerialGC += true ")
        .containsPattern("TieredStopAtLevel += 1 ")
        .containsPattern("CompileThresholdScaling += 0\\.3")
        .doesNotContain("warning");
  }
}
