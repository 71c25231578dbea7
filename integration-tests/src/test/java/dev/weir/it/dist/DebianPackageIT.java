package dev.weir.it.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs and removes the Debian package on this machine, as root on Debian. {@code mvn -Pdist
 * -DskipTests package} makes the package first.
 */
@Tag("nightly")
class DebianPackageIT {

  private static final Path TARGET = Path.of("../cli/target");

  @TempDir private Path scratch;
  private Path deb;

  @BeforeEach
  void requirePackage() throws IOException, InterruptedException {
    assumeThat(Files.exists(Path.of("/etc/debian_version"))).as("needs Debian").isTrue();
    assumeThat(System.getProperty("user.name")).as("needs root").isEqualTo("root");
    Optional<Path> built = built();
    assumeThat(built).as("needs cli/target/weir_*.deb of 'mvn -Pdist package'").isPresent();
    deb = built.get().toAbsolutePath().normalize();
    assumeThat(exitCode("dpkg", "--status", "weir"))
        .as("needs a machine without the package weir")
        .isNotZero();
  }

  @AfterEach
  void purge() throws IOException, InterruptedException {
    if (deb != null) {
      exitCode("dpkg", "--purge", "weir");
    }
  }

  private static Optional<Path> built() throws IOException {
    if (!Files.isDirectory(TARGET)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(TARGET)) {
      return files.filter(file -> file.toString().endsWith(".deb")).findFirst();
    }
  }

  @Test
  void isInstalledAndRemoved() throws IOException, InterruptedException {
    // Another Java than that of Debian may run this test.
    run("dpkg", "--force-depends", "--install", deb.toString());

    assertThat(run("weir", "version")).startsWith("weir ");
    assertThat(run("weir", "server", "--help")).contains("--embedded-zookeeper");
    assertThat(run("getent", "passwd", "weir")).contains("/var/lib/weir");
    assertThat(run("stat", "-c", "%U:%G %a", "/usr/share/weir/bin/weir"))
        .isEqualTo("root:root 755\n");
    assertThat(Path.of("/usr/share/weir/examples/weir-site.xml")).isRegularFile();
    Path unit = Path.of("/usr/lib/systemd/system/weir-server.service");
    assertThat(unit).isRegularFile();
    if (Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
      run("systemd-analyze", "verify", unit.toString());
    }

    // As a run of root leaves it.
    Files.createFile(Files.createDirectory(Path.of("/usr/share/weir/archive")).resolve("x.jsa"));

    run("dpkg", "--remove", "weir");

    assertThat(Path.of("/usr/bin/weir")).doesNotExist();
    assertThat(Path.of("/usr/share/weir")).doesNotExist();
    assertThat(unit).doesNotExist();
    assertThat(Path.of("/etc/default/weir")).as("a configuration file").exists();
    assertThat(Path.of("/var/lib/weir")).as("the database of runs").exists();
    run("dpkg", "--purge", "weir");
    assertThat(Path.of("/etc/default/weir")).doesNotExist();
    assertThat(Path.of("/var/lib/weir")).doesNotExist();
    assertThat(exitCode("getent", "passwd", "weir")).isNotZero();
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "out", ".txt");
    int code = start(out, command).exitValue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(code).as(List.of(command) + ": " + text).isZero();
    return text;
  }

  private int exitCode(String... command) throws IOException, InterruptedException {
    return start(scratch.resolve("ignored.txt"), command).exitValue();
  }

  private static Process start(Path out, String... command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(List.of(command).toString()).isTrue();
    return process;
  }
}
