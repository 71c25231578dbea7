package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrerequisitesTest {
  @TempDir private Path dir;

  @BeforeEach
  void jars() throws IOException {
    Files.createDirectory(dir.resolve("hadoop"));
    Files.createFile(dir.resolve("hadoop/a.jar"));
    Files.createDirectory(dir.resolve("bin"));
  }

  @Test
  void linksNeedRootWithARemedy() throws Exception {
    programs("setsid", "ip", "tc", "nsenter", "unshare");
    assertThatThrownBy(() -> check(spec().hosts(HostKind.NAMESPACES), false))
        .hasMessageContaining("need root: run as root")
        .hasMessageContaining("leave --link out");
    assertThatCode(() -> check(spec().hosts(HostKind.NAMESPACES), true)).doesNotThrowAnyException();
    assertThatCode(() -> check(spec(), false)).doesNotThrowAnyException();
  }

  @Test
  void aMissingProgramIsReportedWithItsPackage() throws Exception {
    assertThatThrownBy(() -> check(spec(), true)).hasMessageContaining("install util-linux");
    programs("setsid", "ip");
    assertThatThrownBy(() -> check(spec().hosts(HostKind.NAMESPACES), true))
        .hasMessageContaining("Program tc is missing")
        .hasMessageContaining("apt-get install iproute2");
  }

  @Test
  void aNonEmptyDirectoryIsRefused() throws Exception {
    programs("setsid");
    Path taken = Files.createDirectory(dir.resolve("taken"));
    assertThatCode(() -> check(spec().dir(taken), false)).doesNotThrowAnyException();
    Files.createFile(taken.resolve("file"));
    assertThatThrownBy(() -> check(spec().dir(taken), false)).hasMessageContaining("is not empty");
    Files.createFile(taken.resolve("cluster.json"));
    assertThatThrownBy(() -> check(spec().dir(taken), false))
        .hasMessageContaining("weir cluster stop --dir " + taken);
  }

  @Test
  void missingJarsAreReportedWithARemedy() throws Exception {
    programs("setsid");
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThatThrownBy(() -> check(ClusterSpec.builder(HadoopJars.stock(empty)), false))
        .hasMessageContaining("No Hadoop jars in " + empty)
        .hasMessageContaining("mvn package");
  }

  private ClusterSpec.Builder spec() {
    return ClusterSpec.builder(HadoopJars.stock(dir.resolve("hadoop")));
  }

  private void check(ClusterSpec.Builder spec, boolean root) throws IOException {
    Prerequisites.check(spec.build(), "/no/such:" + dir.resolve("bin"), root);
  }

  private void programs(String... names) throws IOException {
    for (String name : names) {
      Path program = dir.resolve("bin").resolve(name);
      if (!Files.exists(program)) {
        Files.createFile(
            program,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      }
    }
  }
}
