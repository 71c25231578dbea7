package dev.weir.workflow.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.Test;

/** The command line of Java in a container. */
class JavaContainerTest {

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
