package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.workflow.client.SessionSubmitter;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassArchiveTest {

  @TempDir private Path directory;

  @Test
  void keptClassesAreMarked() {
    Path mark = directory.resolve("mark");

    new ClassArchive(mark.toString()).keep();
    new ClassArchive(mark.toString()).keep();

    assertThat(mark).isEmptyFile();
  }

  @Test
  void classesOfSessionRunsAreLoadedByAnyRun() {
    assertThat(SessionSubmitter.load()).isPositive();
  }

  @Test
  void unwritableMarkIsNoFailure() {
    assertThatCode(() -> new ClassArchive(null).keep()).doesNotThrowAnyException();
    assertThatCode(() -> new ClassArchive(directory.resolve("no/mark").toString()).keep())
        .doesNotThrowAnyException();
  }

  /** Directories of settings come last on the class path, where Java allows them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "core-site.xml",
        "hdfs-site.xml",
        "yarn-site.xml",
        "mapred-site.xml",
        "hadoop-policy.xml",
        "ssl-client.xml",
        "log4j.properties",
        "log4j.xml"
      })
  void noJarHidesASettingsFile(String name) throws IOException {
    List<URL> hiding = Collections.list(getClass().getClassLoader().getResources(name));

    assertThat(hiding).noneMatch(found -> found.getProtocol().equals("jar"));
  }

  @Test
  void fileInAJarWouldBeFound() throws IOException {
    assertThat(Collections.list(getClass().getClassLoader().getResources("core-default.xml")))
        .anyMatch(found -> found.getProtocol().equals("jar"));
  }
}
