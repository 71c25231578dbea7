package dev.weir.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.weir.cluster.plan.HadoopRelease;
import dev.weir.it.Distribution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.codehaus.mojo.animal_sniffer.SignatureBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plugin jars run on Java 8 and on each Hadoop that they support. */
class PluginLinkageTest {
  private static final int JAVA_8 = 52;

  /** Methods that find members by name or by type. */
  private static final Set<String> LOOKUPS =
      Set.of(
          "forName",
          "getMethod",
          "getMethods",
          "getDeclaredMethod",
          "getDeclaredMethods",
          "getField",
          "getDeclaredField",
          "getDeclaredFields",
          "getConstructor",
          "getDeclaredConstructor");

  private final Distribution distribution = Distribution.built();

  @Test
  void classFilesAreOfJava8() throws IOException {
    Map<String, Integer> others = new TreeMap<>();
    for (Path plugin : distribution.plugins()) {
      try (JarFile jar = new JarFile(plugin.toFile())) {
        for (JarEntry entry : jar.stream().toList()) {
          if (entry.getName().endsWith(".class")) {
            int version = version(jar.getInputStream(entry));
            if (version != JAVA_8) {
              others.put(entry.getName(), version);
            }
          }
        }
      }
    }
    assertThat(others).isEmpty();
  }

  @Test
  void membersExistInJava8AndHadoopOfThisBuild() throws IOException {
    assertThat(undefined(distribution.hadoopJars())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.2", "3.4.3"})
  @Tag("nightly")
  void membersExistInHadoop34(String version) throws IOException {
    assertThat(undefined(HadoopRelease.of(version).jars())).isEmpty();
  }

  /** The class that lacks it overrides the method, which Hadoop 3.3 never calls. */
  @Test
  @Tag("nightly")
  void membersExistInHadoop33() throws IOException {
    assertThat(undefined(HadoopRelease.of("3.3.6").jars()))
        .singleElement()
        .asString()
        .contains("HintedServerDefaults")
        .contains("FsServerDefaults.getSnapshotTrashRootEnabled()");
  }

  /**
   * The classes that find members of Hadoop by reflection. {@code StorageRoom} finds {@code
   * BlockPlacementPolicyDefault.getMinBlocksForWrite}, its setter and both forms of {@code
   * DatanodeDescriptor.chooseStorage4Block}. {@code NamesystemReader} finds the fields of types
   * {@code DatanodeManager} and {@code Namesystem}. {@code AllocatorSelection} finds out whether
   * YARN has the constant {@code APPLICATION_PLACEMENT_TYPE_CLASS}.
   */
  @Test
  void onlyThreeClassesUseReflection() throws IOException {
    Set<String> users = new TreeSet<>();
    for (Path plugin : distribution.plugins()) {
      try (JarFile jar = new JarFile(plugin.toFile())) {
        new ClassFileImporter()
            .importJar(jar).stream()
                .filter(type -> !type.getPackageName().contains(".java8."))
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().isEquivalentTo(Class.class))
                .filter(access -> LOOKUPS.contains(access.getName()))
                .map(JavaAccess::getOriginOwner)
                .map(JavaClass::getSimpleName)
                .forEach(users::add);
      }
    }
    assertThat(users).containsExactly("AllocatorSelection", "NamesystemReader", "StorageRoom");
  }

  /** The references of the plugins that neither Java 8 nor these jars nor the plugins define. */
  private List<String> undefined(List<Path> hadoop) throws IOException {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    Logger logger = new PrintWriterLogger(new PrintStream(messages, true, StandardCharsets.UTF_8));
    SignatureChecker checker =
        new SignatureChecker(new ByteArrayInputStream(signatures(hadoop)), Set.of(), logger);
    checker.setSourcePath(List.of());
    for (Path plugin : distribution.plugins()) {
      checker.process(plugin.toFile());
    }
    return messages
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("Undefined"))
        .toList();
  }

  private byte[] signatures(List<Path> hadoop) throws IOException {
    List<Path> jars = new ArrayList<>(hadoop);
    // Java 8 has these classes itself, in another version that animal-sniffer cannot merge.
    jars.removeIf(jar -> jar.getFileName().toString().matches("(jakarta\\.xml\\.bind|jaxb).*"));
    jars.addAll(distribution.plugins());
    ByteArrayOutputStream signatures = new ByteArrayOutputStream();
    try (InputStream java = Files.newInputStream(Path.of(System.getProperty("weir.java8")))) {
      SignatureBuilder builder =
          new SignatureBuilder(
              new InputStream[] {java},
              signatures,
              new PrintWriterLogger(new PrintStream(OutputStream.nullOutputStream())));
      for (Path jar : jars) {
        builder.process(jar.toFile());
      }
      builder.close();
    }
    return signatures.toByteArray();
  }

  private static int version(InputStream classFile) throws IOException {
    try (DataInputStream data = new DataInputStream(classFile)) {
      data.readInt();
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
