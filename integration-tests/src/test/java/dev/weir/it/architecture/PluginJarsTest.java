package dev.weir.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.weir.it.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The plugins are three jars that need only Hadoop's classes. */
class PluginJarsTest {
  private final Distribution distribution = Distribution.built();

  @Test
  void thereAreThreePlugins() {
    assertThat(distribution.plugins())
        .extracting(jar -> jar.getFileName().toString().replaceFirst("-\\d.*", ""))
        .containsExactlyInAnyOrder("weir-hints-api", "weir-hdfs-placement", "weir-yarn-scheduler");
  }

  @Test
  void pluginsReferenceOnlyOwnHadoopAndJdkClasses() throws IOException {
    Set<String> present = classesOf(distribution.hadoopJars());
    present.addAll(classesOf(distribution.plugins()));
    JavaClasses plugins =
        new ClassFileImporter()
            .importJars(distribution.plugins().stream().map(PluginJarsTest::open).toList());

    Set<String> missing =
        plugins.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
            .filter(target -> !target.isPrimitive())
            .map(JavaClass::getName)
            // The JVM ignores annotations and names of inner classes whose classes are absent.
            .filter(name -> !name.startsWith("org.jspecify.annotations."))
            .filter(name -> !name.startsWith("xyz.wagyourtail.jvmdg."))
            .filter(name -> !present.contains(name) && !inJdk(name))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(plugins).isNotEmpty();
    assertThat(missing).as("classes that a stock cluster does not have").isEmpty();
  }

  @Test
  void pluginsContainOnlyWeirClasses() throws IOException {
    Set<String> hadoopClasses = classesOf(distribution.hadoopJars());
    assertThat(classesOf(distribution.plugins()))
        .allMatch(
            name ->
                name.startsWith("dev.weir.")
                    || name.startsWith("org.apache.hadoop.hdfs.server.blockmanagement.")
                    || name.startsWith("org.apache.hadoop.hdfs.Adaptive")
                    || name.startsWith("org.apache.hadoop.hdfs.ReplicaInputStream")
                    || name.equals("org.apache.hadoop.fs.WeirHdfs"))
        .noneMatch(hadoopClasses::contains);
  }

  private static boolean inJdk(String name) {
    return ClassLoader.getPlatformClassLoader().getResource(name.replace('.', '/') + ".class")
        != null;
  }

  private static Set<String> classesOf(List<Path> jars) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path path : jars) {
      try (JarFile jar = open(path)) {
        jar.stream()
            .map(JarEntry::getName)
            .filter(entry -> entry.endsWith(".class") && !entry.startsWith("META-INF/"))
            .map(entry -> entry.substring(0, entry.length() - ".class".length()))
            .forEach(entry -> names.add(entry.replace('/', '.')));
      }
    }
    return names;
  }

  private static JarFile open(Path jar) {
    try {
      return new JarFile(jar.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
