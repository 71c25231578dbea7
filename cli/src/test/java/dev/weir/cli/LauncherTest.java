package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@code bin/weir} in a distribution with a fake command that prints its arguments. */
class LauncherTest {

  private static final int EXIT_CODE = 7;
  private static final int HEAD_BYTES = 4096;
  private static final String SHARED = "dev.weir.cli.Weir source: shared objects file (top)";

  private static final String COMMAND =
      """
      package dev.weir.cli;
      public final class Weir {
        public static void main(String[] args) throws Exception {
          System.out.println("SAYS " + String.join(" ", args));
          System.err.println("complains");
          java.net.URL settings = Weir.class.getResource("/core-site.xml");
          if (settings != null) {
            System.out.println(new String(settings.openStream().readAllBytes()));
          }
          String mark = System.getProperty("weir.archive.mark");
          if (mark != null && args.length > 1) {
            java.nio.file.Files.createFile(java.nio.file.Path.of(mark));
          }
          Runtime.getRuntime().exit(7);
        }
      }
      """;

  /** Compiled commands, in a directory for each verb that they print. */
  @TempDir private static Path commands;

  @TempDir private Path temp;
  private Path home;
  private Path archives;
  private Path loaded;

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  static void compile() throws IOException {
    for (String verb : List.of("says", "told")) {
      Path source = Files.createDirectories(commands.resolve(verb)).resolve("Weir.java");
      Files.writeString(source, COMMAND.replace("SAYS", verb));
      int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString());
      assertThat(code).isZero();
    }
  }

  @BeforeEach
  void makeDistribution() throws IOException {
    home = Files.createDirectories(temp.resolve("weir"));
    archives = home.resolve("archive");
    loaded = temp.resolve("loaded");
    for (String folder : List.of("bin", "conf", "lib", "plugins", "hadoop")) {
      Files.createDirectories(home.resolve(folder));
    }
    Files.copy(Path.of("src/main/dist/bin/weir"), home.resolve("bin/weir"));
    jar(home.resolve("lib/weir-cli.jar"), "says");
    jar(home.resolve("plugins/plugin.jar"), "says");
    jar(home.resolve("hadoop/hadoop.jar"), "says");
  }

  /** Writes a jar with an old modification time, as if unpacked some time ago. */
  private static void jar(Path jar, String verb) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("dev/weir/cli/Weir.class"));
      Files.copy(commands.resolve(verb).resolve("Weir.class"), out);
    }
    age(jar);
    age(Objects.requireNonNull(jar.getParent()));
  }

  private static void age(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
  }

  private Ran weir(String... args) throws IOException, InterruptedException {
    return weir(Map.of(), args);
  }

  private Ran weir(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    List<String> command = new ArrayList<>(List.of("bash", home.resolve("bin/weir").toString()));
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.contains("JAVA") || name.contains("WEIR"));
    builder.environment().keySet().removeAll(List.of("HADOOP_CONF_DIR", "HADOOP_CLASSPATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Returns whether the command loads its classes from the archive. */
  private boolean usesArchive() throws IOException, InterruptedException {
    Ran ran = weir(Map.of("WEIR_OPTS", "-Xlog:class+load:file=" + loaded), "status");
    assertThat(ran).isEqualTo(new Ran(EXIT_CODE, "says status\n", "complains\n"));
    assertThat(Files.readString(loaded)).contains("dev.weir.cli.Weir source: ");
    return Files.readString(loaded).contains(SHARED);
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(archives)) {
      return files.toList();
    }
  }

  private Path makeArchive() throws IOException, InterruptedException {
    assertThat(weir("run", "it")).isEqualTo(new Ran(EXIT_CODE, "says run it\n", "complains\n"));
    assertThat(usesArchive()).isTrue();
    List<Path> made = archives().stream().filter(file -> file.toString().endsWith(".jsa")).toList();
    assertThat(made).hasSize(1);
    return made.get(0);
  }

  @Test
  void runLeavesAnArchiveThatLaterCommandsUse() throws IOException, InterruptedException {
    assertThat(usesArchive()).isFalse();
    assertThat(archives).doesNotExist();

    Path archive = makeArchive();

    FileTime made = Files.getLastModifiedTime(archive);
    assertThat(weir("run", "it").code()).isEqualTo(EXIT_CODE);
    assertThat(usesArchive()).isTrue();
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
  }

  @Test
  void archiveOfAFailedRunIsNotUsed() throws IOException, InterruptedException {
    assertThat(weir("run").code()).isEqualTo(EXIT_CODE);

    assertThat(usesArchive()).isFalse();
    makeArchive();
  }

  enum Damage {
    EMPTY,
    CUT,
    ALTERED,
    ALTERED_HEAD,
    TEXT
  }

  @ParameterizedTest
  @EnumSource
  void damagedArchiveIsIgnored(Damage damage) throws IOException, InterruptedException {
    Path archive = makeArchive();
    byte[] bytes = Files.readAllBytes(archive);
    switch (damage) {
      case EMPTY -> bytes = new byte[0];
      case CUT -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
      case ALTERED -> Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 100, (byte) 0x5a);
      case ALTERED_HEAD -> Arrays.fill(bytes, 100, 200, (byte) 0x5a);
      case TEXT -> bytes = "no archive\n".repeat(1000).getBytes(UTF_8);
    }
    Files.delete(archive);
    Files.write(archive, bytes);

    assertThat(usesArchive()).isFalse();
    assertThat(weir("run", "it")).isEqualTo(new Ran(EXIT_CODE, "says run it\n", "complains\n"));
  }

  /** Like an archive whose writer was killed: the header is written last. */
  @Test
  void unfinishedArchiveIsIgnored() throws IOException, InterruptedException {
    assertThat(weir("run", "it").code()).isEqualTo(EXIT_CODE);
    for (Path file : archives()) {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 0) {
        Arrays.fill(bytes, 0, HEAD_BYTES, (byte) 0);
        Files.delete(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      }
    }

    assertThat(usesArchive()).isFalse();
  }

  /** Java considers a jar with the same size and time unchanged. */
  @Test
  void touchedJarNeedsANewArchive() throws IOException, InterruptedException {
    Path archive = makeArchive();

    jar(home.resolve("lib/weir-cli.jar"), "told");

    assertThat(weir("status")).isEqualTo(new Ran(EXIT_CODE, "told status\n", "complains\n"));
    jar(home.resolve("lib/weir-cli.jar"), "says");
    makeArchive();
    assertThat(archive).doesNotExist();
  }

  @Test
  void jarTouchedDuringTheRunInvalidatesItsArchive() throws IOException, InterruptedException {
    assertThat(weir("run", "it").code()).isEqualTo(EXIT_CODE);

    jar(home.resolve("lib/weir-cli.jar"), "told");

    assertThat(weir("status")).isEqualTo(new Ran(EXIT_CODE, "told status\n", "complains\n"));
    assertThat(weir("status")).isEqualTo(new Ran(EXIT_CODE, "told status\n", "complains\n"));
  }

  @Test
  void unwritableDirectoryHasNoArchive() throws IOException, InterruptedException {
    Files.createFile(archives);

    assertThat(weir("run", "it")).isEqualTo(new Ran(EXIT_CODE, "says run it\n", "complains\n"));
    assertThat(usesArchive()).isFalse();
  }

  /** Java 17 archives no classes of jars with a space in their path. */
  @Test
  void directoryWithASpaceWorksWithoutAnArchive() throws IOException, InterruptedException {
    Path spaced = temp.resolve("a home");
    Files.move(home, spaced);
    home = spaced;

    assertThat(weir("run", "it")).isEqualTo(new Ran(EXIT_CODE, "says run it\n", "complains\n"));
    assertThat(weir("status")).isEqualTo(new Ran(EXIT_CODE, "says status\n", "complains\n"));
  }

  @Test
  void archivesCanBeTurnedOff() throws IOException, InterruptedException {
    makeArchive();

    assertThat(weir(Map.of("WEIR_OPTS", "-Xshare:off"), "status"))
        .isEqualTo(new Ran(EXIT_CODE, "says status\n", "complains\n"));
  }

  @Test
  void settingsAreFoundWithAnArchive() throws IOException, InterruptedException {
    Path settings = Files.createDirectory(temp.resolve("settings"));
    Files.writeString(settings.resolve("core-site.xml"), "mine");
    makeArchive();

    Ran ran =
        weir(
            Map.of(
                "HADOOP_CONF_DIR",
                settings.toString(),
                "WEIR_OPTS",
                "-Xlog:class+load:file=" + loaded),
            "status");

    assertThat(ran).isEqualTo(new Ran(EXIT_CODE, "says status\nmine\n", "complains\n"));
    assertThat(Files.readString(loaded)).contains(SHARED);
  }

  /** {@code weir cluster env} sets the variable. */
  @Test
  void pluginsInHadoopsClassPathLeaveTheArchiveAlone() throws IOException, InterruptedException {
    String plugins = home.resolve("plugins/plugin.jar").toString();

    assertThat(weir(Map.of("HADOOP_CLASSPATH", plugins), "run", "it").code()).isEqualTo(EXIT_CODE);

    assertThat(usesArchive()).isTrue();
  }

  @Test
  void connectorsInHadoopsClassPathAreFoundAndNotArchived()
      throws IOException, InterruptedException {
    Path connector = Files.createDirectory(temp.resolve("connector"));
    Files.writeString(connector.resolve("core-site.xml"), "from a connector");

    Ran ran = weir(Map.of("HADOOP_CLASSPATH", connector.toString()), "run", "it");

    assertThat(ran).isEqualTo(new Ran(EXIT_CODE, "says run it\nfrom a connector\n", "complains\n"));
    assertThat(archives).doesNotExist();
  }
}
