package dev.weir.cli.doctor;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plugin jars that this distribution has for daemons.
 *
 * @param classVersions the highest version of a class file in each jar, by the name of the jar
 */
record PluginJars(Map<String, Integer> classVersions) {
  private static final int CLASS_FILE = 0xCAFEBABE;

  PluginJars {
    classVersions = Map.copyOf(classVersions);
  }

  /**
   * Reads the jars of a distribution.
   *
   * @param home the distribution; null if the command runs without one
   */
  static PluginJars of(@Nullable Path home) throws IOException {
    Map<String, Integer> versions = new HashMap<>();
    if (home != null && Files.isDirectory(home.resolve("plugins"))) {
      try (Stream<Path> files = Files.list(home.resolve("plugins"))) {
        List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
        for (Path jar : jars) {
          versions.put(jar.getFileName().toString(), classVersion(jar));
        }
      }
    }
    return new PluginJars(versions);
  }

  private static int classVersion(Path path) throws IOException {
    int highest = 0;
    try (JarFile jar = new JarFile(path.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        // Java 8 does not look into META-INF/versions.
        if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            if (in.readInt() != CLASS_FILE) {
              throw new IOException(path + ": " + entry.getName() + " is not a class file");
            }
            in.readUnsignedShort();
            highest = Math.max(highest, in.readUnsignedShort());
          }
        }
      }
    }
    return highest;
  }
}
